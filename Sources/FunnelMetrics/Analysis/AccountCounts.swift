/// The accounts of an experiment that is compared by them.
public struct AccountCounts: Sendable, Hashable {
  /// All accounts of people with a variant.
  public let all: Int
  /// Accounts with people in several variants: they were not assigned as wholes.
  public let mixed: Int
  /// People whose events name no account at entry: each counts as one.
  public let peopleWithout: Int
}
