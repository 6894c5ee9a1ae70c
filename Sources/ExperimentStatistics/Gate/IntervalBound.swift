import RealModule

/// A number that was derived from others, such as a lift, that must be at least a bound.
///
/// A lift or difference of two rates is judged by their score test, within the periods of one split
/// where it changed; of an experiment that is looked at every day, by its confidence sequence. Any
/// other number is judged by the interval it comes with, in the normal limit; a lift by the
/// logarithm of its ratio.
public struct IntervalBound: DropTest {
  /// The number with its two-sided interval at 95 %.
  public let estimate: EstimateWithInterval
  /// The smallest value that the number may have, on the side of the turn that is tested.
  public let bound: Double
  /// Half of the drop below the bound that a sample has to be able to show, in the number's unit.
  public let margin: Double
  /// How many people the number rests on, by which its deviation is scaled to other samples.
  public let trials: Int
  /// Whether the numbers are relative lifts.
  public let isLift: Bool
  /// The rates that the number compares, unturned; nil where there is only the interval.
  public let comparison: StratifiedComparison?
  /// Of an experiment that is looked at every day; nil for a single look.
  public let tuning: SequentialTuning?
  /// Whether the number was turned over, as it must not be above its bound.
  public let isTurned: Bool
  /// The share of alpha that the rates' test may spend (``AlphaSpending``).
  public let alphaShare: Double

  /// Takes the number as it is tested, turned over if `isTurned`; a margin below 0 counts as 0.
  public init(
    _ estimate: EstimateWithInterval, atLeast bound: Double, margin: Double, trials: Int,
    isLift: Bool, comparison: StratifiedComparison?, tuning: SequentialTuning? = nil,
    isTurned: Bool = false, alphaShare: Double = 1
  ) {
    self.estimate = estimate
    self.bound = bound
    self.margin = max(0, margin)
    self.trials = trials
    self.isLift = isLift
    self.comparison = comparison
    self.tuning = tuning
    self.isTurned = isTurned
    self.alphaShare = alphaShare
  }

  /// Of two groups that are one stratum.
  public init(
    _ estimate: EstimateWithInterval, atLeast bound: Double, margin: Double, trials: Int,
    isLift: Bool, rates: ProportionComparison? = nil, isTurned: Bool = false
  ) {
    self.init(
      estimate, atLeast: bound, margin: margin, trials: trials, isLift: isLift,
      comparison: rates.map { StratifiedComparison(strata: [$0]) }, isTurned: isTurned)
  }

  private static let critical = 1.959_963_984_540_054
  /// Logarithms of ratios are kept within these: at an end of the scale there is no distance.
  private static let smallestLift = -0.999_999
  private static let largestLift = 999_999.0

  private func scaled(_ value: Double) -> Double {
    isLift ? .log(onePlus: min(Self.largestLift, max(value, Self.smallestLift))) : value
  }

  /// The standard deviation on the scale of the judgement. An interval that ends where the scale
  /// does, as that of a lift at -100 %, was cut there: only its other half is a distance.
  private var deviation: Double {
    if let ofRates { return ofRates }
    let interval = estimate.interval
    let middle = scaled(estimate.estimate)
    let halves = (middle - scaled(interval.lower), scaled(interval.upper) - middle)
    if isLift, interval.lower <= Self.smallestLift { return halves.1 / Self.critical }
    if isLift, interval.upper >= Self.largestLift { return halves.0 / Self.critical }
    return (halves.0 + halves.1) / (2 * Self.critical)
  }

  /// Of the sequence the interval says nothing of the deviation: it is wider than one look's.
  private var ofRates: Double? {
    guard tuning != nil, let score = comparison?.score else { return nil }
    let (treatment, control) = (score.treatmentVariance, score.controlVariance)
    guard isLift else { return (treatment + control).squareRoot() }
    guard score.treatmentRate > 0, score.controlRate > 0 else { return nil }
    return
      (treatment / (score.treatmentRate * score.treatmentRate)
      + control / (score.controlRate * score.controlRate)).squareRoot()
  }

