internal import FlowDefinition
internal import FunnelEngine

/// `retention.csv`: who came back, by measure; the rows of cohorts are the triangle.
struct RetentionTable {
  private let analysis: Analysis

  init(_ analysis: Analysis) { self.analysis = analysis }

  func table() -> CSVTable {
    var table = CSVTable(
      Slice.columns + [
        "measure", "first_day", "last_day", "persons", "mature", "came_back", "rate", "ci_low",
        "ci_high", "note",
      ])
    let persons = analysis.slices.layout[.persons]
    for slice in analysis.slices.slices {
      let inSlice = analysis.slices.count(slice, persons)
      guard inSlice > 0 || slice.breakdown == .all else { continue }
      for measure in analysis.flow.retention {
        let row = analysis.row("retention_\(measure.id)", in: slice)
        let days = measure.window.days
        table.add(
          slice.cells + [
            .text(measure.id), .count(days.start), .count(days.end - 1), .count(inSlice),
            .count(row?.denominator ?? 0), .count(row?.numerator ?? 0),
          ] + MetricRow.intervalCells(row) + [.text(note(slice, measure, row, inSlice))])
      }
    }
    return table
  }

  private func note(
    _ slice: Slice, _ measure: RetentionMeasure, _ row: MetricRow?, _ persons: Int
  ) -> String {
    var notes: [String] = []
    if measure.anchor == .entry {
      let mature = row?.denominator ?? 0
      if mature < persons { notes.append(mature == 0 ? "immature" : "partly mature") }
    }
    if [BreakdownKey.outcome, BreakdownKey.usedSkip].contains(slice.breakdown.dimension) {
      notes.append("observational: people chose")
    }
    return notes.joined(separator: "; ")
  }
}
