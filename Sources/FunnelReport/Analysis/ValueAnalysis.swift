internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// Compares what goals with a `value` add up to between the variants of an experiment.
///
/// Values are a family of their own: adding one to a flow file changes no verdict on a rate.
struct ValueAnalysis {
  let table: SliceTable
  let tally: Tally
  let experiment: Int
  let cells: ExperimentCells
  let correction: MultipleTesting
  let tuning: SequentialTuning

  /// Groups in which fewer people than this have a value are not tested: the normal limit is far.
  static let fewestPayers = 10

  private var declared: Experiment { table.flow.experiments[experiment] }
  private var settings: StatisticsSettings { table.flow.statistics }

  /// - Parameter isTested: several attempts of one person depend on each other.
  func comparisons(isTested: Bool, judged: Bool) -> [ValueComparison] {
    let amounts = amounts()
    var found: [ValueComparison] = []
    var contrasts: [MeanComparison] = []
    for variant in declared.variants where variant.id != declared.controlID {
      for goal in comparedGoals {
        let contrast = contrast(goal, variant.id, amounts)
        found.append(compare(goal, variant.id, contrast, amounts, isTested))
        contrasts.append(contrast)
      }
    }
    decide(&found, contrasts, judged: judged)
    return found
  }

  /// Goals that count from entry, whose amounts are known: of others the variant decides whose
  /// amounts are summed, and by when.
  private var comparedGoals: [Int] {
    table.flow.goals.indices.filter {
      let goal = table.flow.goals[$0]
      return goal.value != nil && goal.anchor == .entry
        && !tally.quality.goalsWithoutSum.contains($0)
    }
  }

  private struct Place: Hashable {
    var goal: Int
    var variant: String
    var period: Int
  }

  private func amounts() -> [Place: AmountSum] {
    var amounts: [Place: AmountSum] = [:]
    for (key, sum) in tally.amounts where key.cell.breakdown == .all {
      let state = key.cell.group.variants[experiment]
      guard state.isCounted, let variant = state.assignedVariant else { continue }
      let place = Place(
        goal: key.goal, variant: variant, period: key.cell.group.periods[experiment])
      amounts[place, default: AmountSum()].add(sum)
    }
    return amounts
  }

  /// The counters of the people who are compared: everybody assigned whose window is over.
  private func counters(_ goal: Int) -> (eligible: Int, met: Int) {
    let layout = table.layout
    guard let place = layout.overallGoals.firstIndex(of: goal) else {
      return (layout[goal: goal, .eligible], layout[goal: goal, .met])
    }
    return (layout[overall: place, .eligible], layout[overall: place, .met])
  }

  private func counts(_ variant: String, _ period: Int?) -> [Int] {
    cells.sum(period: period) { $0.isCounted && $0.assignedVariant == variant }
  }

  private func mean(
    _ goal: Int, _ variant: String, _ period: Int?, _ amounts: [Place: AmountSum]
  ) -> SampleMean {
    let count = counts(variant, period)[counters(goal).eligible]
    var sum = AmountSum()
    for index in declared.splits.indices where (period ?? index) == index {
      sum.add(amounts[Place(goal: goal, variant: variant, period: index)] ?? AmountSum())
    }
    return SampleMean(
      count: count, mean: sum.mean(of: count), variance: sum.variance(of: count))
  }

  private func contrast(
    _ goal: Int, _ variant: String, _ amounts: [Place: AmountSum]
  ) -> MeanComparison {
    MeanComparison(
      strata: declared.splits.indices.map { period in
        .init(
          treatment: mean(goal, variant, period, amounts),
          control: mean(goal, declared.controlID, period, amounts))
      }, sequential: declared.isSequential ? tuning : nil)
  }

  private func compare(
    _ goal: Int, _ variant: String, _ contrast: MeanComparison, _ amounts: [Place: AmountSum],
    _ isTested: Bool
  ) -> ValueComparison {
    let payers = [variant, declared.controlID].map { counts($0, nil)[counters(goal).met] }
    let isLarge = payers.allSatisfy { $0 >= Self.fewestPayers }
    let isOverall = table.layout.overallGoals.contains(goal)
    return ValueComparison(
      experiment: declared.id, variant: variant, control: declared.controlID,
      goal: table.flow.goals[goal].id, metric: isOverall ? "goal_value_overall" : "goal_value",
      treatment: mean(goal, variant, nil, amounts),
      controlMean: mean(goal, declared.controlID, nil, amounts),
      difference: .unavailable(.tooFew), lift: .unavailable(.tooFew),
      intervalLevel: 1 - settings.alpha,
      p: isTested && isLarge ? contrast.pValue().value : nil, pAdjusted: nil,
      isSequential: declared.isSequential, isHigher: nil)
  }

  private func decide(
    _ found: inout [ValueComparison], _ contrasts: [MeanComparison], judged: Bool
  ) {
    let tested = found.indices.filter { found[$0].p != nil }
    let pValues = tested.map { found[$0].p ?? 1 }
    let adjusted = correction.adjust(pValues)
    let alphas = correction.intervalAlphas(pValues, alpha: settings.alpha)
    for (place, index) in tested.enumerated() {
      let level = 1 - alphas[place]
      found[index].pAdjusted = adjusted[place]
      found[index].intervalLevel = level
      found[index].difference = contrasts[index].difference(level: level)
      found[index].lift = contrasts[index].relativeLift(level: level)
      guard judged, adjusted[place] < settings.alpha else { continue }
      found[index].isHigher = found[index].difference.value.map { $0.estimate > 0 }
    }
  }
}
