internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
internal import ReportText

/// Compares each declared variant with its control.
struct ExperimentAnalysis {
  let table: SliceTable
  let tally: Tally
  private let cells: [ExperimentCells]
  let planned: [PlannedSize?]

  init(table: SliceTable, tally: Tally) {
    self.table = table
    self.tally = tally
    planned = table.flow.experiments.indices.map {
      PlannedSize(table, tally, experiment: $0)
    }
    cells = table.flow.experiments.enumerated().map { index, experiment in
      ExperimentCells(tally, experiment: index, stratifiedBy: experiment.stratifiedBy)
    }
  }

  private var settings: StatisticsSettings { table.flow.statistics }
  /// Several attempts of one person depend on each other: nothing is tested over them.
  var isTested: Bool { table.flow.counting == .persons }

  /// One tuning for p and for intervals of every level, so that they never contradict.
  var tuning: SequentialTuning {
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
    let experiment = table.flow.experiments[index]
    let entered = table.layout[.entered]
    let arms = arms(index)
    let ratio = sampleRatio(index, isAssigned: false)
    let assignedRatio = experiment.exposure == nil ? nil : sampleRatio(index, isAssigned: true)
    var doubts: [ExperimentDoubt] = []
    let isMismatched = [ratio, assignedRatio].contains {
      ($0?.value?.pValue ?? 1) < ExperimentDoubt.sampleRatioAlpha
    }
    let accounts = accounts(index).counts
    if isMismatched { doubts.append(mixedAccounts(index, accounts) ?? .sampleRatioMismatch) }
    let drift = splitDrift(index)
    if !isMismatched, let drift, drift.pValue < ExperimentDoubt.sampleRatioAlpha {
      doubts.append(
        .splitChanged(
          variant: names(index)[drift.variant], least: drift.shares.lowerBound,
          greatest: drift.shares.upperBound))
    }
    let isOfExposed = (ratio.value?.pValue ?? 1) < ExperimentDoubt.sampleRatioAlpha
    let segments =
      isMismatched && experiment.clusterPath == nil
      ? SplitSegments(table: table, tally: tally, experiment: index) {
        isOfExposed ? $0.isCounted : $0.assignedVariant != nil
      }.found() : SplitSegments.Found()
    let contaminated = contaminated(index) { !$0.isEmpty }
    let counted = cells[index].sum { $0 != .outside && !$0.isNotExposed }
    let inside = counted[entered]
    let mixed = share(contaminated, of: inside)
    if mixed > ExperimentDoubt.contaminatedBound { doubts.append(.contaminated(share: mixed)) }
    let coverage = ExperimentCoverage(tally.strata, experiment: index)
    if coverage.unassignedShare > ExperimentDoubt.unassignedBound {
      doubts.append(.unassigned(share: coverage.unassignedShare))
    }
    let unassigned = Slice(experiment: experiment.id, variant: VariantState.unassigned.label)
    let without = share(accounts?.peopleWithout ?? 0, of: arms.reduce(0) { $0 + $1.entered })
    if without > ExperimentDoubt.withoutAccountBound {
      doubts.append(.withoutAccount(share: without))
    }
    let comparisons = comparisons(index, judged: doubts.isEmpty)
    return ExperimentSummary(
      id: experiment.id, control: experiment.controlID, arms: arms,
      unassigned: table.count(unassigned, entered),
      outside: table.count(
        Slice(experiment: experiment.id, variant: VariantState.outside.label), entered),
      inside: inside, coverage: coverage, contaminated: contaminated,
      sampleRatio: ratio, assignedRatio: assignedRatio, splitDrift: drift, accounts: accounts,
      mismatchedSegments: segments.segments, alikeDimensions: segments.alike,
      lateVariants: isTested ? LateVariant.all(table, tally, experiment: index) : [],
      doubts: doubts,
      comparisons: comparisons,
      values: values(index, judged: doubts.isEmpty),
      diaries: doubts.isEmpty ? diaries(index, comparisons) : [],
      effectDifferences: doubts.isEmpty ? effectDifferences(index) : [])
  }

