/// A quantile of durations that must not lie above a value: a fixed one, or the same quantile of a
/// reference sample, of which only the value and the number of observations are needed.
///
/// Half of the observations lie above their median; so if more than half of them lie above another
/// sample's median, theirs is higher. The share above is compared with what it should be, and the
/// reference's quantile, being drawn too, adds its part of the variance: Mathisen's test in its
/// normal limit (Annals of Mathematical Statistics 14, 1943; Gibbons and Chakraborti,
/// Nonparametric Statistical Inference, 2011, section 6.5). Observations in the reference value's
/// own bucket count as not above, which favours passing. Durations count upwards, so here a rise
/// is what `DropTest` calls a drop. What a rise would do to the share above is read off the
/// sample's own shape, stretched.
public struct QuantileRise: DropTest {
  public let sample: ValueCounts
  /// 0.9 for the 90th percentile.
  public let share: Double
  /// The value that the quantile must not lie above.
  public let limit: Double
  /// How many observations the limit was drawn from; nil for a fixed one.
  public let referenceTrials: Int?
  /// In the values' unit.
  public let margin: Double

  public init(
    sample: ValueCounts, share: Double, limit: Double, referenceTrials: Int?, margin: Double
  ) {
    self.sample = sample
    self.share = min(max(share, 0.001), 0.999)
    self.limit = limit
    self.referenceTrials = referenceTrials
    self.margin = max(0, margin)
  }

  /// The sample's own quantile.
  public var estimate: Double? {
    sample.value(atRank: Int(clamping: (share * Double(trials) * (1 - 1e-15)).rounded(.up)))
  }

  public var trials: Int { sample.total }
  public var lookedFor: Double { 2 * margin }
  public var canDrop: Bool { limit > 0 }

  public var p: Double? {
    guard trials > 0, referenceTrials != 0 else { return nil }
    return risenP(sample.count(above: limit))
  }

  public var isBeyondMargin: Bool {
    guard let estimate else { return false }
    return referenceTrials == nil ? estimate > limit : estimate - limit > margin + 1e-9
  }

  public func withReference(trials: Int) -> QuantileRise? {
    referenceTrials.map { _ in
      QuantileRise(
        sample: sample, share: share, limit: limit, referenceTrials: trials, margin: margin)
    }
  }

  /// Fewer lie above the limit, or above the reference's quantile and the margin, than would if the
  /// quantile were that high.
  public func isShownToHold(alpha: Double) -> Bool {
    guard trials > 0, referenceTrials != 0, alpha > 0, alpha < 1 else { return false }
    let border = referenceTrials == nil ? limit : limit + margin
    return fallenP(sample.count(above: border)) < alpha
  }

  /// The limits that the test does not reject at this two-sided level, each tested as `limit` is,
  /// with the reference's variance: the quantile is shown to be above a limit below them, and not
  /// to be above one beyond them. Nil where they have no upper end: too few observations.
  public func interval(level: Double) -> Interval? {
    let alpha = (1 - level) / 2
    guard trials > 0, referenceTrials != 0, alpha > 0, alpha < 0.5, let estimate,
      let upper = firstValue(where: { fallenP($0) < alpha })
    else { return nil }
    // Durations end at 0: so does what not even all observations together reject.
    let lower = risenP(trials) < alpha ? firstValue { risenP($0) >= alpha } ?? 0 : 0
    return Interval(lower: min(lower, estimate), upper: max(upper, estimate))
  }

  /// The smallest value of the sample such that the number of observations above it will do; if one
  /// does, then so do all smaller numbers.
  private func firstValue(where suffices: (_ above: Int) -> Bool) -> Double? {
    var (low, high) = (0, sample.values.count)
    while low < high {
      let middle = (low + high) / 2
      let above = sample.total - sample.cumulative[middle]
      if suffices(above) { high = middle } else { low = middle + 1 }
    }
    return low < sample.values.count ? sample.values[low] : nil
  }

  /// A fixed limit above which few are expected is tested by the exact binomial tail.
  private var isExact: Bool {
    referenceTrials == nil && Double(trials) * min(share, 1 - share) < 25
  }

  /// The chance of so many observations or more above a value that is the quantile.
  private func risenP(_ above: Int) -> Double {
    if isExact, let window = BinomialWindow(trials: trials, share: 1 - share) {
      return max(0, 1 - window.atMost(above - 1))
    }
    return NormalDistribution.survival(excess(above) / deviationIfEqual(trials))
  }

  /// The chance of so few observations or fewer.
  private func fallenP(_ above: Int) -> Double {
    if isExact, let window = BinomialWindow(trials: trials, share: 1 - share) {
      return window.atMost(above)
    }
    return NormalDistribution.cumulative(excess(above) / deviationIfEqual(trials))
  }

  private func excess(_ above: Int) -> Double { Double(above) / Double(trials) - (1 - share) }

  public func chanceToFail(drop: Double, alpha: Double, trials: Int) -> Double {
    guard alpha > 0, alpha < 1, trials > 0, let estimate, estimate > 0 else { return 0 }
    let stretch = (limit + drop) / estimate
    let border = -NormalDistribution.quantile(alpha) * deviationIfEqual(trials)
    let shown = chance(above: limit, stretch, trials, beyond: 1 - share + border)
    if referenceTrials == nil { return shown }
    return min(shown, chance(above: limit + margin, stretch, trials, beyond: 1 - share))
  }

  /// The chance that more than a share of stretched observations lie above a value.
  private func chance(
    above value: Double, _ stretch: Double, _ trials: Int, beyond border: Double
  ) -> Double {
    guard stretch > 0 else { return 0 }
    let above = Double(sample.count(above: value / stretch)) / Double(max(1, sample.total))
    let variance =
      above * (1 - above) / Double(trials)
      + (referenceTrials.map { share * (1 - share) / Double(max(1, $0)) } ?? 0)
    guard variance > 0 else { return above > border ? 1 : 0 }
    return NormalDistribution.cumulative((above - border) / variance.squareRoot())
  }

  private func deviationIfEqual(_ trials: Int) -> Double {
    let inverse = 1 / Double(trials) + (referenceTrials.map { 1 / Double(max(1, $0)) } ?? 0)
    return (share * (1 - share) * inverse).squareRoot()
  }
}

extension ValueCounts {
  /// How many observations lie above a value.
  public func count(above value: Double) -> Int {
    var (low, high) = (0, values.count)
    while low < high {
      let middle = (low + high) / 2
      if values[middle] <= value { low = middle + 1 } else { high = middle }
    }
    return total - (low > 0 ? cumulative[low - 1] : 0)
  }
}
