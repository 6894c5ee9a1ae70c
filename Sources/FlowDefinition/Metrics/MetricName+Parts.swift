/// Names that are made of others, and what such a name is made of.
extension MetricName {
  // MARK: Retention

  private static let retentionPrefix = "retention_"
  private static let commonCohortSuffix = "_common"
  private static let overallSuffix = "_overall"
  private static let winsorisedSuffix = "_winsorised"

  /// Came back as the retention measure with this id says: `d7`, `on_or_after_d7`, `d80_110`.
  public static func retention(_ id: String) -> MetricName {
    MetricName(rawValue: retentionPrefix + id)
  }

  /// Came back on a day.
  public static func retention(day: Int) -> MetricName { retention("d\(day)") }

  /// Came back as a retention measure says.
  public static func retention(_ measure: RetentionMeasure) -> MetricName {
    retention(measure.id)
  }

  /// Whether this is retention, of whatever people.
  public var isRetention: Bool { rawValue.hasPrefix(Self.retentionPrefix) }

  /// What follows `retention_`: the id of a measure, and of whom it is where that is said.
  package var retentionID: String? {
    isRetention ? String(rawValue.dropFirst(Self.retentionPrefix.count)) : nil
  }

  /// Whether the name ends like that of a retention measure, of whatever people.
  func endsLike(_ measure: RetentionMeasure) -> Bool {
    rawValue.hasSuffix(measure.id) || withoutOverall.rawValue.hasSuffix(measure.id)
  }

  // MARK: Goals

  /// Whether this is a rate, an amount or a time of a goal.
  var isOfGoal: Bool {
    rawValue.hasPrefix("goal_") || rawValue.hasPrefix(Self.timeToGoal.rawValue)
  }

  /// Whether this is what a goal's `value` property says, of whatever people.
  var isAmount: Bool { rawValue.hasPrefix(Self.goalValue.rawValue) }

  // MARK: Of whom

  /// This rate over everyone, for one that is among those who got somewhere after entry.
  public var overall: MetricName { MetricName(rawValue: rawValue + Self.overallSuffix) }

  /// Whether this is over everyone, beside a number among those who got somewhere after entry.
  public var isOverall: Bool {
    rawValue.hasSuffix(Self.overallSuffix)
      || rawValue.hasSuffix(Self.overallSuffix + Self.winsorisedSuffix)
  }

  /// This retention over the cohort that all measures have in common.
  public var ofCommonCohort: MetricName {
    MetricName(rawValue: rawValue + Self.commonCohortSuffix)
  }

  /// Whether this is retention over the cohort that all measures have in common. A measure's own
  /// name ends with its days.
  public var isOfCommonCohort: Bool { rawValue.hasSuffix(Self.commonCohortSuffix) }

  /// This amount with people's sums capped at a quantile of all.
  public var winsorised: MetricName { MetricName(rawValue: rawValue + Self.winsorisedSuffix) }

  /// The name without what says that it is over everyone.
  public var withoutOverall: MetricName { without(Self.overallSuffix) }

  /// The name without what says that it is over the common cohort.
  public var withoutCommonCohort: MetricName { without(Self.commonCohortSuffix) }

  private func without(_ suffix: String) -> MetricName {
    guard rawValue.hasSuffix(suffix) else { return self }
    return MetricName(rawValue: String(rawValue.dropLast(suffix.count)))
  }

  // MARK: Times

  /// A percentile of a duration such as ``timeToComplete``.
  public func percentile(_ percent: Int) -> MetricName {
    MetricName(rawValue: "\(rawValue)_p\(percent)")
  }

  /// The percent that this is a percentile for, where it is one of a duration.
  func percent(of duration: MetricName) -> Int? {
    let prefix = duration.rawValue + "_p"
    return rawValue.hasPrefix(prefix) ? Int(rawValue.dropFirst(prefix.count)) : nil
  }

  /// How many people have a value of a duration.
  public var numberOfValues: MetricName { MetricName(rawValue: rawValue + "_n") }

  /// Whether this is a number of a duration: a percentile or the count of its values.
  public func isNumber(of duration: MetricName) -> Bool {
    let name = duration.rawValue
    return rawValue.hasPrefix(name)
      && rawValue.utf8.dropFirst(name.utf8.count).first == UInt8(ascii: "_")
  }

  // MARK: Comparisons

  /// What two groups of people are compared by, in the order in which a name is taken apart.
  public enum Comparison: String, Sendable, Hashable, CaseIterable {
    case lift, difference
    /// The p-value after the adjustment for all rates of the experiment.
    case adjustedP = "p_adjusted"
    case p
    case probabilityBetter = "probability_better"
    /// Finishers over skippers, within strata and raw.
    case observationalLiftStratified = "observational_lift_stratified"
    case observationalLift = "observational_lift"

    fileprivate var prefix: String { rawValue + "_" }

    /// Whether it is of finishers and skippers, who chose; else of a variant and its control.
    public var isObservational: Bool {
      self == .observationalLift || self == .observationalLiftStratified
    }
  }

  /// The comparison of two groups of people by this number.
  public func compared(by comparison: Comparison) -> MetricName {
    MetricName(rawValue: comparison.prefix + rawValue)
  }

  /// How two groups of people are compared; `nil` for a number of one group.
  public var comparison: Comparison? {
    Comparison.allCases.first { rawValue.hasPrefix($0.prefix) }
  }

  /// The number that a comparison such as `lift_completion_rate` is about.
  public var comparedNumber: MetricName? {
    comparison.map { MetricName(rawValue: String(rawValue.dropFirst($0.prefix.count))) }
  }
}
