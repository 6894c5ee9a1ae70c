internal import FlowDefinition
internal import FunnelMetrics
internal import ReportText

/// `transitions.csv`: where people went from each step, and where their attempts ended.
struct TransitionsTable {
  private let analysis: Analysis

  init(_ analysis: Analysis) { self.analysis = analysis }

  func table() -> CSVTable {
    var table = CSVTable(
      Slice.datedColumns + [
        "kind", "from", "to", "people", "of", "share", "share_ci_low", "share_ci_high",
        "difference", "difference_ci_low", "difference_ci_high",
      ])
    for slice in analysis.slices.uncut {
      for (transition, datum) in analysis.transitions(in: slice) {
        table.add(
          slice.datedCells + [
            .text(analysis.kind(of: transition, in: slice).rawValue),
            .text(Transition.name(transition.from, analysis.flow)),
            .text(transition.destination(analysis.flow)),
          ] + MetricRow.rateCells(datum.row)
            + MetricRow.intervalCells(analysis.difference(of: transition, in: slice)?.row))
      }
    }
    return table
  }
}
