internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// Lift of finishing over skipping in retention, raw and stratified (definitions 11.4). It is
/// observational: people choose whether they skip.
///
/// Goals are not compared: they can be reached in the attempt, and people who stay to finish have
/// more time for that (definitions 11.4).
struct ObservationalAnalysis {
  let table: SliceTable
  let tally: Tally

  func lifts() -> [ObservationalLift] {
    let flow = table.flow
    guard flow.skip == .ends else { return [] }
    // Without a landmark, finishing on a later day is itself a return.
    let landmarks = flow.retention.indices.filter { flow.hasLandmark(flow.retention[$0]) }
    let pairs = matched()
    return table.uncut.flatMap { slice in
      landmarks.map { measure in
        let eligible = table.layout[retention: measure, .eligible]
        let met = table.layout[retention: measure, .met]
        let finished = proportion(slice, .finished, met, eligible)
        let skipped = proportion(slice, .skipped, met, eligible)
        let raw = ProportionComparison(treatment: finished, control: skipped).relativeLift()
        let strata = slice == .all ? strata(pairs, 1 + 2 * (flow.goals.count + measure)) : nil
        return ObservationalLift(
          slice: slice, metric: .retention(flow.retention[measure]), finished: finished,
          skipped: skipped, raw: raw, stratified: strata.map(stratified), alike: strata.map(pooled),
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

  /// The strata in which someone finished: dimension values × start week × group. Of people beyond
  /// the values that are kept nobody knows who is alike.
  private func matched() -> [Pair] {
    struct Stratum: Hashable {
      var group: GroupKey
      var values: [String]
    }
    var skipped: [Stratum: [Int]] = [:]
    func isKind(_ key: StrataTable.Key) -> Bool {
      !key.values.contains(where: DimensionCrossing.hasOther)
    }
    for (key, counts) in tally.strata.rows where key.outcome == .skipped && isKind(key) {
      skipped[Stratum(group: key.group, values: key.values)] = counts
    }
    return tally.strata.rows.compactMap { key, counts in
      guard key.outcome == .finished, isKind(key) else { return nil }
      return (counts, skipped[Stratum(group: key.group, values: key.values)] ?? [])
    }
  }

  /// The rates of a measure in the strata.
  private func strata(_ pairs: [Pair], _ place: Int) -> [ProportionComparison] {
    func rate(_ counts: [Int]) -> Proportion {
      counts.isEmpty
        ? Proportion(successes: 0, trials: 0)
        : Proportion(successes: counts[place + 1], trials: counts[place])
    }
    // A sum of floating-point terms depends on their order: the strata are sorted by content.
    return pairs.map { pair in
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
  }

  /// The strata with both groups, pooled: the others have no weight.
  private func pooled(_ strata: [ProportionComparison]) -> ProportionComparison {
    let informative = strata.filter { $0.treatment.trials > 0 && $0.control.trials > 0 }
    func sum(_ part: (ProportionComparison) -> Proportion) -> Proportion {
      Proportion(
        successes: informative.reduce(0) { $0 + part($1).successes },
        trials: informative.reduce(0) { $0 + part($1).trials })
    }
    return ProportionComparison(treatment: sum(\.treatment), control: sum(\.control))
  }

  /// Mantel–Haenszel over the strata.
  private func stratified(_ strata: [ProportionComparison]) -> Estimate<EstimateWithInterval> {
    MantelHaenszel.riskRatio(strata: strata).map { ratio in
      EstimateWithInterval(
        estimate: ratio.estimate - 1,
        interval: Interval(lower: ratio.interval.lower - 1, upper: ratio.interval.upper - 1))
    }
  }
}
