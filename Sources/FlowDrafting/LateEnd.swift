/// An event that may end an onboarding days after its start.
public struct LateEnd: Sendable, Hashable {
  /// The name of the event.
  public let name: String
  /// People of the sample who have it.
  public let people: Int
  /// In how many days 95 % of them have it.
  public let windowDays: Int
  /// One line: `240 of 300 people who start have it …`.
  public let evidence: String

  /// As one of the candidates for the end.
  var candidate: RoleCandidate {
    RoleCandidate(name: name, people: people, evidence: evidence, score: 0, share: 0)
  }
}
