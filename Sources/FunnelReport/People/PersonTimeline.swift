public import FunnelEngine

/// One person for a ``PersonPage``.
public struct PersonTimeline: Sendable {
  /// What the page calls the person: a hash, never an id.
  public let name: String
  public let explanation: PersonExplanation

  public init(name: String, explanation: PersonExplanation) {
    self.name = name
    self.explanation = explanation
  }
}
