internal import ExperimentStatistics
internal import FlowDefinition

/// The comparisons of an experiment by what they are decided with: adjusted p-values, the
/// intervals that decide, verdicts, and what the sample is planned for.
///
/// Without a plan all metrics and variants are one family. With one the primary metric is a family
/// of its own (over the variants), the secondary metrics are another, and each guardrail is held
/// against its margin.
struct ComparisonFamilies {
  let settings: StatisticsSettings
  let correction: MultipleTesting

  /// The adjusted p-values, and the intervals at the levels that decide.
  func decide(_ found: inout [MetricComparison]) {
    for role in [MetricRole.together, .primary, .secondary] {
      decide(&found, found.indices.filter { found[$0].role == role })
    }
    for index in found.indices where found[index].role.margin != nil {
      found[index].intervalLevel = NonInferiority.intervalLevel(
        alpha: settings.alpha, isSequential: found[index].isSequential)
    }
    for index in found.indices {
      found[index].difference = found[index].difference(level: found[index].intervalLevel)
      found[index].lift = found[index].lift(level: found[index].intervalLevel)
    }
  }

  private func decide(_ found: inout [MetricComparison], _ family: [Int]) {
    let tested = family.filter { found[$0].p != nil }
    let pValues = tested.map { found[$0].p ?? 1 }
    let adjusted = correction.adjust(pValues)
    let alphas = correction.intervalAlphas(pValues, alpha: settings.alpha)
    // What can't be tested shows nothing at any level.
    let widest = 1 - (alphas.min() ?? settings.alpha)
    for index in family { found[index].intervalLevel = widest }
    for (place, index) in tested.enumerated() {
      found[index].pAdjusted = adjusted[place]
      found[index].intervalLevel = 1 - alphas[place]
    }
    let planned = plannedAlpha(family.count)
    for index in family {
      let alpha = planned * (found[index].phase?.alphaShare ?? 1)
      let comparison = found[index]
      guard let rate = comparison.controlRate.estimate else { continue }
      let rise = detectableRise(comparison, from: rate, alpha)
      found[index].smallestDetectableLift = rate > 0 ? rise.map { $0 / rate } : nil
      let isDrop = comparison.periods.rates.map { $0.treatment < $0.control } ?? false
      // A drop is the rise of the others.
      found[index].smallestDetectableDifference =
        isDrop ? detectableRise(comparison, from: 1 - rate, alpha) : rise
      found[index].missingForSeenDifference =
        Verdict.missingTrialsForSeenDifference(
          comparison.periods, alpha: alpha, power: settings.power, sequential: comparison.tuning
        ).value
    }
  }

  /// What a sample of a family is planned for: the verdicts of a whole family are stricter than
  /// that of one metric by itself.
  private func plannedAlpha(_ comparisons: Int) -> Double {
    correction.plannedAlpha(settings.alpha, comparisons: comparisons)
  }

  /// The verdicts of the randomised comparisons, and what each sample lacks.
  func judge(_ found: inout [MetricComparison]) {
    let sizes = Dictionary(grouping: found.filter(\.isRandomised), by: \.role).mapValues(\.count)
    for index in found.indices where found[index].isRandomised {
      let comparison = found[index]
      if let margin = comparison.role.margin {
        judge(&found[index], margin)
        continue
      }
      if let phase = comparison.phase {
        judge(&found[index], phase)
        continue
      }
      let planned = plannedAlpha(sizes[comparison.role] ?? 1)
      found[index].missing =
        Verdict.missingTrials(
          comparison.periods, targetLift: settings.targetLift, alpha: planned,
          power: settings.power, sequential: comparison.tuning
        ).value
      found[index].verdict = Verdict.of(
        comparison.periods, adjustedP: comparison.pAdjusted, targetLift: settings.targetLift,
        alpha: settings.alpha, plannedAlpha: planned, power: settings.power,
        sequential: comparison.tuning)
    }
  }

  /// With a planned size nothing else is asked of the number of people.
  private func judge(_ comparison: inout MetricComparison, _ phase: LookPhase) {
    comparison.missing = phase.missing ?? Power.SampleSize(treatment: 0, control: 0)
    guard let rates = comparison.periods.rates else {
      comparison.verdict = .tooEarly(missing: phase.missing)
      return
    }
    if let p = comparison.pAdjusted, p < settings.alpha {
      comparison.verdict = rates.treatment > rates.control ? .higher : .lower
    } else {
      comparison.verdict = phase.missing.map { .tooEarly(missing: $0) } ?? .noneShown
    }
  }

  private func judge(_ guardrail: inout MetricComparison, _ margin: Double) {
    guardrail.missing =
      NonInferiority.missingTrials(
        guardrail.periods, margin: margin, lowerIsBetter: guardrail.lowerIsBetter,
        alpha: settings.alpha, power: settings.power, sequential: guardrail.tuning
      ).value
    if let phase = guardrail.phase {
      guardrail.missing = phase.missing ?? Power.SampleSize(treatment: 0, control: 0)
    }
    let state = guardrail.lift.value.map {
      NonInferiority.of($0.interval, margin: margin, lowerIsBetter: guardrail.lowerIsBetter)
    }
    switch state {
    case .withinMargin: guardrail.verdict = .withinMargin
    case .beyondMargin: guardrail.verdict = .beyondMargin
    case .open, nil:
      let isOpen = guardrail.phase.map { $0.missing != nil } ?? (guardrail.missing?.total != 0)
      guardrail.verdict =
        !isOpen ? .noneShown : .tooEarly(missing: guardrail.missing)
    }
  }

  /// The smallest rise from a rate that the sample shows with the power asked for.
  private func detectableRise(
    _ comparison: MetricComparison, from rate: Double, _ alpha: Double
  ) -> Double? {
    let effects = comparison.periods.designEffects
    let treatment = Int(Double(comparison.treatmentRate.trials) / effects.treatment)
    let control = Int(Double(comparison.controlRate.trials) / effects.control)
    if let tuning = comparison.tuning {
      return SequentialPower.smallestDetectableLift(
        controlRate: rate, treatmentTrials: treatment, controlTrials: control, alpha: alpha,
        power: settings.power, tuning: tuning
      ).value.map { $0 * rate }
    }
    return Power.smallestDetectableRise(
      controlRate: rate, treatmentTrials: treatment, controlTrials: control, alpha: alpha,
      power: settings.power
    ).value?.difference
  }
}
