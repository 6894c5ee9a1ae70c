/// What of `report`'s options changes numbers.
public struct ReferenceOptions: Sendable, Hashable {
  /// The horizon in milliseconds; found from the facts where `nil`.
  public var asOfMilliseconds: Int64?
  /// Persons with t0 at or after it.
  public var fromMilliseconds: Int64?
  /// Persons with t0 before it.
  public var toMilliseconds: Int64?
  public var cohort: CohortUnit
  /// Definitions 1.3: facts after the horizon are "as if they had not been read", so a sign-in
  /// after the horizon joins no device facts before it. `false`: identity looks at all facts.
  public var identityIgnoresFactsAfterHorizon: Bool

  public init(
    asOfMilliseconds: Int64? = nil, fromMilliseconds: Int64? = nil, toMilliseconds: Int64? = nil,
    cohort: CohortUnit = .week, identityIgnoresFactsAfterHorizon: Bool = true
  ) {
    self.asOfMilliseconds = asOfMilliseconds
    self.fromMilliseconds = fromMilliseconds
    self.toMilliseconds = toMilliseconds
    self.cohort = cohort
    self.identityIgnoresFactsAfterHorizon = identityIgnoresFactsAfterHorizon
  }
}

/// How long a cohort is.
public enum CohortUnit: String, Sendable, Hashable, CaseIterable {
  case day, week, month
}
