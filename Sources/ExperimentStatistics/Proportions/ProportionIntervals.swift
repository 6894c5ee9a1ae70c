/// Two-sided intervals for one proportion.
public enum ProportionIntervals {
  /// Wilson's score interval: the proportions that a score test does not reject.
  ///
  /// Wilson, "Probable inference, the law of succession, and statistical inference" (JASA 22,
  /// 1927); in the form of Agresti and Coull (The American Statistician 52, 1998), equation 2.
  /// Unavailable without trials, and for a level that is not between 0 and 1.
  public static func wilson(
    _ proportion: Proportion, level: Double = 0.95
  ) -> Estimate<Interval> {
    guard let z = NormalDistribution.twoSidedCritical(level: level) else {
      return .unavailable(.invalidLevel)
    }
    guard let p = proportion.estimate, let q = proportion.complement else {
      return .unavailable(.emptyDenominator)
    }
    let trials = Double(proportion.trials)
    let square = z * z / trials
    let scale = 1 + square
    let centre = (p + square / 2) / scale
    let half = (square * (p * q + square / 4)).squareRoot() / scale
    // At the ends the bound is 0 or 1 exactly; the formula would leave a rounding crumb.
    return .value(
      Interval(
        lower: proportion.successes == 0 ? 0 : max(0, centre - half),
        upper: proportion.failures == 0 ? 1 : min(1, centre + half)))
  }

  /// Clopper and Pearson's interval, which never covers less than the level, and so mostly more.
  ///
  /// Clopper and Pearson, Biometrika 26 (1934); by beta quantiles as in Brown, Cai and DasGupta
  /// (Statistical Science 16, 2001), equation 4. Unavailable as ``wilson(_:level:)`` is.
  public static func clopperPearson(
    _ proportion: Proportion, level: Double = 0.95
  ) -> Estimate<Interval> {
    guard level > 0, level < 1 else { return .unavailable(.invalidLevel) }
    guard proportion.trials > 0 else { return .unavailable(.emptyDenominator) }
    let tail = (1 - level) / 2
    let successes = Double(proportion.successes)
    let failures = Double(proportion.failures)
    let lower =
      proportion.successes == 0
      ? 0
      : BetaDistribution(alpha: successes, beta: failures + 1)
        .quantile(lower: tail, upper: 1 - tail)
    let upper =
      proportion.failures == 0
      ? 1
      : BetaDistribution(alpha: successes + 1, beta: failures)
        .quantile(lower: 1 - tail, upper: tail)
    // Around 10^18 trials a narrow interval's bounds differ by less than their last digits.
    return .value(Interval(lower: min(lower, upper), upper: max(lower, upper)))
  }
}
