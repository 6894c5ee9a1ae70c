import RealModule

/// A number that was derived from others, such as a lift, that must be at least a bound: judged by
/// the interval it comes with, in the normal limit. A lift is judged by the logarithm of its ratio.
public struct IntervalBound: DropTest {
  /// The number with its two-sided interval at 95 %.
  public let estimate: EstimateWithInterval
  public let bound: Double
  public let margin: Double
  public let trials: Int
  /// Whether the numbers are relative lifts.
  public let isLift: Bool
  /// The p-value of a test that knows more than the interval; nil to take the interval's.
  public let exactP: Double?

  public init(
    _ estimate: EstimateWithInterval, atLeast bound: Double, margin: Double, trials: Int,
    isLift: Bool, exactP: Double? = nil
  ) {
    self.estimate = estimate
    self.bound = bound
    self.margin = max(0, margin)
    self.trials = trials
    self.isLift = isLift
    self.exactP = exactP
  }

  private static let critical = 1.959_963_984_540_054

  private func scaled(_ value: Double) -> Double {
    isLift ? .log(onePlus: max(value, -0.999_999)) : value
  }

  private var deviation: Double {
    (scaled(estimate.interval.upper) - scaled(estimate.interval.lower)) / (2 * Self.critical)
  }

  public var p: Double? {
    if let exactP { return exactP }
    let distance = scaled(estimate.estimate) - scaled(bound)
    guard deviation > 0 else { return distance < 0 ? 0 : 1 }
    return NormalDistribution.cumulative(distance / deviation)
  }

  public var isBeyondMargin: Bool { estimate.estimate < bound }
  public var lookedFor: Double { 2 * margin }
  public var canDrop: Bool { !isLift || bound > -1 }

  public func isShownToHold(alpha: Double) -> Bool {
    guard alpha > 0, alpha < 1, deviation > 0 else { return false }
    let distance = scaled(estimate.estimate) - scaled(bound)
    return distance / deviation > -NormalDistribution.quantile(alpha)
  }

  public func chanceToFail(drop: Double, alpha: Double, trials: Int) -> Double {
    guard alpha > 0, alpha < 1, trials > 0, self.trials > 0 else { return 0 }
    let deviation = deviation * (Double(self.trials) / Double(trials)).squareRoot()
    let distance = scaled(bound) - scaled(bound - drop)
    guard deviation > 0 else { return distance > 0 ? 1 : 0 }
    return NormalDistribution.cumulative(
      distance / deviation + NormalDistribution.quantile(alpha))
  }
}
