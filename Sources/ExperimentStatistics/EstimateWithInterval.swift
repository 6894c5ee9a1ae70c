/// A point estimate with the interval that goes with it. All three numbers are finite.
///
/// A ratio whose denominator is zero would be unbounded above; such an estimate is not made at
/// all (``Unavailable/zeroControl``), so no infinity has to be represented here.
public struct EstimateWithInterval: Sendable, Hashable {
  public let estimate: Double
  public let interval: Interval

  public init(estimate: Double, interval: Interval) {
    self.estimate = estimate
    self.interval = interval
  }
}
