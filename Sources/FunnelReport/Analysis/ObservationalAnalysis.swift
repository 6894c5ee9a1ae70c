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
    // Without a landmark, finishing on a later day is itself a return.
    let landmarks = flow.retention.indices.filter { flow.hasLandmark(flow.retention[$0]) }
    let retention = landmarks.map { measure in
      (
        "retention_\(flow.retention[measure].id)", "all",
        table.layout[retention: measure, .eligible], table.layout[retention: measure, .met],
        1 + 2 * (flow.goals.count + measure)
      )
    }
    let pairs = matched()
    return table.uncut.flatMap { slice in
      (goals + retention).map { metric, step, eligible, met, place in
        let finished = proportion(slice, .finished, met, eligible)
        let skipped = proportion(slice, .skipped, met, eligible)
        let raw = ProportionComparison(treatment: finished, control: skipped).relativeLift()
        return ObservationalLift(
          slice: slice, metric: metric, step: step, finished: finished, skipped: skipped,
          raw: raw, stratified: slice == .all ? stratified(pairs, place) : nil,
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

  /// Counters of a stratum: its finished persons, and its skipped ones; empty where it has none.
  private typealias Pair = (finished: [Int], skipped: [Int])

  /// The strata in which someone finished: dimension values × start week × group.
  private func matched() -> [Pair] {
    struct Stratum: Hashable {
      var group: GroupKey
      var values: [String]
    }
    var skipped: [Stratum: [Int]] = [:]
    for (key, counts) in tally.strata.rows where key.outcome == .skipped {
      skipped[Stratum(group: key.group, values: key.values)] = counts
    }
    return tally.strata.rows.compactMap { key, counts in
      guard key.outcome == .finished else { return nil }
      return (counts, skipped[Stratum(group: key.group, values: key.values)] ?? [])
    }
  }

  /// Mantel–Haenszel over the strata.
  private func stratified(_ pairs: [Pair], _ place: Int) -> Estimate<EstimateWithInterval> {
    func rate(_ counts: [Int]) -> Proportion {
      counts.isEmpty
        ? Proportion(successes: 0, trials: 0)
        : Proportion(successes: counts[place + 1], trials: counts[place])
    }
    // A sum of floating-point terms depends on their order: the strata are sorted by content.
    let pairs = pairs.map { pair in
      ProportionComparison(treatment: rate(pair.finished), control: rate(pair.skipped))
    }
    .sorted { left, right in
      let (one, other) = (left.treatment, right.treatment)
      if (one.trials, one.successes) != (other.trials, other.successes) {
        return (one.trials, one.successes) < (other.trials, other.successes)
      }
      return (left.control.trials, left.control.successes)
        < (right.control.trials, right.control.successes)
    }
    return MantelHaenszel.riskRatio(strata: pairs).map { ratio in
      EstimateWithInterval(
        estimate: ratio.estimate - 1,
        interval: Interval(lower: ratio.interval.lower - 1, upper: ratio.interval.upper - 1))
    }
  }
}
