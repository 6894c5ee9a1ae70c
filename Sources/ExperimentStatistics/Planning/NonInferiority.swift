/// Whether a metric that must not suffer is no worse than a margin allows.
///
/// The relative change of the treatment against the control is held against the margin by its
/// interval: a one-sided test at level alpha in each direction reads the interval at level
/// 1 − 2 alpha (Piaggio et al., "Reporting of noninferiority and equivalence randomized trials",
/// JAMA 308, 2012). Several such metrics, all of which must hold before a variant is shipped, need
/// no adjustment: shipping one that harms any of them is a false alarm of that one test (Berger,
/// Technometrics 24, 1982; for online experiments Schultzberg, Ankargren and Frånberg,
/// arXiv 2402.11609).
public enum NonInferiority: Sendable, Hashable {
  /// Any loss is shown to be smaller than the margin.
  case withinMargin
  /// The loss is shown to be larger than the margin.
  case beyondMargin
  /// Neither is shown.
  case open

  /// Reads the interval of a relative change.
  ///
  /// - Parameters:
  ///   - change: the interval of the treatment's value over the control's, minus 1.
  ///   - margin: the largest relative loss that is accepted, above 0.
  ///   - lowerIsBetter: a rise is the loss.
  public static func of(
    _ change: Interval, margin: Double, lowerIsBetter: Bool = false
  ) -> NonInferiority {
    let (worst, best) =
      lowerIsBetter ? (-change.upper, -change.lower) : (change.lower, change.upper)
    if worst > -margin { return .withinMargin }
    return best < -margin ? .beyondMargin : .open
  }

  /// The confidence level at which the interval is to be read. An always-valid sequence is read at
  /// 1 − alpha: its promise is for both sides together, and says nothing of each.
  public static func intervalLevel(alpha: Double, isSequential: Bool) -> Double {
    isSequential ? 1 - alpha : 1 - 2 * alpha
  }

  /// The trials at which a rate that the treatment does not change is shown to be within the
  /// margin with the given power.
  ///
  /// The normal limit of "treatment − (1 − margin) × control" (Chow, Shao and Wang, Sample Size
  /// Calculations in Clinical Research, 2008, section 4.2, with the margin on the ratio): with
  /// m = margin, p the rate and r trials of the treatment for each of the control's,
  /// n0 = (c + z_power)² p (1 − p) (1 / r + (1 ∓ m)²) / (m p)², where c is the normal quantile of
  /// 1 − alpha or the half width of the confidence sequence in standard errors.
  public static func trialsNeeded(
    rate: Double, margin: Double, lowerIsBetter: Bool = false, treatmentPerControl: Double = 1,
    alpha: Double = 0.05, power: Double = 0.8, sequential: SequentialTuning? = nil
  ) -> Estimate<Power.SampleSize> {
    guard alpha > 0, alpha < 0.5, power > 0, power < 1 else { return .unavailable(.invalidLevel) }
    guard (0...1).contains(rate), margin > 0, margin.isFinite, treatmentPerControl > 0,
      treatmentPerControl.isFinite
    else { return .unavailable(.invalidInput) }
    guard rate > 0, rate < 1 else { return .unavailable(.noVariation) }
    let scale = lowerIsBetter ? 1 + margin : 1 - margin
    let variance = rate * (1 - rate) * (1 / treatmentPerControl + scale * scale)
    let distance = margin * rate
    let z = NormalDistribution.quantile(power)
    func needed(_ critical: Double) -> Double {
      let reach = max(0, critical + z)
      return reach * reach * variance / (distance * distance)
    }
    var control = needed(-NormalDistribution.quantile(alpha))
    if let sequential {
      guard sequential.trials > 0, sequential.level > 0, sequential.level < 1 else {
        return .unavailable(.invalidLevel)
      }
      // The sequence is wider the earlier it is read: the width falls as the trials grow.
      let share = 1 + treatmentPerControl
      func isShown(_ control: Double) -> Bool {
        let width = ConfidenceSequence.squaredHalfWidth(
          trials: control * share, alpha: alpha, sequential)
        return control >= needed(width.squareRoot())
      }
      var (low, high) = (0.0, 2.0)
      while !isShown(high), high < 1e18 { (low, high) = (high, high * 2) }
      while high - low > 0.5, high < 1e18 {
        let middle = (low + high) / 2
        if isShown(middle) { high = middle } else { low = middle }
      }
      control = high
    }
    let treatment = control * treatmentPerControl
    guard control < 1e18, treatment < 1e18 else { return .unavailable(.unreachable) }
    return .value(
      Power.SampleSize(
        treatment: max(1, Int(clamping: treatment.rounded(.up))),
        control: max(1, Int(clamping: control.rounded(.up)))))
  }

  /// How many more trials each group needs before a rate that does not change is shown to be
  /// within the margin.
  public static func missingTrials(
    _ comparison: StratifiedComparison, margin: Double, lowerIsBetter: Bool = false,
    alpha: Double = 0.05, power: Double = 0.8, sequential: SequentialTuning? = nil
  ) -> Estimate<Power.SampleSize> {
    let (treatment, control) = (comparison.total.treatment, comparison.total.control)
    guard let rate = comparison.rates?.control else { return .unavailable(.emptyDenominator) }
    guard comparison.hasEnoughClusters else { return .unavailable(.tooFew) }
    return trialsNeeded(
      rate: rate, margin: margin, lowerIsBetter: lowerIsBetter,
      treatmentPerControl: Double(treatment.trials) / Double(control.trials), alpha: alpha,
      power: power, sequential: sequential
    ).map { $0.missing(to: comparison) }
  }
}
