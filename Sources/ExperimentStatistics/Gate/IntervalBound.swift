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
  /// The two rates that the number compares, unturned, where their score test decides; nil where
  /// there is only the interval.
  public let rates: ProportionComparison?
  /// Whether the number was turned over, as it must not be above its bound.
  public let isTurned: Bool

  public init(
    _ estimate: EstimateWithInterval, atLeast bound: Double, margin: Double, trials: Int,
    isLift: Bool, rates: ProportionComparison? = nil, isTurned: Bool = false
  ) {
    self.estimate = estimate
    self.bound = bound
    self.margin = max(0, margin)
    self.trials = trials
    self.isLift = isLift
    self.rates = rates
    self.isTurned = isTurned
  }

  private static let critical = 1.959_963_984_540_054

  private func scaled(_ value: Double) -> Double {
    isLift ? .log(onePlus: max(value, -0.999_999)) : value
  }

  private var deviation: Double {
    (scaled(estimate.interval.upper) - scaled(estimate.interval.lower)) / (2 * Self.critical)
  }

  /// The number on the other side of the turn.
  private func turned(_ value: Double) -> Double {
    if !isTurned { return value }
    return isLift ? 1 / max(1 + value, 1e-9) - 1 : -value
  }

  private var scoreTest: ScoreTest? {
    let bound = turned(bound)
    return isLift
      ? rates?.scoreTest(ofRatio: 1 + bound).value : rates?.scoreTest(ofDifference: bound).value
  }

  public var p: Double? {
    if let scoreTest { return isTurned ? scoreTest.greaterP : scoreTest.lessP }
    let distance = scaled(estimate.estimate) - scaled(bound)
    guard deviation > 0 else { return distance < 0 ? 0 : 1 }
    return NormalDistribution.cumulative(distance / deviation)
  }

  public var isBeyondMargin: Bool { estimate.estimate < bound }
  public var lookedFor: Double { 2 * margin }
  public var canDrop: Bool { !isLift || bound > -1 }

  public func isShownToHold(alpha: Double) -> Bool {
    if let scoreTest { return (isTurned ? scoreTest.lessP : scoreTest.greaterP) < alpha }
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

  /// The number, unturned, with the two-sided interval that decides at one-sided levels of
  /// (1 − level) / 2: an interval below the bound fails, one above it is shown to hold.
  public func estimate(level: Double) -> EstimateWithInterval? {
    if scoreTest != nil, let rates {
      return isLift
        ? rates.relativeLift(level: level).value : rates.difference(level: level).value
    }
    guard let critical = NormalDistribution.twoSidedCritical(level: level), deviation > 0 else {
      return nil
    }
    let ends = [-critical, critical].map { critical in
      let end = scaled(estimate.estimate) + critical * deviation
      return turned(isLift ? .expMinusOne(end) : end)
    }
    return EstimateWithInterval(
      estimate: turned(estimate.estimate),
      interval: Interval(lower: ends.min() ?? 0, upper: ends.max() ?? 0))
  }
}
