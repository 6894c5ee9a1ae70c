import RealModule

/// What a sample can show, and how large it must be to show something.
///
/// All by the normal limit of the comparison of two proportions with pooled variance under "equal"
/// and separate variances under the supposed rates: Fleiss, Levin and Paik, Statistical Methods
/// for Rates and Proportions (2003), section 4.2; Chow, Shao and Wang, Sample Size Calculations in
/// Clinical Research (2008), section 4.2. `alpha` is the false-alarm rate of the test, `power`
/// the chance to see a difference that is there.
public enum Power {
  /// Whether the test asks for any difference or for one in a direction.
  public enum Sides: Sendable, Hashable {
    /// A difference in either direction is looked for, each at half of alpha.
    case two
    /// A difference in one direction is looked for, at the whole alpha.
    case one
  }

  /// The chance that the test shows a difference between these rates.
  ///
  /// Two-sided, the chance to reject in the wrong direction counts in, as for equal rates, where
  /// the chance is alpha. One-sided it is the direction of the supposed difference. Unavailable
  /// for rates out of 0...1 (`invalidInput`), or both 0 or both 1 (`noVariation`).
  public static func chanceToShow(
    treatmentRate: Double, controlRate: Double, treatmentTrials: Int, controlTrials: Int,
    alpha: Double = 0.05, sides: Sides = .two
  ) -> Estimate<Double> {
    guard alpha > 0, alpha < 1 else { return .unavailable(.invalidLevel) }
    guard (0...1).contains(treatmentRate), (0...1).contains(controlRate) else {
      return .unavailable(.invalidInput)
    }
    guard treatmentTrials > 0, controlTrials > 0 else { return .unavailable(.emptyDenominator) }
    let design = TwoRates(
      treatment: treatmentRate, control: controlRate,
      treatmentTrials: Double(treatmentTrials), controlTrials: Double(controlTrials))
    guard design.deviationIfEqual > 0 else { return .unavailable(.noVariation) }
    return .value(design.chanceToShow(critical: critical(alpha, sides), sides: sides))
  }

  /// The nearest rate above (or below) the control's that a sample would show with the given
  /// power, as a difference and as a lift.
  public struct DetectableDifference: Sendable, Hashable {
    /// The treatment's rate minus the control's; negative for a drop.
    public let difference: Double
    /// Relative to the control's rate; nil where that is zero.
    public let relativeLift: Double?
  }

  /// The smallest rise that a sample of this size shows with the given power.
  ///
  /// Unavailable where even a rate of 1 would not be shown (`unreachable`).
  public static func smallestDetectableRise(
    controlRate: Double, treatmentTrials: Int, controlTrials: Int, alpha: Double = 0.05,
    power: Double = 0.8, sides: Sides = .two
  ) -> Estimate<DetectableDifference> {
    smallestDetectable(
      towards: 1, controlRate, treatmentTrials, controlTrials, alpha, power, sides)
  }

  /// The smallest drop that a sample of this size shows with the given power, as a negative
  /// difference. Unavailable where even a rate of 0 would not be shown (`unreachable`).
  public static func smallestDetectableDrop(
    controlRate: Double, treatmentTrials: Int, controlTrials: Int, alpha: Double = 0.05,
    power: Double = 0.8, sides: Sides = .two
  ) -> Estimate<DetectableDifference> {
    smallestDetectable(
      towards: 0, controlRate, treatmentTrials, controlTrials, alpha, power, sides)
  }

  private static func smallestDetectable(
    towards end: Double, _ controlRate: Double, _ treatmentTrials: Int, _ controlTrials: Int,
    _ alpha: Double, _ power: Double, _ sides: Sides
  ) -> Estimate<DetectableDifference> {
    guard alpha > 0, alpha < 1, power > 0, power < 1 else { return .unavailable(.invalidLevel) }
    guard (0...1).contains(controlRate) else { return .unavailable(.invalidInput) }
    guard treatmentTrials > 0, controlTrials > 0 else { return .unavailable(.emptyDenominator) }
    let critical = critical(alpha, sides)
    let reach = end - controlRate
    func excess(_ distance: Double) -> Double {
      let rates = TwoRates(
        treatment: min(1, max(0, controlRate + distance)), control: controlRate,
        treatmentTrials: Double(treatmentTrials), controlTrials: Double(controlTrials))
      return rates.chanceToShow(critical: critical, sides: sides) - power
    }
    guard reach != 0, excess(reach) >= 0 else { return .unavailable(.unreachable) }
    // Not from zero itself: there a rate of 0 or 1 has no spread and nothing to find.
    let difference = RootFinding.crossing(
      from: 1e-12 * reach, to: reach, resolution: 1e-13 * abs(reach), of: excess)
    guard excess(1e-12 * reach) < 0 else { return .unavailable(.unreachable) }
    return .value(
      DetectableDifference(
        difference: difference,
        relativeLift: controlRate > 0 && (difference / controlRate).isFinite
          ? difference / controlRate : nil))
  }

