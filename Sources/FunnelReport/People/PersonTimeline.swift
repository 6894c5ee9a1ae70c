public import FunnelEngine

/// One person for a ``PersonPage``.
public struct PersonTimeline: Sendable {
  /// What the page calls the person: a hash, never an id.
  public let name: String
  /// The person's facts, attempts and the reasons for how they count.
  public let explanation: PersonExplanation

  /// Joins a person's timeline with the name that it is shown under.
  public init(name: String, explanation: PersonExplanation) {
    self.name = name
    self.explanation = explanation
  }
}
