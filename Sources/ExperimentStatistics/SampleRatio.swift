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
    let degrees = observed.count - 1
    return .value(
      ChiSquareTest(
        statistic: statistic, degreesOfFreedom: degrees,
        pValue: ChiSquareDistribution.survival(statistic, degreesOfFreedom: degrees)))
  }
}