  private func effectDifferences(_ index: Int) -> [EffectDifference] {
    let unmeasured = Unmeasured(table, tally.quality)
    let experiment = table.flow.experiments[index]
    guard isTested, !unmeasured.experiments.contains(experiment.id), experiment.clusterPath == nil
    else { return [] }
    return EffectDifferences(
      table: table, tally: tally, experiment: index,
      metrics: ExperimentAnalysis.metrics(table.flow, table.layout).filter {
        !unmeasured.contains($0.metric, step: $0.step)
      }, tuning: experiment.isSequential ? tuning : nil
    ).found()
  }

  private func values(_ index: Int, judged: Bool) -> [ValueComparison] {
    let isUnmeasured = Unmeasured(table, tally.quality).experiments
      .contains(table.flow.experiments[index].id)
    return ValueAnalysis(
      table: table, tally: tally, experiment: index, cells: cells[index],
      accounts: accounts(index), correction: correction, tuning: tuning
    ).comparisons(isTested: isTested, judged: judged && !isUnmeasured)
  }

  private func share(_ part: Int, of whole: Int) -> Double {
    whole > 0 ? Double(part) / Double(whole) : 0
  }

  /// Why the accounts aren't split as declared, where people were assigned one by one: an account
  /// counts for each variant of its people, however they are split.
  private func mixedAccounts(_ index: Int, _ accounts: AccountCounts?) -> ExperimentDoubt? {
    guard let accounts,
      share(accounts.mixed, of: accounts.all) > ExperimentDoubt.mixedAccountsBound
    else { return nil }
    let isOfPeople = [false, true].allSatisfy { isAssigned in
      let ratio = sampleRatio(index, isAssigned: isAssigned, byAccounts: false)
      return (ratio.value?.pValue ?? 1) >= ExperimentDoubt.sampleRatioAlpha
    }
    return isOfPeople ? .mixedAccounts(mixed: accounts.mixed, all: accounts.all) : nil
  }

  private func arms(_ index: Int) -> [ExperimentSummary.Arm] {
    let experiment = table.flow.experiments[index]
    let layout = table.layout
    return table.uncut.filter { $0.experiment == experiment.id && !$0.variant.hasPrefix("(") }
      .map { slice in
        let assigned = cells[index].sum { $0.assignedVariant == slice.variant }
        let completed = Proportion(
          successes: assigned[layout[.finished]] + assigned[layout[.finishedAfterSkipping]],
          trials: assigned[layout[.persons]])
        let isLimited = experiment.exposure != nil
        return ExperimentSummary.Arm(
          variant: slice.variant,
          share: meant(slice.variant, index),
          entered: table.count(slice, layout[.entered]),
          persons: table.count(slice, layout[.persons]),
          contaminated: contaminated(index) { $0.contains(slice.variant) },
          assigned: isLimited ? assigned[layout[.entered]] : nil,
          assignedCompletion: isLimited ? completed : nil)
      }
  }

  /// The share of those who entered with a declared variant that a variant was meant to have: of
  /// each period its own.
  private func meant(_ variant: String, _ index: Int) -> Double? {
    let experiment = table.flow.experiments[index]
    guard let place = experiment.variants.firstIndex(where: { $0.id == variant }) else {
      return nil
    }
    let names = Set(experiment.variants.map(\.id))
    let entered = experiment.splits.indices.map { period in
      cells[index].sum(period: period) {
        $0.isCounted && names.contains($0.assignedVariant ?? "")
      }[table.layout[.entered]]
    }
    let total = entered.reduce(0, +)
    guard experiment.splits.count > 1, total > 0 else { return experiment.variants[place].share }
    return zip(entered, experiment.splits).reduce(0) { $0 + Double($1.0) * $1.1[place] }
      / Double(total)
  }

  private func accounts(_ index: Int) -> AccountSums {
    AccountSums(table: tally.clusters, index: index, experiment: table.flow.experiments[index])
  }

