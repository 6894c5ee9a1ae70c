/// The test of whether values of one group tend to lie above those of another.
public struct MannWhitney: Sendable, Hashable {
  /// Mann and Whitney's U of the treatment: pairs in which its value is above, ties half.
  public let statistic: Double
  /// The chance that a value of the treatment lies above one of the control, ties half:
  /// U over the number of pairs.
  public let probabilityOfGreater: Double
  /// Two-sided p-value.
  public let pValue: Double

  /// Mann and Whitney (Annals of Mathematical Statistics 18, 1947) with the normal limit, the
  /// variance corrected for ties (Hollander, Wolfe and Chicken, Nonparametric Statistical
  /// Methods, 2014, equations 4.13 and 4.14) and a continuity correction of one half.
  ///
  /// Unavailable when a group is empty (`emptyDenominator`) or all values are the same
  /// (`noVariation`).
  public static func test(
    treatment: ValueCounts, control: ValueCounts
  ) -> Estimate<MannWhitney> {
    guard treatment.total > 0, control.total > 0 else {
      return .unavailable(.emptyDenominator)
    }
    let (n1, n0) = (Double(treatment.total), Double(control.total))
    let total = n1 + n0
    var statistic = 0.0
    var tieShare = 0.0
    var below = 0.0
    forEachTie(treatment, control) { inTreatment, inControl in
      statistic += inTreatment * (below + inControl / 2)
      below += inControl
      // The sum of (t^3 - t) / (N^3 - N), in shares so that no cube grows out of range.
      let tied = inTreatment + inControl
      tieShare += (tied / total) * ((tied - 1) / max(1, total - 1)) * ((tied + 1) / (total + 1))
    }
    let pairs = n1 * n0
    let variance = pairs / 12 * (total + 1) * (1 - tieShare)
    // Groups that hold one value between them leave a rounding crumb.
    guard 1 - tieShare > 1e-13 else { return .unavailable(.noVariation) }
    let distance = max(0, abs(statistic - pairs / 2) - 0.5)
    let z = distance / variance.squareRoot()
    return .value(
      MannWhitney(
        statistic: statistic, probabilityOfGreater: min(1, statistic / pairs),
        pValue: min(1, 2 * NormalDistribution.survival(z))))
  }

  /// Walks the distinct values of both groups upwards with how often each has them.
  private static func forEachTie(
    _ treatment: ValueCounts, _ control: ValueCounts, _ body: (Double, Double) -> Void
  ) {
    var (i, j) = (0, 0)
    while i < treatment.values.count || j < control.values.count {
      let first = i < treatment.values.count ? treatment.values[i] : .infinity
      let second = j < control.values.count ? control.values[j] : .infinity
      var (inTreatment, inControl) = (0.0, 0.0)
      if first <= second {
        inTreatment = Double(treatment.cumulative[i] - (i > 0 ? treatment.cumulative[i - 1] : 0))
        i += 1
      }
      if second <= first {
        inControl = Double(control.cumulative[j] - (j > 0 ? control.cumulative[j - 1] : 0))
        j += 1
      }
      body(inTreatment, inControl)
    }
  }
}
