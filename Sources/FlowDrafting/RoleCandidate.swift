/// An event that may play a part in the onboarding, with what speaks for it.
public struct RoleCandidate: Sendable, Hashable {
  /// The name of the event.
  public let name: String
  /// People of the sample who have it.
  public let people: Int
  /// One line: `812 of 1,000 people have it; for 97 % …`.
  public let evidence: String
  /// How well the timelines support it, from 0 to about 1.
  let score: Double
  /// Of the people who have it, the share for whom it is the first or the last.
  public let share: Double
}
