/// How strong an unmeasured common cause would have to be to explain an observed ratio away.
///
/// VanderWeele and Ding, "Sensitivity analysis in observational research: introducing the
/// E-value" (Annals of Internal Medicine 167, 2017).
public enum EValue {
  /// The risk ratio that a common cause would need with both the choice and the outcome to
  /// explain the ratio: R + sqrt(R (R - 1)), with 1 / R for ratios below 1. Never under 1.
  /// Unavailable for a ratio that is not above zero and finite, or whose E-value is not.
  public static func ofRatio(_ ratio: Double) -> Estimate<Double> {
    guard ratio > 0, ratio.isFinite else { return .unavailable(.invalidInput) }
    let away = ratio < 1 ? 1 / ratio : ratio
    guard away < 1e150 else { return .unavailable(.invalidInput) }
    return .value(away + (away * (away - 1)).squareRoot())
  }

  /// For the bound of the interval that lies nearer to 1: what it takes to move the
  /// interval so that it holds 1. It is 1 where the interval holds 1 already.
  public static func ofInterval(_ ratio: Interval) -> Estimate<Double> {
    guard ratio.lower <= ratio.upper else { return .unavailable(.invalidInput) }
    if ratio.contains(1) { return .value(1) }
    return ofRatio(ratio.lower > 1 ? ratio.lower : ratio.upper)
  }
}
