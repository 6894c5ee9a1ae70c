internal import FlowDefinition
internal import FunnelMetrics
internal import ReportText

/// `skips.csv`: who used skip, and on which page they first did.
struct SkipsTable {
  private let analysis: Analysis

  init(_ analysis: Analysis) { self.analysis = analysis }

  func table() -> CSVTable {
    var table = CSVTable(
      Slice.datedColumns + [
        "page", "title", "first_skips", "of_used_skip", "share", "share_ci_low", "share_ci_high",
        "used_skip", "of_persons", "used_skip_rate", "used_skip_rate_ci_low",
        "used_skip_rate_ci_high",
      ])
    for slice in analysis.recordedSlices(.main) {
      guard let used = analysis.row(.usedSkipRate, in: slice) else { continue }
      for (page, title) in pages {
        // Without a skip there are no shares to give, but there is a rate.
        guard let share = analysis.row(.skipShare, step: page, in: slice) else { continue }
        table.add(
          slice.datedCells + [.text(page), .text(title)] + MetricRow.rateCells(share)
            + MetricRow.rateCells(used))
      }
    }
    return table
  }

  private var pages: [(id: String, title: String)] {
    analysis.flow.steps.map { ($0.id, $0.title) } + [("(unknown)", "Page not named")]
  }
}
