package import FlowDefinition
package import FunnelEngine

/// Percentiles of time on step, until people moved on, to completion and to goals (definitions 10),
/// for slices that are not cut or cut by `used_skip`.
package struct TimeRows {
  package static let percentiles = [50, 75, 90, 95, 99]
  package let times: [Slice: [TimeMeasure: TimeHistogram]]
  package let flow: Flow

  /// Histograms by slice and measure.
  static func histograms(_ tally: Tally, _ flow: Flow) -> [Slice: [TimeMeasure: TimeHistogram]] {
    var sums: [Slice: [TimeMeasure: TimeHistogram]] = [:]
    for (key, histogram) in tally.times {
      let use = BreakdownKey(
        dimension: BreakdownKey.usedSkip, value: key.usedSkip ? "yes" : "no")
      for slice in SliceTable.groupSlices(key.group, flow) {
        var cut = slice
        cut.breakdown = use
        for target in [slice, cut] {
          sums[target, default: [:]][key.measure, default: TimeHistogram()].merge(histogram)
        }
      }
    }
    return sums
  }

  package func build() -> [Slice: [MetricRow]] {
    var rows: [Slice: [MetricRow]] = [:]
    for (slice, measures) in times {
      var own: [MetricRow] = []
      for (index, step) in flow.steps.enumerated() {
        own += summary(slice, .timeOnStep, step.id, measures[.step(index)])
        own += summary(slice, .timeToMoveOn, step.id, measures[.moveOn(index)], ofAll: true)
      }
      own += summary(slice, .timeToComplete, "all", measures[.complete])
      for (index, goal) in flow.goals.enumerated() {
        own += summary(slice, .timeToGoal, goal.id, measures[.goal(index)])
      }
      rows[slice] = own
    }
    return rows
  }

  private func summary(
    _ slice: Slice, _ metric: MetricName, _ step: String, _ histogram: TimeHistogram?,
    ofAll: Bool = false
  ) -> [MetricRow] {
    guard let histogram, histogram.count > 0 else { return [] }
    var rows = [
      MetricRow(
        slice: slice, metric: metric.numberOfValues, step: step, numerator: histogram.count,
        value: Double(histogram.count), unit: .persons)
    ]
    let edges =
      ofAll
      ? histogram.percentilesOfAll(TimeRows.percentiles)
      : histogram.percentiles(TimeRows.percentiles)
    for (percent, edge) in zip(TimeRows.percentiles, edges) {
      rows.append(
        MetricRow(
          slice: slice, metric: metric.percentile(percent), step: step,
          value: edge.map { Double($0) / 1000 }, unit: .seconds))
    }
    return rows
  }
}
