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

  /// The rates that a test compares, each quantity once.
  static func metrics(_ flow: Flow, _ layout: CounterLayout) -> [RateDefinition] {
    let tested = Set(flow.testedRates.map { [$0.metric, $0.step] })
    return RateDefinition.all(flow, layout).filter { tested.contains([$0.metric, $0.step]) }
  }

  private func comparisons(_ experiment: Experiment, judged: Bool) -> [MetricComparison] {
    let control = experiment.variants[experiment.control].id
    let unmeasured = Unmeasured(table, tally.quality)
    let metrics = ExperimentAnalysis.metrics(table.flow, table.layout).filter {
      !unmeasured.contains($0.metric, step: $0.step)
    }
    let judged = judged && !unmeasured.experiments.contains(experiment.id)
    var found: [MetricComparison] = []
    for variant in experiment.variants where variant.id != control {
      for metric in metrics {
        found.append(compare(experiment, variant.id, control, metric))
      }
    }
    decide(&found)
    for index in found.indices where judged {
      found[index].verdict = Verdict.of(
        found[index].rates, adjustedP: found[index].pAdjusted, targetLift: settings.targetLift,
        alpha: settings.alpha, power: settings.power, sequential: found[index].tuning)
    }
    return found
  }

  /// The adjusted p-values, and the intervals at the levels that decide.
  private func decide(_ found: inout [MetricComparison]) {
    let tested = found.indices.filter { found[$0].p != nil }
    let pValues = tested.map { found[$0].p ?? 1 }
    let adjusted = correction.adjust(pValues)
    let alphas = correction.intervalAlphas(pValues, alpha: settings.alpha)
    // What can't be tested shows nothing at any level.
    let widest = 1 - (alphas.min() ?? settings.alpha)
    for index in found.indices { found[index].intervalLevel = widest }
    for (place, index) in tested.enumerated() {
      found[index].pAdjusted = adjusted[place]
      found[index].intervalLevel = 1 - alphas[place]
    }
    for index in found.indices {
      found[index].difference = found[index].difference(level: found[index].intervalLevel)
      found[index].lift = found[index].lift(level: found[index].intervalLevel)
    }
  }

  private func compare(
    _ experiment: Experiment, _ variant: String, _ control: String, _ metric: RateDefinition
  ) -> MetricComparison {
    let treatment = proportion(Slice(experiment: experiment.id, variant: variant), metric)
    let base = proportion(Slice(experiment: experiment.id, variant: control), metric)
    let pair = ProportionComparison(treatment: treatment, control: base)
    return MetricComparison(
      experiment: experiment.id, variant: variant, control: control, metric: metric.metric,
      step: metric.step, treatmentRate: treatment, controlRate: base,
      difference: .unavailable(.emptyDenominator), lift: .unavailable(.emptyDenominator),
      intervalLevel: 1 - settings.alpha,
      p: experiment.isSequential
        ? ConfidenceSequence.pValue(treatment: treatment, control: base, tuning: tuning).value
        : pair.scoreTest().value?.twoSidedP,
      pAdjusted: nil, fisherP: pair.hasSmallCell ? pair.fisherExact().value : nil,
      probabilityBetter: BetaBinomial.probabilityBetter(treatment: treatment, control: base).value,
      expectedLoss: BetaBinomial.expectedLoss(treatment: treatment, control: base).value,
      smallestDetectableLift: detectableLift(experiment, treatment, base),
      targetLift: settings.targetLift, tuning: experiment.isSequential ? tuning : nil, verdict: nil)
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

  private func proportion(_ slice: Slice, _ definition: RateDefinition) -> Proportion {
    Proportion(
      successes: definition.numerators.reduce(0) { $0 + table.count(slice, $1) },
      trials: table.count(slice, definition.denominator))
  }
}
