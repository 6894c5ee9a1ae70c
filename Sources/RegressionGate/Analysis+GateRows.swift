internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics

extension Analysis {
  /// The row of a metric in a slice; of a goal's value that nobody reached, 0 of all who could
  /// (definitions 9.1 and 15).
  func number(_ metric: MetricName, step: String, in slice: Slice) -> MetricRow? {
    if let row = row(metric, step: step, in: slice) { return row }
    guard metric == .goalRate, step.contains(":"),
      let goal = row(metric, step: String(step.prefix { $0 != ":" }), in: slice),
      let trials = goal.denominator, trials > 0
    else { return nil }
    return MetricRows.rate(
      slice, metric, step, numerator: 0, denominator: trials, interval: flow.statistics.rateInterval
    )
  }

  /// The control of an experiment.
  func control(of experiment: String) -> String? {
    flow.experiments.first { $0.id == experiment }.map { $0.controlID }
  }

  /// How persons of a slice are cut, by value; not by cohort.
  func breakdowns(in slice: Slice) -> [BreakdownKey] {
    slices.slices.filter {
      $0.uncut == slice && $0.cohort == "all" && $0.breakdown != .all
    }.map(\.breakdown)
  }
}
