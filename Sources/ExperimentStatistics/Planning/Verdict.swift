/// What may be said of a comparison, by rule.
///
/// A difference that passes the test, adjusted for its family, is shown, whatever its size. One
/// that does not is "none shown" only if the sample could have shown the one that was looked
/// for; otherwise it is too early to say.
public enum Verdict: Sendable, Hashable {
  /// The treatment's proportion is higher.
  case higher
  /// The treatment's proportion is lower.
  case lower
  /// The sample was large enough for the difference looked for, and none was shown. The interval
  /// of the difference says what is excluded.
  case noneShown
  /// The sample could not have shown the difference looked for: how many more trials each group
  /// needs, or nil where no number of trials would do.
  case tooEarly(missing: Power.SampleSize?)
  /// Of a metric that must not suffer: any loss is shown to be smaller than its margin.
  case withinMargin
  /// Of such a metric: the loss is shown to be larger than the margin.
  case beyondMargin

  /// The verdict for a comparison.
  ///
  /// - Parameters:
  ///   - adjustedP: the two-sided p-value adjusted for its family; nil where there is no test.
  ///   - targetLift: the relative lift looked for, above zero, as 0.05 for a twentieth more.
  ///   - sequential: the tuning of an always-valid comparison; nil for a single look.
  ///   - alpha: the false-alarm rate of the family, and `power` the chance to see the target.
  ///   - plannedAlpha: what the sample is planned for (``MultipleTesting/plannedAlpha``); nil for
  ///     a comparison that is a family of its own.
  public static func of(
    _ comparison: ProportionComparison, adjustedP: Double?, targetLift: Double,
    alpha: Double = 0.05, plannedAlpha: Double? = nil, power: Double = 0.8,
    sequential: SequentialTuning? = nil
  ) -> Verdict {
    of(
      StratifiedComparison(strata: [comparison]), adjustedP: adjustedP, targetLift: targetLift,
      alpha: alpha, plannedAlpha: plannedAlpha, power: power, sequential: sequential)
  }

  /// The verdict for a comparison within strata.
  public static func of(
    _ comparison: StratifiedComparison, adjustedP: Double?, targetLift: Double,
    alpha: Double = 0.05, plannedAlpha: Double? = nil, power: Double = 0.8,
    sequential: SequentialTuning? = nil
  ) -> Verdict {
    guard let (treatmentRate, controlRate) = comparison.rates else {
      return .tooEarly(missing: nil)
    }
    if let adjustedP, adjustedP < alpha {
      return treatmentRate > controlRate ? .higher : .lower
    }
    let missing = missingTrials(
      comparison, targetLift: targetLift, alpha: plannedAlpha ?? alpha, power: power,
      sequential: sequential)
    guard let missing = missing.value else { return .tooEarly(missing: nil) }
    return missing.total > 0 ? .tooEarly(missing: missing) : .noneShown
  }

  /// How many more trials each group needs before a lift can be shown with the given power, as if
  /// there were one stratum; none where it has enough.
  ///
  /// - Parameter alpha: what the sample is planned for (``MultipleTesting/plannedAlpha``).
  public static func missingTrials(
    _ comparison: StratifiedComparison, targetLift: Double, alpha: Double, power: Double = 0.8,
    sequential: SequentialTuning? = nil
  ) -> Estimate<Power.SampleSize> {
    missingTrials(comparison, alpha: alpha, power: power, sequential: sequential) {
      min(1, $0.control * (1 + max(0, targetLift)))
    }
  }

  /// How many more trials each group needs before the difference that is seen can be shown with the
  /// given power, were it the true one; unavailable where none is seen (`unreachable`).
  ///
  /// - Parameter alpha: what the sample is planned for (``MultipleTesting/plannedAlpha``).
  public static func missingTrialsForSeenDifference(
    _ comparison: StratifiedComparison, alpha: Double, power: Double = 0.8,
    sequential: SequentialTuning? = nil
  ) -> Estimate<Power.SampleSize> {
    missingTrials(comparison, alpha: alpha, power: power, sequential: sequential) { $0.treatment }
  }

  private static func missingTrials(
    _ comparison: StratifiedComparison, alpha: Double, power: Double,
    sequential: SequentialTuning?, target: ((treatment: Double, control: Double)) -> Double
  ) -> Estimate<Power.SampleSize> {
    let (treatment, control) = (comparison.total.treatment, comparison.total.control)
    guard let rates = comparison.rates else { return .unavailable(.emptyDenominator) }
    let ratio = Double(treatment.trials) / Double(control.trials)
    let needed =
      sequential.map {
        SequentialPower.trialsNeeded(
          treatmentRate: target(rates), controlRate: rates.control, treatmentPerControl: ratio,
          alpha: alpha, power: power, tuning: $0)
      }
      ?? Power.trialsNeeded(
        treatmentRate: target(rates), controlRate: rates.control, treatmentPerControl: ratio,
        alpha: alpha, power: power)
    guard comparison.hasEnoughClusters else { return .unavailable(.tooFew) }
    return needed.map { $0.missing(to: comparison) }
  }
}

extension Power.SampleSize {
  /// What is missing of this size to the groups of a comparison, whose people may be worth less
  /// than independent ones.
  func missing(to comparison: StratifiedComparison) -> Power.SampleSize {
    let (total, effects) = (comparison.total, comparison.designEffects)
    func missing(_ needed: Int, _ effect: Double, _ trials: Int) -> Int {
      max(0, (effect > 1 ? Int(clamping: (Double(needed) * effect).rounded(.up)) : needed) - trials)
    }
    return Power.SampleSize(
      treatment: missing(treatment, effects.treatment, total.treatment.trials),
      control: missing(control, effects.control, total.control.trials))
  }
}
