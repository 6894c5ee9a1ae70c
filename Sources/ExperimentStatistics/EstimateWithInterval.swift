/// A point estimate with the interval that goes with it. All three numbers are finite.
///
/// A ratio whose denominator is zero would be unbounded above; such an estimate is not made at
/// all (``Unavailable/zeroControl``), so no infinity has to be represented here.
public struct EstimateWithInterval: Sendable, Hashable {
  /// The point estimate, in the unit of the number that is estimated.
  public let estimate: Double
  /// The interval around the estimate, in its unit; its level is what the caller asked for.
  public let interval: Interval

  /// Joins an estimate with its interval; neither is checked.
  public init(estimate: Double, interval: Interval) {
    self.estimate = estimate
    self.interval = interval
  }
}
