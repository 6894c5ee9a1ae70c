internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// `timing.csv`: percentiles in seconds, beside what the design expects.
struct TimingTable {
  private let analysis: Analysis

  init(_ analysis: Analysis) { self.analysis = analysis }

  func table() -> CSVTable {
    let percentiles = TimeRows.percentiles
    var table = CSVTable(
      Slice.datedColumns + ["measure", "step", "n"] + percentiles.map { "p\($0)_seconds" } + [
        "expected_low_seconds", "expected_high_seconds",
      ])
    for slice in analysis.recordedSlices(.main) where analysis.times[slice] != nil {
      for (metric, step, ofStep) in measures {
        let expected =
          metric == .timeToComplete ? analysis.expectedTotals.of(slice) : ofStep
        guard let count = analysis.row(metric.numberOfValues, step: step, in: slice) else {
          continue
        }
        let seconds = percentiles.map {
          CSVTable.Cell.number(analysis.row(metric.percentile($0), step: step, in: slice)?.value)
        }
        table.add(
          slice.datedCells + [.text(metric.rawValue), .text(step), .count(count.numerator)]
            + seconds + [
              .number(expected.map { Double($0.lowerBound) / 1000 }),
              .number(expected.map { Double($0.upperBound) / 1000 }),
            ])
      }
    }
    return table
  }

  private var measures: [(metric: MetricName, step: String, expected: ClosedRange<Int64>?)] {
    let flow = analysis.flow
    let ofSteps = [MetricName.timeOnStep, .timeToMoveOn].flatMap { metric in
      flow.steps.map { (metric, $0.id, $0.expectedMilliseconds.map { $0...$0 }) }
    }
    return ofSteps + [(.timeToComplete, "all", nil)]
      + flow.goals.map { (.timeToGoal, $0.id, nil) }
  }
}
