internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// Compares each declared variant with its control (SPEC 11).
struct ExperimentAnalysis {
  static let sampleRatioAlpha = 0.001
  let table: SliceTable
  let tally: Tally

  private var settings: StatisticsSettings { table.flow.statistics }

  /// One tuning for p and for intervals of every level, so that they never contradict.
  private var tuning: SequentialTuning {
    SequentialTuning(trials: settings.sequentialTuningPersons, level: 1 - settings.alpha)
  }

  private var correction: MultipleTesting {
    switch settings.correction {
    case .holm: .holm
    case .benjaminiHochberg: .benjaminiHochberg
    case .none: .none
    }
  }

  func summaries() -> [ExperimentSummary] {
    table.flow.experiments.indices.map(summary)
  }

  private func summary(_ index: Int) -> ExperimentSummary {
    let flow = table.flow
    let experiment = flow.experiments[index]
    let entered = table.layout[.entered]
    let arms = table.uncut.filter { $0.experiment == experiment.id && !$0.variant.hasPrefix("(") }
      .map { slice in
        ExperimentSummary.Arm(
          variant: slice.variant,
          share: experiment.variants.first { $0.id == slice.variant }?.share,
          entered: table.count(slice, entered), persons: table.count(slice, table.layout[.persons]),
          contaminated: contaminated(index) { $0.contains(slice.variant) })
      }
    let declared = arms.filter { $0.share != nil }
    let sampleRatio = SampleRatio.test(
      observed: declared.map(\.entered), expectedShares: declared.map { $0.share ?? 0 })
    let mismatch = (sampleRatio.value?.pValue ?? 1) < ExperimentAnalysis.sampleRatioAlpha
    let unassigned = Slice(experiment: experiment.id, variant: VariantState.unassigned.label)
    return ExperimentSummary(
      id: experiment.id, control: experiment.variants[experiment.control].id, arms: arms,
      unassigned: table.count(unassigned, entered),
      contaminated: contaminated(index) { !$0.isEmpty },
      sampleRatio: sampleRatio, hasSampleRatioMismatch: mismatch,
      comparisons: comparisons(experiment, judged: !mismatch))
  }

  /// Persons who were seen with several variants, whether or not the first of them holds.
  private func contaminated(_ index: Int, with isCounted: ([String]) -> Bool) -> Int {
    tally.cells.reduce(0) { sum, cell in
      guard cell.key.breakdown == .all,
        isCounted(cell.key.group.variants[index].mixedVariants)
      else { return sum }
      return sum + cell.value[table.layout[.entered]]
    }
  }

  /// The binary metrics of a test: over all persons assigned, never over those who got far.
  static func metrics(_ flow: Flow, _ layout: CounterLayout) -> [RateDefinition] {
    let overAll = Set(flow.goals.filter { $0.ofViewedStep == nil }.map(\.id))
    return RateDefinition.all(flow, layout).filter { definition in
      switch definition.metric {
      case "completion_rate", "skip_rate", "used_skip_rate", "permission_opt_in": true
      case "goal_rate": overAll.contains(definition.step)
      default: definition.metric.hasPrefix("retention_")
      }
    }
  }

  private func comparisons(_ experiment: Experiment, judged: Bool) -> [MetricComparison] {
    let control = experiment.variants[experiment.control].id
    let metrics = ExperimentAnalysis.metrics(table.flow, table.layout)
    var found: [MetricComparison] = []
    for variant in experiment.variants where variant.id != control {
      for metric in metrics {
        found.append(compare(experiment, variant.id, control, metric))
      }
    }
    let tested = found.indices.filter { found[$0].p != nil }
    let pValues = tested.map { found[$0].p ?? 1 }
    let adjusted = correction.adjust(pValues)
    for (place, index) in tested.enumerated() {
      found[index].pAdjusted = adjusted[place]
      let level = correction.intervalLevel(
        raw: pValues[place], adjusted: adjusted[place], familySize: pValues.count,
        level: 1 - settings.alpha)
      let pair = ProportionComparison(
        treatment: found[index].treatmentRate, control: found[index].controlRate)
      let intervals = intervals(pair, experiment, level: level)
      found[index].adjustedDifference = intervals.difference
      found[index].adjustedLift = intervals.lift
    }
    for index in found.indices where judged {
      found[index].verdict = Verdict.of(
        ProportionComparison(
          treatment: found[index].treatmentRate, control: found[index].controlRate),
        adjustedP: found[index].pAdjusted, targetLift: settings.targetLift,
        alpha: settings.alpha, power: settings.power,
        sequential: experiment.isSequential ? tuning : nil)
    }
    return found
  }

  private func compare(
    _ experiment: Experiment, _ variant: String, _ control: String, _ metric: RateDefinition
  ) -> MetricComparison {
    let treatment = proportion(Slice(experiment: experiment.id, variant: variant), metric)
    let base = proportion(Slice(experiment: experiment.id, variant: control), metric)
    let pair = ProportionComparison(treatment: treatment, control: base)
    let intervals = intervals(pair, experiment, level: 0.95)
    return MetricComparison(
      experiment: experiment.id, variant: variant, control: control, metric: metric.metric,
      step: metric.step, treatmentRate: treatment, controlRate: base,
      difference: intervals.difference, lift: intervals.lift,
      adjustedDifference: intervals.difference, adjustedLift: intervals.lift,
      p: experiment.isSequential
        ? ConfidenceSequence.pValue(treatment: treatment, control: base, tuning: tuning).value
        : pair.scoreTest().value?.twoSidedP,
      pAdjusted: nil, fisherP: pair.hasSmallCell ? pair.fisherExact().value : nil,
      probabilityBetter: BetaBinomial.probabilityBetter(treatment: treatment, control: base).value,
      expectedLoss: BetaBinomial.expectedLoss(treatment: treatment, control: base).value,
      smallestDetectableLift: detectableLift(experiment, treatment, base),
      targetLift: settings.targetLift, isSequential: experiment.isSequential, verdict: nil)
  }

  private func detectableLift(
    _ experiment: Experiment, _ treatment: Proportion, _ control: Proportion
  ) -> Double? {
    guard let rate = control.estimate else { return nil }
    if experiment.isSequential {
      return SequentialPower.smallestDetectableLift(
        controlRate: rate, treatmentTrials: treatment.trials, controlTrials: control.trials,
        alpha: settings.alpha, power: settings.power, tuning: tuning
      ).value
    }
    return Power.smallestDetectableRise(
      controlRate: rate, treatmentTrials: treatment.trials, controlTrials: control.trials,
      alpha: settings.alpha, power: settings.power
    ).value?.relativeLift
  }

  /// Ordinary intervals, or always-valid ones for an experiment that is looked at every day.
  private func intervals(
    _ pair: ProportionComparison, _ experiment: Experiment, level: Double
  ) -> (difference: Estimate<EstimateWithInterval>, lift: Estimate<EstimateWithInterval>) {
    if !experiment.isSequential {
      return (pair.difference(level: level), pair.relativeLift(level: level))
    }
    return (
      ConfidenceSequence.difference(
        treatment: pair.treatment, control: pair.control, level: level, tuning: tuning),
      ConfidenceSequence.relativeLift(
        treatment: pair.treatment, control: pair.control, level: level, tuning: tuning)
    )
  }

  private func proportion(_ slice: Slice, _ definition: RateDefinition) -> Proportion {
    Proportion(
      successes: definition.numerators.reduce(0) { $0 + table.count(slice, $1) },
      trials: table.count(slice, definition.denominator))
  }
}
