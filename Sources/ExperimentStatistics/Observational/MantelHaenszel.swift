import RealModule

/// A ratio of proportions held apart by strata, so that differences between strata do not pass
/// for differences between groups.
public enum MantelHaenszel {
  /// The pooled ratio treatment / control over the strata, with its interval.
  ///
  /// Mantel and Haenszel's estimator in the form for risk ratios, and the interval of its
  /// logarithm by Greenland and Robins, "Estimation of a common effect parameter from sparse
  /// follow-up data" (Biometrics 41, 1985), equations 4 and 13. Strata in which a group has no
  /// trials carry no information and are passed over. Subtract 1 for the lift.
  ///
  /// Unavailable when no stratum is left (`emptyDenominator`), when the control has no success
  /// in any (`zeroControl`), the treatment has none, or the strata say next to nothing
  /// (`tooFew`: the logarithm has no interval).
  public static func riskRatio(
    strata: [ProportionComparison], level: Double = 0.95
  ) -> Estimate<EstimateWithInterval> {
    guard let critical = NormalDistribution.twoSidedCritical(level: level) else {
      return .unavailable(.invalidLevel)
    }
    var treatmentSum = 0.0
    var controlSum = 0.0
    var varianceSum = 0.0
    for stratum in strata where stratum.treatment.trials > 0 && stratum.control.trials > 0 {
      let (x1, x0) = (Double(stratum.treatment.successes), Double(stratum.control.successes))
      let (n1, n0) = (Double(stratum.treatment.trials), Double(stratum.control.trials))
      let total = n1 + n0
      treatmentSum += x1 * (n0 / total)
      controlSum += x0 * (n1 / total)
      // (m n1 n0 - x1 x0 N) / N^2, with nothing that can overflow.
      varianceSum += (x1 + x0) * (n1 / total) * (n0 / total) - x1 * (x0 / total)
    }
    guard treatmentSum + controlSum > 0 || strata.contains(where: { $0.isFilled }) else {
      return .unavailable(.emptyDenominator)
    }
    guard controlSum > 0 else { return .unavailable(.zeroControl) }
    guard treatmentSum > 0 else { return .unavailable(.tooFew) }
    let ratio = treatmentSum / controlSum
    let deviation = (max(0, varianceSum) / treatmentSum / controlSum).squareRoot()
    // A handful of successes against huge groups: the interval would span all numbers there are.
    guard critical * deviation < 300 else { return .unavailable(.tooFew) }
    let factor = Double.exp(critical * deviation)
    return .value(
      EstimateWithInterval(
        estimate: ratio, interval: Interval(lower: ratio / factor, upper: ratio * factor)))
  }
}

extension ProportionComparison {
  /// Whether both groups have trials.
  fileprivate var isFilled: Bool { treatment.trials > 0 && control.trials > 0 }
}
