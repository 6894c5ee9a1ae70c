internal import FunnelMetrics
internal import ReportText

extension TerminalSummary {
  private static let maximumChanges = 6

  /// Against earlier numbers, if the report has any: the verdict, and what changed.
  ///
  /// - Parameter isWhole: all rates, not only what a reader looks for first.
  mutating func addEarlier(isWhole: Bool) {
    guard let earlier = report.earlier else { return }
    let comparison = earlier.comparison
    page.heading(
      "AGAINST \(SafeText.name(earlier.name, limit: 40))", note: "before, now, points, p adjusted")
    page.paragraph(comparison.verdict)
    for note in earlier.notes { page.paragraph(note, paint: .yellow) }
    let leading = earlier.leading(analysis)
    let shown = isWhole ? comparison.changes : Array(leading.prefix(Self.maximumChanges))
    for change in shown { comparison.add(change, to: &page) }
    let more = leading.count - shown.count
    if more > 0 { page.line(page.paint("  … and \(more) more that changed", .dim)) }
  }
}
