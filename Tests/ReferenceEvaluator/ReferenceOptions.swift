/// What of `report`'s options changes numbers.
package struct ReferenceOptions: Sendable, Hashable {
  /// The horizon in milliseconds; found from the facts where `nil`.
  package var asOfMilliseconds: Int64?
  /// Persons with t0 at or after it.
  package var fromMilliseconds: Int64?
  /// Persons with t0 before it.
  package var toMilliseconds: Int64?
  /// Facts before it are set aside.
  package var historyFromMilliseconds: Int64?
  package var cohort: CohortUnit

  package init(
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
package enum CohortUnit: String, Sendable, Hashable, CaseIterable {
  case day, week, month
}
