import RealModule

/// Intervals that stay valid however often one looks: the chance that any of them, over all
/// looks, leaves out the truth is at most `1 - level`.
///
/// Asymptotic confidence sequences: Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas,
/// "Time-uniform central limit theory and asymptotic confidence sequences" (Annals of Statistics
/// 52, 2024), equation 6, with rho tuned by their equation 161 (arXiv 2103.06476v7) to be
/// narrowest at a chosen number of trials. GrowthBook's sequential tests use the same form.
public enum ConfidenceSequence {
  /// Successes and failures each group needs before the normal limit behind the sequence holds.
  /// Looked at earlier there is no interval (`tooFew`).
  public static let smallestCell = 5

  /// The always-valid interval of the treatment's proportion minus the control's.
  ///
  /// `tuningTrials` is N*, the trials of both groups together at which the interval is to be
  /// narrowest; it must be fixed before the first look.
  public static func difference(
    treatment: Proportion, control: Proportion, level: Double = 0.95, tuningTrials: Int = 5000
  ) -> Estimate<EstimateWithInterval> {
    let contrast = contrast(treatment, control, level, tuningTrials)
    return contrast.map { contrast in
      contrast.interval(
        around: contrast.treatment - contrast.control,
        variance: contrast.treatmentVariance + contrast.controlVariance)
    }
  }

  /// The always-valid interval of the treatment's proportion over the control's, minus 1, with
  /// the variance of the ratio by the delta method.
  public static func relativeLift(
    treatment: Proportion, control: Proportion, level: Double = 0.95, tuningTrials: Int = 5000
  ) -> Estimate<EstimateWithInterval> {
    let contrast = contrast(treatment, control, level, tuningTrials)
    return contrast.map { contrast in
      let ratio = contrast.treatment / contrast.control
      let variance =
        (contrast.treatmentVariance + ratio * ratio * contrast.controlVariance)
        / (contrast.control * contrast.control)
      return contrast.interval(
        around: (contrast.treatment - contrast.control) / contrast.control, variance: variance)
    }
  }

  /// The always-valid p-value of "the proportions are equal": under 1 - level exactly where the
  /// interval of the difference leaves out 0, rho being tuned for that level.
  public static func pValue(
    treatment: Proportion, control: Proportion, level: Double = 0.95, tuningTrials: Int = 5000
  ) -> Estimate<Double> {
    contrast(treatment, control, level, tuningTrials).map { contrast in
      let spread = contrast.trials * contrast.rhoSquare + 1
      let difference = contrast.treatment - contrast.control
      let variance = contrast.treatmentVariance + contrast.controlVariance
      let square = difference * difference / variance
      let logEvidence =
        contrast.trials * contrast.rhoSquare * square / (2 * spread) - 0.5 * .log(spread)
      return min(1, .exp(-logEvidence))
    }
  }

  private struct Contrast {
    let treatment: Double
    let control: Double
    let treatmentVariance: Double
    let controlVariance: Double
    let trials: Double
    let alpha: Double
    let rhoSquare: Double

    func interval(around estimate: Double, variance: Double) -> EstimateWithInterval {
      let spread = trials * rhoSquare + 1
      let scale = 2 * (spread / (trials * rhoSquare)) * (0.5 * .log(spread) - .log(alpha))
      let half = (variance * scale).squareRoot()
      return EstimateWithInterval(
        estimate: estimate,
        interval: Interval(lower: estimate - half, upper: estimate + half))
    }
  }

  private static func contrast(
    _ treatment: Proportion, _ control: Proportion, _ level: Double, _ tuningTrials: Int
  ) -> Estimate<Contrast> {
    guard level > 0, level < 1 else { return .unavailable(.invalidLevel) }
    guard tuningTrials > 0 else { return .unavailable(.invalidInput) }
    guard let treatmentShare = treatment.estimate, let controlShare = control.estimate,
      let treatmentRest = treatment.complement, let controlRest = control.complement
    else { return .unavailable(.emptyDenominator) }
    let cells = [treatment.successes, treatment.failures, control.successes, control.failures]
    guard cells.allSatisfy({ $0 >= smallestCell }) else { return .unavailable(.tooFew) }
    let alpha = 1 - level
    let doubled = -2 * Double.log(alpha)
    return .value(
      Contrast(
        treatment: treatmentShare, control: controlShare,
        treatmentVariance: treatmentShare * treatmentRest / Double(treatment.trials),
        controlVariance: controlShare * controlRest / Double(control.trials),
        trials: Double(treatment.trials) + Double(control.trials), alpha: alpha,
        rhoSquare: (doubled + .log(doubled + 1)) / Double(tuningTrials)))
  }
}
