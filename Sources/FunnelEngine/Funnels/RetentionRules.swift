/// How days of retention are cut, and who is in the denominator.
public struct RetentionRules: Sendable, Hashable {
  /// Dates of the time zone, or spans of 24 hours from the entry.
  public var isCalendar: Bool
  /// Only persons whose day is over.
  public var onlyMature: Bool
}
