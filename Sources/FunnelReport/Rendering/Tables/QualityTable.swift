internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// `quality.csv`: what the data was like; each check with its count, and a note where it needs one.
struct QualityTable {
  private let lines: [QualityLine]

  init(_ report: Report) { lines = QualityLine.all(report) }

  func table() -> CSVTable {
    var table = CSVTable(["check", "item", "count", "of", "share", "note"])
    for line in lines {
      table.add([
        .text(line.check), .text(line.item), .count(line.count), .count(line.total),
        .number(line.share), .text(line.note),
      ])
    }
    return table
  }
}
