internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// How many people took each way between steps, of those who viewed the step that it begins at,
/// for slices that are not cut.
struct TransitionRows {
  let table: SliceTable
  let tally: Tally
  private var flow: Flow { table.flow }
  private var layout: TransitionLayout { tally.transitionLayout }

  private func counts() -> [Slice: [Int]] {
    var sums: [Slice: [Int]] = [:]
    for (group, counts) in tally.transitions {
      for slice in SliceTable.groupSlices(group, flow) {
        var sum = sums.removeValue(forKey: slice) ?? Array(repeating: 0, count: layout.count)
        for index in sum.indices { sum[index] += counts[index] }
        sums[slice] = sum
      }
    }
    return sums
  }

  /// The people at the beginning of a transition.
  private func people(_ slice: Slice, from: Int) -> Int {
    table.count(slice, from < 0 ? table.layout[.persons] : table.layout[.viewed, from])
  }

  func build(_ unmeasured: Unmeasured) -> [Slice: [MetricRow]] {
    let all = Transition.all(layout)
    return counts().reduce(into: [:]) { rows, entry in
      let (slice, counts) = entry
      rows[slice] = all.compactMap { transition, counter in
        guard counts[counter] > 0 else { return nil }
        var row = MetricRows.rate(
          slice, transition.metric, transition.name(flow), numerator: counts[counter],
          denominator: people(slice, from: transition.from),
          interval: flow.statistics.rateInterval)
        var isUnknown = unmeasured.hasNoViews
        if case .end = transition.to { isUnknown = isUnknown || unmeasured.hasNoCompletions }
        if isUnknown { (row.value, row.low, row.high) = (nil, nil, nil) }
        return row
      }
    }
  }

  /// Variant − control of each transition that either made. Who is at its beginning depends on the
  /// variant, so nothing is tested (definitions 6.8).
  func differences(_ unmeasured: Unmeasured) -> [MetricRow] {
    if unmeasured.hasNoViews || unmeasured.hasNoCompletions { return [] }
    let sums = counts()
    // Where the split changed, people of all periods together would take that for an effect; and
    // of accounts only rates and amounts are known.
    let compared = flow.experiments.filter {
      $0.splits.count == 1 && $0.clusterPath == nil && !unmeasured.experiments.contains($0.id)
    }
    var rows: [MetricRow] = []
    for experiment in compared {
      let control = Slice(experiment: experiment.id, variant: experiment.controlID)
      for index in experiment.variants.indices where index != experiment.control {
        let slice = Slice(experiment: experiment.id, variant: experiment.variants[index].id)
        for (transition, counter) in Transition.all(layout) {
          let taken = [slice, control].map { sums[$0]?[counter] ?? 0 }
          guard taken[0] + taken[1] > 0 else { continue }
          let rates = zip([slice, control], taken).map { slice, count in
            Proportion(successes: count, trials: people(slice, from: transition.from))
          }
          rows += difference(rates, transition, in: slice)
        }
      }
    }
    return rows
  }

  private func difference(
    _ rates: [Proportion], _ transition: Transition, in slice: Slice
  ) -> [MetricRow] {
    let found = ProportionComparison(treatment: rates[0], control: rates[1]).difference().value
    return found.map { difference in
      [
        MetricRow(
          slice: slice, metric: transition.metric.compared(by: .difference),
          step: transition.name(flow),
          value: difference.estimate, low: difference.interval.lower,
          high: difference.interval.upper, unit: .points)
      ]
    } ?? []
  }
}

extension Analysis {
  /// The transitions that people of a slice made, in the order of the flow.
  package func transitions(in slice: Slice) -> [(transition: Transition, datum: Datum)] {
    Transition.all(tally.transitionLayout).compactMap { transition, _ in
      datum(transition.metric, step: transition.name(flow), in: slice).map { (transition, $0) }
    }
  }

  /// The difference to the control of a variant's transition; `nil` where there is none.
  package func difference(of transition: Transition, in slice: Slice) -> Datum? {
    datum(transition.metric.compared(by: .difference), step: transition.name(flow), in: slice)
  }
}