  /// How many trials each group needs.
  public struct SampleSize: Sendable, Hashable {
    /// How many the treatment needs.
    public let treatment: Int
    /// How many the control needs.
    public let control: Int

    /// Joins the sizes of both groups.
    public init(treatment: Int, control: Int) {
      self.treatment = treatment
      self.control = control
    }

    /// Both groups together.
    public var total: Int { treatment + control }
  }

  /// The trials needed to show a difference between these rates with the given power, the
  /// treatment having `treatmentPerControl` trials for each of the control's. Rounded up.
  ///
  /// Fleiss, Levin and Paik (2003), equation 4.14 without the continuity correction:
  /// n0 = (z_alpha sqrt(p q (1 + 1/r)) + z_power sqrt(p0 q0 + p1 q1 / r))^2 / (p1 - p0)^2.
  /// Unavailable for equal rates and beyond 1e18 trials (`unreachable`).
  public static func trialsNeeded(
    treatmentRate: Double, controlRate: Double, treatmentPerControl: Double = 1,
    alpha: Double = 0.05, power: Double = 0.8, sides: Sides = .two
  ) -> Estimate<SampleSize> {
    guard alpha > 0, alpha < 1, power > 0, power < 1 else { return .unavailable(.invalidLevel) }
    guard (0...1).contains(treatmentRate), (0...1).contains(controlRate),
      treatmentPerControl > 0, treatmentPerControl.isFinite
    else { return .unavailable(.invalidInput) }
    let difference = abs(treatmentRate - controlRate)
    guard difference > 0 else { return .unavailable(.unreachable) }
    let rates = TwoRates(
      treatment: treatmentRate, control: controlRate,
      treatmentTrials: treatmentPerControl, controlTrials: 1)
    let reach =
      critical(alpha, sides) * rates.deviationIfEqual
      - NormalDistribution.quantile(1 - power) * rates.deviation
    // A power so low that none are needed still takes someone in each group.
    let control = max(0, reach) / difference * (max(0, reach) / difference)
    let treatment = control * treatmentPerControl
    guard control < 1e18, treatment < 1e18 else { return .unavailable(.unreachable) }
    return .value(
      SampleSize(
        treatment: max(1, Int(clamping: treatment.rounded(.up))),
        control: max(1, Int(clamping: control.rounded(.up)))))
  }

  /// Whole days until the groups are full, when this many trials a day are split between them by
  /// their shares of all traffic. Unavailable where no traffic reaches a group (`unreachable`).
  public static func daysNeeded(
    for size: SampleSize, trialsPerDay: Double, treatmentShare: Double, controlShare: Double
  ) -> Estimate<Int> {
    guard trialsPerDay.isFinite, (0...1).contains(treatmentShare), (0...1).contains(controlShare)
    else { return .unavailable(.invalidInput) }
    guard trialsPerDay > 0, treatmentShare > 0, controlShare > 0 else {
      return .unavailable(.unreachable)
    }
    let days =
      max(
        Double(size.treatment) / treatmentShare, Double(size.control) / controlShare) / trialsPerDay
    guard days < 1e15 else { return .unavailable(.unreachable) }
    // A crumb of rounding must not cost a day.
    return .value(Int(clamping: (days * (1 - 4 * .ulpOfOne)).rounded(.up)))
  }

  private static func critical(_ alpha: Double, _ sides: Sides) -> Double {
    -NormalDistribution.quantile(sides == .two ? alpha / 2 : alpha)
  }
}
