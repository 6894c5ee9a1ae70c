internal import FlowDefinition
internal import FunnelMetrics
internal import ReportText

extension TerminalSummary {
  private static let maximumHeadlines = 3
  private static let maximumRuns = 7
  private static let maximumLooks = 8
  private static let maximumName = 24

  /// What the last reports from the same store said, and how each arm compared at each of them.
  mutating func addHistory() {
    guard let trend = ReportTrend(report) else { return }
    let runs = trend.runs.suffix(TerminalSummary.maximumRuns)
    let headlines = analysis.headlines.prefix(TerminalSummary.maximumHeadlines)
    let labelColumns = runs.map { TextWidth.of($0.label) }.max() ?? 0
    let column = min(26, (page.width - 2 - labelColumns - 11) / max(1, headlines.count))
    func row(_ label: String, _ persons: String, _ cells: [String]) -> String {
      // A blank before each cell, so that names which fill theirs don't run together.
      "  " + TextWidth.left(label, labelColumns) + TextWidth.right(persons, 11)
        + cells.map { " " + TextWidth.right($0, column - 1) }.joined()
    }
    page.heading("LAST REPORTS", note: "from this store, by when their data was complete")
    let names = headlines.map { SafeText.name($0.name.lowercased()) }
    page.line(page.paint(row("up to", "people", names), .dim))
    for run in runs {
      let persons = trend.row(run, .persons)?.numerator.map(NumberText.grouped) ?? "–"
      let rates = headlines.map {
        TerminalPage.rate(trend.row(run, $0.metric, step: $0.step)?.value)
      }
      page.line(row(run.label, persons, rates))
    }
    let looks = trend.looks
    for look in looks.prefix(TerminalSummary.maximumLooks) { add(look, labelColumns) }
    let more = looks.count - TerminalSummary.maximumLooks
    if more > 0 { page.paragraph("… and interim analyses of \(more) more variants.") }
  }

  private mutating func add(_ look: ReportTrend.Look, _ labelColumns: Int) {
    let names = analysis.names(ofExperiment: look.experiment)
    let variant = names.variant(look.variant, limit: TerminalSummary.maximumName)
    let title = SafeText.name(names.title, limit: TerminalSummary.maximumName)
    page.paragraph(
      "Interim analyses of experiment \(title), variant \(variant): completion, points",
      paint: .bold)
    for point in look.points.suffix(TerminalSummary.maximumRuns) {
      let interval: String? =
        if let low = point.row.low, let high = point.row.high {
          "(\(RateText.signedNumber(low)) to \(RateText.signedNumber(high)))"
        } else { nil }
      page.line(
        "    " + TextWidth.left(point.run.label, labelColumns)
          + TextWidth.right(RateText.signedNumber(point.value), 9) + "  "
          + page.paint(interval ?? "", .dim))
    }
  }
}
