internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// Lift of finishing over skipping, raw and stratified (SPEC 11): observational, people chose.
struct ObservationalAnalysis {
  let table: SliceTable
  let tally: Tally

  func lifts() -> [ObservationalLift] {
    let flow = table.flow
    guard flow.skip == .ends else { return [] }
    let goals = flow.goals.indices.map { goal in
      (
        "goal_rate", flow.goals[goal].id, table.layout[goal: goal, .eligible],
        table.layout[goal: goal, .met], 1 + 2 * goal
      )
    }
    let retention = flow.retention.indices.map { measure in
      (
        "retention_\(flow.retention[measure].id)", "all",
        table.layout[retention: measure, .eligible], table.layout[retention: measure, .met],
        1 + 2 * (flow.goals.count + measure)
      )
    }
    return table.uncut.flatMap { slice in
      (goals + retention).map { metric, step, eligible, met, place in
        let finished = proportion(slice, .finished, met, eligible)
        let skipped = proportion(slice, .skipped, met, eligible)
        let raw = ProportionComparison(treatment: finished, control: skipped).relativeLift()
        return ObservationalLift(
          slice: slice, metric: metric, step: step, finished: finished, skipped: skipped,
          raw: raw, stratified: slice == .all ? stratified(place) : nil,
          eValue: raw.value.flatMap { EValue.ofRatio($0.estimate + 1).value })
      }
    }
  }

  private func proportion(
    _ slice: Slice, _ outcome: Outcome, _ met: Int, _ eligible: Int
  ) -> Proportion {
    var cut = slice
    cut.breakdown = BreakdownKey(dimension: BreakdownKey.outcome, value: outcome.name)
    return Proportion(successes: table.count(cut, met), trials: table.count(cut, eligible))
  }

  /// Mantel–Haenszel over the strata: dimension values × start week × group.
  private func stratified(_ place: Int) -> Estimate<EstimateWithInterval> {
    struct Stratum: Hashable {
      var group: GroupKey
      var values: [String]
    }
    var finished: [Stratum: Proportion] = [:]
    var skipped: [Stratum: Proportion] = [:]
    for (key, counts) in tally.strata.rows {
      let stratum = Stratum(group: key.group, values: key.values)
      let rate = Proportion(successes: counts[place + 1], trials: counts[place])
      if key.outcome == .finished { finished[stratum] = rate }
      if key.outcome == .skipped { skipped[stratum] = rate }
    }
    let none = Proportion(successes: 0, trials: 0)
    // A sum of floating-point terms depends on their order: the strata are sorted by content.
    let pairs = finished.map { stratum, rate in
      ProportionComparison(treatment: rate, control: skipped[stratum] ?? none)
    }
    .sorted { left, right in
      let keys = [left, right].map {
        [$0.treatment.trials, $0.treatment.successes, $0.control.trials, $0.control.successes]
      }
      return keys[0].lexicographicallyPrecedes(keys[1])
    }
    return MantelHaenszel.riskRatio(strata: pairs).map { ratio in
      EstimateWithInterval(
        estimate: ratio.estimate - 1,
        interval: Interval(lower: ratio.interval.lower - 1, upper: ratio.interval.upper - 1))
    }
  }
}