  /// The number on the other side of the turn.
  private func turned(_ value: Double) -> Double {
    if !isTurned { return value }
    return isLift ? 1 / max(1 + value, 1e-9) - 1 : -value
  }

  /// The one-sided p-values of "it is the bound", unturned, before they are divided by the share.
  private var tested: (lessP: Double, greaterP: Double)? {
    guard let comparison else { return nil }
    let bound = turned(bound)
    guard let tuning else {
      let test =
        isLift
        ? comparison.scoreTest(ofRatio: 1 + bound) : comparison.scoreTest(ofDifference: bound)
      return test.value.map { ($0.lessP, $0.greaterP) }
    }
    let test =
      isLift
      ? ConfidenceSequence.test(comparison, ofRatio: 1 + bound, tuning: tuning)
      : ConfidenceSequence.test(comparison, ofDifference: bound, tuning: tuning)
    // Too few for the sequence: nothing may be shown yet.
    return test.value.map { ($0.lessP, $0.greaterP) } ?? (1, 1)
  }

  /// The one-sided p-value of "it is the bound" against "it is below"; never `nil`.
  public var p: Double? {
    if let tested { return min(1, (isTurned ? tested.greaterP : tested.lessP) / alphaShare) }
    let distance = scaled(estimate.estimate) - scaled(bound)
    guard deviation > 0 else { return distance < 0 ? 0 : 1 }
    return NormalDistribution.cumulative(distance / deviation)
  }

  /// Whether the estimate lies below the bound: a bound has no margin of its own.
  public var isBeyondMargin: Bool { estimate.estimate < bound }
  /// Twice the margin, in the number's unit.
  public var lookedFor: Double { 2 * margin }
  /// Whether the number can lie below the bound: a lift can't be under -1.
  public var canDrop: Bool { !isLift || bound > -1 }

  /// Whether the number is shown, at this one-sided level, to lie above the bound.
  public func isShownToHold(alpha: Double) -> Bool {
    if let tested { return (isTurned ? tested.lessP : tested.greaterP) < alpha * alphaShare }
    guard alpha > 0, alpha < 1, deviation > 0 else { return false }
    let distance = scaled(estimate.estimate) - scaled(bound)
    return distance / deviation > -NormalDistribution.quantile(alpha)
  }

  /// The chance in the normal limit, on the scale of the test, with so many trials' deviation.
  public func chanceToFail(drop: Double, alpha: Double, trials: Int) -> Double {
    guard alpha > 0, alpha < 1, trials > 0, self.trials > 0 else { return 0 }
    let alpha = alpha * alphaShare
    let deviation = deviation * (Double(self.trials) / Double(trials)).squareRoot()
    let distance = scaled(bound) - scaled(bound - drop)
    let critical =
      tuning.map { tuning in
        ConfidenceSequence.squaredHalfWidth(
          trials: Double(trials), alpha: min(1, 2 * alpha), tuning
        ).squareRoot()
      } ?? -NormalDistribution.quantile(alpha)
    guard deviation > 0 else { return distance > 0 ? 1 : 0 }
    return NormalDistribution.cumulative(distance / deviation - critical)
  }

  /// The number, unturned, with the two-sided interval that decides at one-sided levels of
  /// (1 − level) / 2: an interval below the bound fails, one above it is shown to hold.
  public func estimate(level: Double) -> EstimateWithInterval? {
    if tested != nil, let comparison {
      let level = 1 - (1 - level) * alphaShare
      if let tuning {
        return isLift
          ? ConfidenceSequence.relativeLift(comparison, level: level, tuning: tuning).value
          : ConfidenceSequence.difference(comparison, level: level, tuning: tuning).value
      }
      return isLift
        ? comparison.relativeLift(level: level).value : comparison.difference(level: level).value
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