  /// The split of those who entered against that of each period: of people, or of the accounts that
  /// they were assigned with.
  ///
  /// - Parameters:
  ///   - isAssigned: of everybody assigned, exposed or not.
  ///   - byAccounts: of the accounts where the experiment has them.
  private func sampleRatio(
    _ index: Int, isAssigned: Bool, byAccounts: Bool = true
  ) -> Estimate<SampleRatioTest> {
    if !isTested { return .unavailable(.dependent) }
    // Equal shares are then an assumption, which the data can't be held against.
    if table.flow.guessed.contains(.experiment) { return .unavailable(.invalidInput) }
    let experiment = table.flow.experiments[index]
    let entered = table.layout[.entered]
    let observed = experiment.splits.indices.map { period in
      experiment.variants.map { variant in
        experiment.clusterPath == nil || !byAccounts
          ? cells[index].sum(period: period) {
            (isAssigned || $0.isCounted) && $0.assignedVariant == variant.id
          }[entered]
          : accounts(index).count(
            variant.id, period: period, among: entered, isAssigned: isAssigned)
      }
    }
    return experiment.isSequential
      ? SampleRatio.checkSequentially(periods: observed, expectedShares: experiment.splits)
      : SampleRatio.check(periods: observed, expectedShares: experiment.splits)
  }

  /// Whether the shares of the variants are the same in all cohorts of a period. Accounts come with
  /// all of their people at once: of them nothing is known.
  private func splitDrift(_ index: Int) -> SplitDrift? {
    let experiment = table.flow.experiments[index]
    guard isTested, experiment.clusterPath == nil else { return nil }
    let none = Array(repeating: 0, count: experiment.variants.count)
    var counts: [[String: [Int]]] = experiment.splits.map { _ in [:] }
    for (key, cell) in tally.cells where key.breakdown.dimension == BreakdownKey.cohort {
      let state = key.group.variants[index]
      guard state.isCounted,
        let variant = experiment.variants.firstIndex(where: { $0.id == state.assignedVariant })
      else { continue }
      counts[key.group.periods[index]][key.breakdown.value, default: none][variant] +=
        cell[table.layout[.entered]]
    }
    return SplitDrift(
      periods: counts.map { cohorts in
        ByteOrder.sorted(cohorts.keys).map { cohorts[$0] ?? none }
      }, isWatched: experiment.isSequential)
  }

  private func names(_ index: Int) -> [String] {
    let experiment = table.flow.experiments[index]
    return experiment.variants.map {
      SafeText.name(table.flow.title(ofVariant: $0.id, in: experiment.id), limit: 24)
    }
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
    let tested = Set(flow.testedRates)
    return RateDefinition.all(flow, layout).filter {
      tested.contains(TestedRate($0.metric, $0.step))
    }
  }

  /// Rates among those who got somewhere after entry, whose overall rate is tested.
  private static func selected(_ flow: Flow, _ layout: CounterLayout) -> [RateDefinition] {
    let goals = flow.overallGoals.map { TestedRate(.goalRate, flow.goals[$0].id) }
    let retention = flow.overallRetention.map { TestedRate(.retention(flow.retention[$0])) }
    let selected = Set(goals + retention)
    return RateDefinition.all(flow, layout).filter {
      selected.contains(TestedRate($0.metric, $0.step))
    }
  }

  /// A comparison that shows a difference and tests nothing.
  private func describe(
    _ index: Int, _ variant: String, _ control: String, _ metric: RateDefinition
  ) -> MetricComparison {
    var comparison = compare(index, variant, control, metric)
    comparison.isRandomised = false
    comparison.p = nil
    comparison.fisherP = nil
    comparison.posterior = nil
    comparison.probabilityBetter = nil
    comparison.expectedLoss = nil
    comparison.smallestDetectableLift = nil
    comparison.difference = comparison.difference(level: comparison.intervalLevel)
    comparison.lift = comparison.lift(level: comparison.intervalLevel)
    return comparison
  }

  private func comparisons(_ index: Int, judged: Bool) -> [MetricComparison] {
    let experiment = table.flow.experiments[index]
    let control = experiment.controlID
    let unmeasured = Unmeasured(table, tally.quality)
    let metrics = ExperimentAnalysis.metrics(table.flow, table.layout).filter {
      !unmeasured.contains($0.metric, step: $0.step)
    }
    let judged = judged && isTested && !unmeasured.experiments.contains(experiment.id)
    var found: [MetricComparison] = []
    for variant in experiment.variants where variant.id != control {
      for metric in metrics {
        found.append(compare(index, variant.id, control, metric))
      }
    }
    let families = ComparisonFamilies(settings: settings, correction: correction)
    families.decide(&found)
    for variant in experiment.variants where variant.id != control {
      for metric in ExperimentAnalysis.selected(table.flow, table.layout)
      where !unmeasured.contains(metric.metric, step: metric.step) {
        found.append(describe(index, variant.id, control, metric))
      }
    }
    if judged { families.judge(&found) }
    return found
  }

