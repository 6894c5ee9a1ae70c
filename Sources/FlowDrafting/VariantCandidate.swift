internal import EventInput

/// A property that may say which variant of an experiment a person has.
public struct VariantCandidate: Sendable, Hashable {
  /// Where the value stands in the event, such as `properties.theme`.
  public let path: String
  /// The name of the property.
  public let name: String
  /// The values, with how many people have each.
  public let values: [Value]
  /// One line: `one value a person: A 812, B 790`.
  public let evidence: String
  /// Whether it is called like a variant, and not only spread like one.
  public let isNamed: Bool
  /// What speaks against an assignment by chance, in words that end a sentence; `nil` where the
  /// timelines show nothing.
  public let doubt: String?
  /// The experiments, if the events name them beside the variant.
  let exposures: Exposures?

  /// One variant.
  public struct Value: Sendable, Hashable {
    /// The value as events have it.
    public let name: String
    /// People of the sample who have it, and no other.
    public let people: Int
  }

  /// What events of exposure name.
  struct Exposures: Sendable, Hashable {
    /// Where the experiment's id stands.
    let path: String
    /// Those with most people first.
    let experiments: [Experiment]
  }

  /// An experiment that events name.
  struct Experiment: Sendable, Hashable {
    let id: String
    let values: [Value]

    var peopleCount: Int { values.map(\.people).reduce(0, +) }

    /// One line: `copy: A 812, B 790`.
    var evidence: String { "\(HiddenText.shown(id)): \(VariantCandidate.shares(values))" }
  }

  /// Whether its events name an experiment that others don't name by themselves.
  func isNew(beside named: Set<String>) -> Bool {
    exposures?.experiments.contains { !named.contains($0.id) } ?? true
  }

  /// `A 812, B 790`.
  static func shares(_ values: [Value]) -> String {
    values.map { "\(HiddenText.shown($0.name)) \($0.people)" }.joined(separator: ", ")
  }
}
