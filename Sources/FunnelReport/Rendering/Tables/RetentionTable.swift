internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// `retention.csv`: who came back, by measure; the rows of cohorts are the triangle.
struct RetentionTable {
  private let analysis: Analysis

  init(_ analysis: Analysis) { self.analysis = analysis }

  func table() -> CSVTable {
    var table = CSVTable(
      Slice.datedColumns + [
        "measure", "first_day", "last_day", "persons", "mature", "came_back", "rate", "ci_low",
        "ci_high", "common", "common_came_back", "common_rate", "note",
      ])
    let persons = analysis.slices.layout[.persons]
    for slice in analysis.recordedSlices(.answers) {
      let inSlice = analysis.slices.count(slice, persons)
      guard inSlice > 0 || slice.breakdown == .all else { continue }
      for measure in analysis.flow.retention {
        let own = MetricName.retention(measure)
        for rate in analysis.flow.isRandomised(measure) ? [own] : [own, own.overall] {
          let row = analysis.row(rate, in: slice)
          let days = measure.window.days
          table.add(
            slice.datedCells + [
              .text(rate.retentionID ?? ""), .count(days.start), .count(days.end - 1),
              .count(inSlice),
              .count(row?.denominator ?? 0), .count(row?.numerator ?? 0),
            ] + MetricRow.intervalCells(row) + common(slice, measure)
              + [.text(note(slice, measure, row, inSlice))])
        }
      }
    }
    return table
  }

  /// The measure over its common cohort; empty where it has none.
  private func common(_ slice: Slice, _ measure: RetentionMeasure) -> [CSVTable.Cell] {
    let name = MetricName.retention(measure).ofCommonCohort
    guard let row = analysis.row(name, in: slice) else { return [.empty, .empty, .empty] }
    return [.count(row.denominator ?? 0), .count(row.numerator ?? 0), .number(row.value)]
  }

  private func note(
    _ slice: Slice, _ measure: RetentionMeasure, _ row: MetricRow?, _ persons: Int
  ) -> String {
    var notes: [String] = []
    if measure.anchor == .entry {
      let mature = row?.denominator ?? 0
      // Which of a slice's people lack dates isn't counted, only how many of all do.
      let orDates = analysis.lackingDates(measure) > 0 ? " or without dates" : ""
      if mature < persons { notes.append((mature == 0 ? "immature" : "partly mature") + orDates) }
    }
    if analysis.isPartial(slice) { notes.append("partial cohort") }
    if slice.breakdown.isOfOutcome {
      notes.append("observational: people chose")
      if let reason = analysis.flow.landmarkRefusal(measure) { notes.append("no rate: \(reason)") }
    }
    return notes.joined(separator: "; ")
  }
}
