/// The check that observed group sizes fit the split that was meant.
public enum SampleRatio {
  /// Pearson's chi-square of the group sizes against their expected shares (Pearson,
  /// Philosophical Magazine 50, 1900; for experiments Fabijan et al., KDD 2019, section 3).
  ///
  /// Shares are weights: they need not sum to 1, but each must be above zero. Negative counts
  /// count as none. Unavailable when the lengths differ or a share is not positive
  /// (`invalidInput`), for fewer than two groups (`tooFew`), or when nobody was observed
  /// (`emptyDenominator`).
  public static func test(
    observed: [Int], expectedShares: [Double]
  ) -> Estimate<ChiSquareTest> {
    statistic(observed: observed, expectedShares: expectedShares).map {
      ChiSquareTest(statistic: $0, degreesOfFreedom: observed.count - 1)
    }
  }

  /// The test of a split that changed: the periods' chi-squares and their degrees of freedom add
  /// up, as those of independent samples do. Periods in which nobody was observed say nothing.
  ///
  /// - Parameters:
  ///   - periods: group sizes by period; `expectedShares` likewise.
  public static func test(
    periods: [[Int]], expectedShares: [[Double]]
  ) -> Estimate<ChiSquareTest> {
    guard periods.count == expectedShares.count else { return .unavailable(.invalidInput) }
    let seen = zip(periods, expectedShares).filter { $0.0.contains { $0 > 0 } }
    guard !seen.isEmpty else { return .unavailable(.emptyDenominator) }
    var sum = 0.0
    var degrees = 0
    for (observed, shares) in seen {
      switch statistic(observed: observed, expectedShares: shares) {
      case .unavailable(let reason): return .unavailable(reason)
      case .value(let statistic):
        sum += statistic
        degrees += observed.count - 1
      }
    }
    return .value(ChiSquareTest(statistic: sum, degreesOfFreedom: degrees))
  }

  private static func statistic(
    observed: [Int], expectedShares: [Double]
  ) -> Estimate<Double> {
    guard observed.count == expectedShares.count,
      expectedShares.allSatisfy({ $0 > 0 && $0.isFinite })
    else { return .unavailable(.invalidInput) }
    guard observed.count >= 2 else { return .unavailable(.tooFew) }
    let counts = observed.map { Double(max(0, $0)) }
    let total = counts.reduce(0, +)
    guard total > 0 else { return .unavailable(.emptyDenominator) }
    // Scaled by the largest, so that weights near the end of the range can't overflow the sum.
    let largest = expectedShares.max() ?? 1
    let weights = expectedShares.map { $0 / largest }
    let weightSum = weights.reduce(0, +)
    var statistic = 0.0
    for (count, weight) in zip(counts, weights) {
      let expected = total * (weight / weightSum)
      guard expected > 0 else { return .unavailable(.invalidInput) }
      statistic += (count - expected) * ((count - expected) / expected)
    }
    guard statistic.isFinite else { return .unavailable(.invalidInput) }
    return .value(statistic)
  }
}
