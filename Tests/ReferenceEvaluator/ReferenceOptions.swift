/// What of `report`'s options changes numbers.
public struct ReferenceOptions: Sendable, Hashable {
  /// The horizon in milliseconds; found from the facts where `nil`.
  public var asOfMilliseconds: Int64?
  /// Persons with t0 at or after it.
  public var fromMilliseconds: Int64?
  /// Persons with t0 before it.
  public var toMilliseconds: Int64?
  /// Facts before it are set aside.
  public var historyFromMilliseconds: Int64?
  public var cohort: CohortUnit

  public init(
    asOfMilliseconds: Int64? = nil, fromMilliseconds: Int64? = nil, toMilliseconds: Int64? = nil,
    historyFromMilliseconds: Int64? = nil, cohort: CohortUnit = .week
  ) {
    self.asOfMilliseconds = asOfMilliseconds
    self.fromMilliseconds = fromMilliseconds
    self.toMilliseconds = toMilliseconds
    self.historyFromMilliseconds = historyFromMilliseconds
    self.cohort = cohort
  }
}

/// How long a cohort is.
public enum CohortUnit: String, Sendable, Hashable, CaseIterable {
  case day, week, month
}
