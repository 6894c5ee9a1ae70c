/// A quantile of durations that must not lie above a value: a fixed one, or the same quantile of a
/// reference sample, of which only the value and the number of observations are needed.
///
/// Half of the observations lie above their median; so if more than half of them lie above another
/// sample's median, theirs is higher. How many lie above a reference's quantile, which was drawn
/// too, has an exact distribution whatever the shape of the durations (``ExceedanceDistribution``):
/// Mathisen's test (Annals of Mathematical Statistics 14, 1943; Gibbons and Chakraborti,
/// Nonparametric Statistical Inference, 2011, section 6.5), for any quantile. The normal limit is
/// no replacement: at 120 observations a side it fails 9 % of healthy runs at the 90th percentile
/// and 19 % at the 99th in place of 5 %. Durations are rounded to buckets, and what is equal to
/// the limit counts against the claim that is tested: as not above where a rise is to be shown, and
/// as above a reference's where it is to be excluded. So ties cost power and never the level.
///
/// Durations count upwards, so here a rise is what `DropTest` calls a drop. What a rise would do to
/// the share above is read off the sample's own shape, stretched.
public struct QuantileRise: DropTest {
  /// The durations whose quantile is tested, in the unit of ``limit``.
  public let sample: ValueCounts
  /// 0.9 for the 90th percentile.
  public let share: Double
  /// The value that the quantile must not lie above.
  public let limit: Double
  /// How many observations the limit was drawn from; nil for a fixed one.
  public let referenceTrials: Int?
  /// How much higher than a reference's the quantile may be, in the values' unit.
  public let margin: Double

  /// Holds the share between 0.001 and 0.999, and the margin at 0 or above.
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
    sample.value(atRank: rank(among: trials))
  }

  /// How many durations the sample has.
  public var trials: Int { sample.total }
  /// Twice the margin, in the values' unit.
  public var lookedFor: Double { 2 * margin }
  /// Whether the limit lies above 0; with one at 0 no chance of a failure is known beforehand.
  public var canDrop: Bool { limit > 0 }
  /// Never so: durations may lie above any limit, and above 0 as well.
  public var asksForNothing: Bool { false }

  /// The exact one-sided p-value of a rise (normal for large samples against a fixed limit); `nil`
  /// without observations on a side.
  public var p: Double? {
    guard trials > 0, referenceTrials != 0 else { return nil }
    return risenP(sample.count(above: limit))
  }

  /// Whether the sample's quantile exceeds a fixed limit, or a reference's by more than the margin.
  public var isBeyondMargin: Bool {
    guard let estimate else { return false }
    return referenceTrials == nil ? estimate > limit : estimate - limit > margin + 1e-9
  }

  /// This test with a reference of so many observations; `nil` for a fixed limit.
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
    if referenceTrials == nil { return fallenP(sample.count(above: limit)) < alpha }
    return fallenP(sample.count(atOrAbove: limit + margin)) < alpha
  }

  /// The limits that the test does not reject at this two-sided level, each tested as `limit` is,
  /// as the quantile of ``referenceTrials`` others: the quantile is shown to be above a limit below
  /// them, and not to be above one beyond them. Nil where they have no upper end: too few
  /// observations.
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
  private func isExact(_ trials: Int) -> Bool {
    referenceTrials == nil && Double(trials) * min(share, 1 - share) < 25
  }

  /// The chance of so many observations or more above a value that is the quantile.
  private func risenP(_ above: Int) -> Double { risenP(above, trials: trials) }

  func risenP(_ above: Int, trials: Int) -> Double {
    if let referenceTrials {
      return ExceedanceDistribution(observations: trials, others: referenceTrials, share: share)
        .atLeast(above)
    }
    if isExact(trials), let window = BinomialWindow(trials: trials, share: 1 - share) {
      return max(0, 1 - window.atMost(above - 1))
    }
    return NormalDistribution.survival(excess(above, trials))
  }

  /// The chance of so few observations or fewer.
  private func fallenP(_ above: Int) -> Double { fallenP(above, trials: trials) }

  func fallenP(_ above: Int, trials: Int) -> Double {
    if let referenceTrials {
      return ExceedanceDistribution(observations: trials, others: referenceTrials, share: share)
        .atMost(above)
    }
    if isExact(trials), let window = BinomialWindow(trials: trials, share: 1 - share) {
      return window.atMost(above)
    }
    return NormalDistribution.cumulative(excess(above, trials))
  }

  /// By how many standard deviations more lie above a fixed limit than should.
  private func excess(_ above: Int, _ trials: Int) -> Double {
    let difference = Double(above) / Double(trials) - (1 - share)
    return difference / (share * (1 - share) / Double(trials)).squareRoot()
  }

  func rank(among count: Int) -> Int { ExceedanceDistribution.rank(of: share, among: count) }
}

extension ValueCounts {
  /// How many observations are equal to a value or lie above it.
  func count(atOrAbove value: Double) -> Int { count(above: value.nextDown) }

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
