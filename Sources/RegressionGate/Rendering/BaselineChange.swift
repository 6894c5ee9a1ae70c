internal import FlowDefinition
internal import FunnelMetrics
package import ReportText

/// What accepting a baseline changes: a line for each number that rules are held against, old
/// beside new.
package struct BaselineChange: Sendable {
  private static let titleColumns = 34

  private let run: GateRun
  private let old: Baseline?
  private let new: Baseline
  private let style: TerminalStyle

  /// - Parameter old: what is replaced; `nil` without one.
  package init(run: GateRun, old: Baseline?, new: Baseline, style: TerminalStyle = TerminalStyle())
  {
    self.run = run
    self.old = old
    self.new = new
    self.style = style
  }

  /// - Throws: `GateError` for a rule that matches nothing.
  package func text() throws(GateError) -> String {
    var page = TerminalPage(style: style)
    page.line(page.paint("Baseline of gate \(SafeText.name(run.gate.title))", .bold))
    page.line()
    line("", "old", "new", to: &page)
    line("began", old?.began?.text ?? "–", new.began?.text ?? "–", to: &page)
    for item in try run.cases().map(\.item) where item.needsBaseline {
      let unit = MetricCatalog.unit(of: item.metric)
      func value(_ baseline: Baseline?) -> String {
        baseline?.row(item.metric, step: item.step, in: item.slice).map { words($0, unit) } ?? "–"
      }
      line(item.heading(run.analysis.flow), value(old), value(new), to: &page)
    }
    return page.text
  }

  private func line(_ title: String, _ old: String, _ new: String, to page: inout TerminalPage) {
    let isLong = TextWidth.of(title) > Self.titleColumns
    if isLong { page.paragraph(title) }
    page.line(
      "  " + TextWidth.left(isLong ? "" : title, Self.titleColumns)
        + TextWidth.right(old, 24) + TextWidth.right(new, 26))
  }

  private func words(_ row: MetricRow, _ unit: MetricRow.Unit) -> String {
    guard let value = row.value else { return "no value" }
    if unit == .seconds { return RateText.duration(value) }
    guard let numerator = row.numerator, let denominator = row.denominator else {
      return NumberText.format(value) ?? "–"
    }
    return "\(RateText.percent(value)) (\(NumberText.grouped(numerator))/"
      + "\(NumberText.grouped(denominator)))"
  }
}
