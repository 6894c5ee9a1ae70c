internal import FlowDefinition
internal import FunnelMetrics
internal import ReportText

/// `next_events.csv`: what people did next who dropped off, step by step.
struct NextEventsTable {
  private let analysis: Analysis

  init(_ analysis: Analysis) { self.analysis = analysis }

  func table() -> CSVTable {
    var table = CSVTable(
      Slice.datedColumns + [
        "step", "next_event", "people", "of", "share", "share_ci_low", "share_ci_high",
        "median_seconds",
      ])
    for slice in analysis.slices.uncut {
      for step in ["(entry)"] + analysis.flow.steps.map(\.id) {
        for next in analysis.nextEvents(after: step, in: slice) {
          table.add(
            slice.datedCells + [.text(step), .text(next.event)]
              + MetricRow.rateCells(next.count.row) + [.number(next.median?.row.value)])
        }
      }
    }
    return table
  }
}
