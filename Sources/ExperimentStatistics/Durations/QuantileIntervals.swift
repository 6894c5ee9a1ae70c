/// Intervals for quantiles that suppose nothing of the distribution: their bounds are
/// observations.
public enum QuantileIntervals {
  /// The quantile of a share (0.5 for the median), with its interval.
  ///
  /// The estimate is the smallest observation that at least that share of observations do not
  /// exceed. The bounds are the observations of the widest ranks whose binomial tails are at
  /// most half of `1 - level` each, so the level is held for every distribution, also with ties
  /// (David and Nagaraja, Order Statistics, 2003, section 7.1; Conover, Practical Nonparametric
  /// Statistics, 1999, section 3.2).
  ///
  /// Unavailable without observations, and where there are too few for a bound to exist
  /// (`tooFew`): a 95 % interval of the median takes 6, of p90 takes 36, of p99 takes 368.
  public static func quantile(
    _ share: Double, of counts: ValueCounts, level: Double = 0.95
  ) -> Estimate<EstimateWithInterval> {
    guard level > 0, level < 1 else { return .unavailable(.invalidLevel) }
    guard share > 0, share < 1 else { return .unavailable(.invalidInput) }
    let total = Double(counts.total)
    guard total > 0 else { return .unavailable(.emptyDenominator) }
    let tail = (1 - level) / 2
    // P(rank r lies above the quantile) = P(X <= r - 1), X the number at or below it.
    let lower = smallestCount(total, share) { $0.lower > tail }
    let upper = smallestCount(total, share) { $0.upper <= tail } + 1
    guard lower >= 1, upper <= total else { return .unavailable(.tooFew) }
    // A crumb is taken off so that 0.57 of 100 is rank 57, not 58.
    let rank = (share * total * (1 - 4 * .ulpOfOne)).rounded(.up)
    guard let estimate = counts.value(atRank: Int(clamping: rank)),
      let lowest = counts.value(atRank: Int(clamping: lower)),
      let highest = counts.value(atRank: Int(clamping: upper))
    else { return .unavailable(.emptyDenominator) }
    return .value(
      EstimateWithInterval(
        estimate: estimate,
        interval: Interval(lower: min(lowest, estimate), upper: max(highest, estimate))))
  }

  /// The treatment's quantile minus the control's, with an interval made of the two quantiles'
  /// own: each side is the root of the summed squares of the distances to the bounds (Zou and
  /// Donner, "Construction of confidence limits about effect measures: a general approach",
  /// Statistics in Medicine 27, 2008, equation 8). As the ranks are whole it is a little wide: two
  /// equal exponential groups of 200 differ at 3 % (median) and 2 % (p90) of trials, of 5000 at
  /// 5 % and 4 %. Unavailable where either quantile is.
  public static func difference(
    _ share: Double, treatment: ValueCounts, control: ValueCounts, level: Double = 0.95
  ) -> Estimate<EstimateWithInterval> {
    switch (
      quantile(share, of: treatment, level: level), quantile(share, of: control, level: level)
    ) {
    case (.unavailable(let reason), _), (_, .unavailable(let reason)):
      return .unavailable(reason)
    case (.value(let treatment), .value(let control)):
      let estimate = treatment.estimate - control.estimate
      let below = length(
        treatment.estimate - treatment.interval.lower, control.interval.upper - control.estimate)
      let above = length(
        treatment.interval.upper - treatment.estimate, control.estimate - control.interval.lower)
      guard (estimate - below).isFinite, (estimate + above).isFinite else {
        return .unavailable(.invalidInput)
      }
      return .value(
        EstimateWithInterval(
          estimate: estimate,
          interval: Interval(lower: estimate - below, upper: estimate + above)))
    }
  }

  /// sqrt(a^2 + b^2) without overflow.
  private static func length(_ a: Double, _ b: Double) -> Double {
    let largest = max(a, b)
    guard largest > 0 else { return 0 }
    return largest * ((a / largest) * (a / largest) + (b / largest) * (b / largest)).squareRoot()
  }

  /// The smallest count at which a condition on the binomial tails holds, which holds for all
  /// larger counts too.
  private static func smallestCount(
    _ trials: Double, _ share: Double,
    where condition: ((lower: Double, upper: Double)) -> Bool
  ) -> Double {
    func holds(_ count: Double) -> Bool {
      condition(BinomialDistribution.tails(count, trials: trials, share: share))
    }
    // Outwards from the middle in growing steps, then halving.
    let mean = (trials * share).rounded(.down)
    var step = max(1, (trials * share * (1 - share)).squareRoot().rounded(.up))
    var low = mean
    var high = mean
    while low >= 0, holds(low) {
      high = low
      low -= step
      step *= 2
    }
    while high < trials, !holds(high) {
      low = high
      high += step
      step *= 2
    }
    low = max(low, -1)
    high = min(high, trials)
    while high - low > 1 {
      let middle = ((low + high) / 2).rounded(.down)
      guard middle > low, middle < high else { break }
      if holds(middle) { high = middle } else { low = middle }
    }
    return high
  }
}

extension Int {
  /// The nearest integer that an Int holds; a NaN is 0.
  init(clamping value: Double) {
    if value.isNaN {
      self = 0
    } else if value >= 9.2e18 {
      self = .max
    } else if value <= -9.2e18 {
      self = .min
    } else {
      self = Int(value)
    }
  }
}