  private func compare(
    _ index: Int, _ variant: String, _ control: String, _ metric: RateDefinition
  ) -> MetricComparison {
    let experiment = table.flow.experiments[index]
    let settled = planned[index]?.comparison(of: metric, variant, control, in: experiment)
    let phase = planned[index].map { lookPhase($0, settled != nil, variant, experiment) }
    let sequence = settled == nil ? ownTuning(index) : nil
    let plain =
      settled ?? cells[index].comparison(of: metric, variant, control, in: experiment)
    let stratification = Stratification(cells[index], metric, (variant, control), experiment, plain)
    let clustering = Clustering(accounts(index), metric, (variant, control))
    let periods = clustering?.comparison ?? stratification?.comparison ?? plain
    let pair = plain.total
    // Posterior and exact test are of one split only, of one stratum, and of independent people.
    let whole = periods.isStratified || !isTested || clustering != nil ? nil : pair
    var comparison = MetricComparison(
      experiment: experiment.id, variant: variant, control: control, metric: metric.metric,
      step: metric.step, treatmentRate: pair.treatment, controlRate: pair.control,
      periods: periods, difference: .unavailable(.emptyDenominator),
      lift: .unavailable(.emptyDenominator), intervalLevel: 1 - settings.alpha,
      p: isTested ? pValue(periods, sequence, phase) : nil,
      pAdjusted: nil, fisherP: pair.hasSmallCell ? whole?.fisherExact().value : nil,
      probabilityBetter: whole.flatMap {
        BetaBinomial.probabilityBetter(treatment: $0.treatment, control: $0.control).value
      },
      expectedLoss: whole.flatMap { MetricComparison.expectedLoss($0, of: metric.metric) },
      smallestDetectableLift: nil, targetLift: settings.targetLift,
      tuning: sequence, verdict: nil)
    if let deviation = experiment.priorDeviation, isTested {
      comparison.posterior =
        LiftPosterior.of(periods, prior: .init(deviation: deviation)).value
      comparison.probabilityBetter = comparison.posterior?.probabilityBetter
      comparison.expectedLoss = comparison.posterior.map {
        MetricComparison.expectedLoss($0, of: metric.metric)
      }
    }
    comparison.role = experiment.plan?.role(of: metric) ?? .together
    comparison.isWithinPeriods = experiment.splits.count > 1
    comparison.stratification = stratification
    comparison.clustering = clustering
    comparison.phase = phase
    return comparison
  }

  private func lookPhase(
    _ planned: PlannedSize, _ isSettled: Bool, _ variant: String, _ experiment: Experiment
  ) -> LookPhase {
    if isSettled, let cohort = planned.lastCohort {
      return .planned(planned.people, lastCohort: cohort)
    }
    return .watched(
      planned: planned.people, missing: planned.missing(variant, in: experiment))
  }

  /// Of an experiment that is looked at every day; with a planned size the sequence is narrowest
  /// there.
  func ownTuning(_ index: Int) -> SequentialTuning? {
    let experiment = table.flow.experiments[index]
    guard experiment.isSequential else { return nil }
    guard let people = experiment.plannedPeople else { return tuning }
    return SequentialTuning(
      trials: people, level: 1 - AlphaSpending.watchedShare * settings.alpha)
  }

  private func pValue(
    _ periods: StratifiedComparison, _ tuning: SequentialTuning?, _ phase: LookPhase?
  ) -> Double? {
    let p: Double?
    if let tuning {
      p = ConfidenceSequence.pValue(periods, tuning: tuning).value
    } else {
      p = periods.scoreTest().value?.twoSidedP
    }
    return p.map { min(1, $0 / (phase?.alphaShare ?? 1)) }
  }
}

extension ExperimentPlan {
  fileprivate func role(of metric: RateDefinition) -> MetricRole {
    func isMeant(_ rate: TestedRate) -> Bool {
      rate.metric == metric.metric && rate.step == metric.step
    }
    if isMeant(primary) { return .primary }
    return guardrails.first { isMeant($0.rate) }.map { .guardrail(margin: $0.margin) } ?? .secondary
  }
}
