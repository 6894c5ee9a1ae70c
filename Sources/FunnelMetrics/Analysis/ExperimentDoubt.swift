internal import FlowDefinition
internal import ReportText

/// Why no verdict is given on an experiment (definitions 6.7). The gate calls the same data invalid
/// by the same bounds.
public enum ExperimentDoubt: Sendable, Hashable {
  /// The split is not the declared one.
  case sampleRatioMismatch
  /// Of an experiment on accounts: the split of the accounts isn't the declared one, as many have
  /// people of several variants and count for each; the split of the people is.
  case mixedAccounts(mixed: Int, all: Int)
  /// The shares of the variants change within a period of one split: the variant, as people read
  /// it, and the least and the greatest share that it has of a cohort.
  case splitChanged(variant: String, least: Double, greatest: Double)
  /// Too many people were seen with several variants.
  case contaminated(share: Double)
  /// Too many people have no variant, although others of their version and week do.
  case unassigned(share: Double)
  /// Of an experiment that is compared by accounts: too many people have none.
  case withoutAccount(share: Double)

  /// A split less likely than this is not the declared one (Fabijan et al., KDD 2019).
  public static let sampleRatioAlpha = 0.001
  /// The largest share of those who entered that may be seen with several variants.
  public static let contaminatedBound = 0.01
  /// The largest share of those who could have been assigned that may be without a variant.
  public static let unassignedBound = 0.2
  /// The largest share of accounts with people of several variants that explains no split.
  static let mixedAccountsBound = 0.01
  /// The largest share of the people of an experiment on accounts who may have none.
  public static let withoutAccountBound = 0.2

  /// A name for tables.
  package var name: String {
    switch self {
    case .sampleRatioMismatch: "sample-ratio mismatch"
    case .mixedAccounts: "mixed accounts"
    case .splitChanged: "split changed"
    case .contaminated: "contaminated"
    case .unassigned: "unassigned"
    case .withoutAccount: "without account"
    }
  }

  /// Why, in a clause.
  package var reason: String {
    switch self {
    case .sampleRatioMismatch: "the split between the variants is not the declared one"
    case .mixedAccounts(let mixed, let all):
      "\(NumberText.grouped(mixed)) of \(NumberText.grouped(all)) accounts have people of several "
        + "variants: people were assigned one by one, and not accounts as wholes"
    case .splitChanged(let variant, let least, let greatest):
      "the split changed over time: \(variant) had \(RateText.percent(least)) of the people at one "
        + "time and \(RateText.percent(greatest)) at another, so people of different times would "
        + "be compared"
    case .contaminated(let share):
      "\(RateText.percent(share)) of the people were seen with several variants"
    case .unassigned(let share):
      "\(RateText.percent(share)) of the people have no variant, while others of their version "
        + "and week have one"
    case .withoutAccount(let share): "\(RateText.percent(share)) of the people have no account"
    }
  }

  /// What the reader can do about it.
  package var advice: String {
    switch self {
    case .sampleRatioMismatch:
      "Find out why before reading any difference; more data does not mend it."
    case .mixedAccounts:
      "If that was meant, take 'cluster' out of the experiment: people are then compared one by "
        + "one. Else find out why the people of one account get several variants."
    case .splitChanged:
      "If that was meant, declare it ('splits' of the experiment, with the day of each change): "
        + "rates are then compared within the times of one split."
    case .contaminated: "Find out why people change variants before reading any difference."
    case .unassigned:
      "Send the variant with the first event, or declare the experiment's 'start' and 'end'."
    case .withoutAccount:
      "Is the path of 'cluster' right? Send the account with the first event."
    }
  }
}
