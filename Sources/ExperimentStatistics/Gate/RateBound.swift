/// A rate that must be at least a bound: one sample, by the one-sided score test that Wilson's
/// interval inverts. Where the bound lets expect fewer than 25 successes or failures, the test's
/// true level strays from alpha, and the exact binomial tail takes its place, for the test and for
/// the interval alike.
public struct RateBound: DropTest {
  /// How many people succeeded, of how many.
  public let sample: Proportion
  /// The smallest rate that is accepted, 0 to 1.
  public let bound: Double
  /// Half of the drop below the bound that a sample has to be able to show, in rate points.
  public let margin: Double

  /// Holds a sample against a bound; a margin below 0 counts as 0.
  public init(sample: Proportion, atLeast bound: Double, margin: Double) {
    self.sample = sample
    self.bound = bound
    self.margin = max(0, margin)
  }

  /// The one-sided p-value of "the rate is the bound" against "it is below"; `nil` without trials.
  public var p: Double? {
    sample.trials > 0 ? p(sample.successes, sample.trials) : nil
  }

  /// Whether the sample's rate lies below the bound: a bound has no margin of its own.
  public var isBeyondMargin: Bool { (sample.estimate ?? bound) < bound - 1e-12 }
  /// Twice the margin, in rate points.
  public var lookedFor: Double { 2 * margin }
  /// How many people the sample has.
  public var trials: Int { sample.trials }
  /// Whether the bound lies above 0, below which no rate can be.
  public var canDrop: Bool { bound > 0 }

  /// The one-sided interval lies at or above the bound.
  public func isShownToHold(alpha: Double) -> Bool {
    guard sample.trials > 0 else { return false }
    if bound <= 0 { return true }
    return interval(level: 1 - 2 * alpha).map { $0.lower >= bound } ?? false
  }

  /// The rates that the test of this bound does not reject: Wilson's interval, or Clopper and
  /// Pearson's where the exact tail decides. An interval below the bound fails, one above it is
  /// shown to hold.
  public func interval(level: Double) -> Interval? {
    isExact(sample.trials)
      ? ProportionIntervals.clopperPearson(sample, level: level).value
      : ProportionIntervals.wilson(sample, level: level).value
  }

  /// The exact chance as a binomial sum where that is short enough, else the normal limit.
  public func chanceToFail(drop: Double, alpha: Double, trials: Int) -> Double {
    guard alpha > 0, alpha < 1, trials > 0 else { return 0 }
    let rate = min(1, max(0, bound - drop))
    guard let window = BinomialWindow(trials: trials, share: rate) else {
      let n = Double(trials)
      let border = -NormalDistribution.quantile(alpha) * (bound * (1 - bound) / n).squareRoot()
      let deviation = (rate * (1 - rate) / n).squareRoot()
      guard deviation > 0 else { return bound - rate > border ? 1 : 0 }
      return NormalDistribution.cumulative((bound - rate - border) / deviation)
    }
    // p rises with the count: the failing counts are those below a border.
    var (low, high) = (window.first, window.first + window.chances.count)
    while low < high {
      let middle = (low + high) / 2
      if p(middle, trials) < alpha { low = middle + 1 } else { high = middle }
    }
    return window.atMost(low - 1)
  }

  /// Whether the bound lets expect too few successes or failures for the score test.
  private func isExact(_ trials: Int) -> Bool { Double(trials) * min(bound, 1 - bound) < 25 }

  private func p(_ successes: Int, _ trials: Int) -> Double {
    let n = Double(trials)
    guard bound > 0 else { return 1 }
    guard bound < 1 else { return successes < trials ? 0 : 1 }
    if isExact(trials) {
      return BinomialWindow(trials: trials, share: bound)?.atMost(successes) ?? 1
    }
    let deviation = (bound * (1 - bound) / n).squareRoot()
    return NormalDistribution.cumulative((Double(successes) / n - bound) / deviation)
  }
}
