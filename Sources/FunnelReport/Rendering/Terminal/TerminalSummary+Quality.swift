internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

extension TerminalSummary {
  private static let maximumPages = 5

  mutating func addTargets() {
    let checks = TargetCheck.all(analysis)
    guard !checks.isEmpty else { return }
    page.heading("TARGETS", note: "decided by the whole interval")
    for check in checks {
      let color: TerminalPage.Paint? =
        switch check.verdict {
        case .met: .green
        case .missed: .red
        case .unclear, .unknown: nil
        }
      page.paragraph(
        "\(SafeText.name(check.promise)): \(check.seen)",
        lead: "  " + TextWidth.left(check.verdict.rawValue, 14), paint: color)
    }
  }

  /// What is not as it should be, and the sums.
  mutating func addQuality() {
    page.heading("QUALITY")
    let provenance = report.provenance
    page.paragraph(
      "\(NumberText.grouped(provenance.lines)) lines, \(NumberText.grouped(provenance.events)) "
        + "events from \(CountText.of(provenance.sources.count, "input"))"
        + "; \(RateText.percent(provenance.rejectRate)) rejected (bound "
        + "\(RateText.bound(provenance.maximumRejectRate))).")
    let silent: Set = [
      "lines", "events", "facts", "persons", "rejects", "unreadable_inputs", "damaged_inputs",
      "undeclared_page_views", "undeclared_page", "identity_failures", "activity_only",
      "look_back_days",
    ]
    let ofNothing: Set = ["step_never_seen", "missing_days", "missing_starts"]
    for line in QualityLine.all(report) where !silent.contains(line.check) {
      if line.count > 0 || ofNothing.contains(line.check) { add(line) }
    }
    let pages = QualityLine.all(report).filter { $0.check == "undeclared_page" }
    for line in pages.prefix(TerminalSummary.maximumPages) { add(line) }
    if pages.count > TerminalSummary.maximumPages {
      page.paragraph(
        "… and \(pages.count - TerminalSummary.maximumPages) more undeclared pages in quality.csv")
    }
    addIdentities()
  }

  private mutating func add(_ line: QualityLine) {
    let check = line.check.split(separator: "_").joined(separator: " ")
    let item = line.item.isEmpty ? "" : ": " + SafeText.name(line.item)
    let share = line.share.map { RateText.percent($0) } ?? ""
    page.line(
      "  " + TextWidth.right(NumberText.grouped(line.count), 9) + TextWidth.right(share, 8) + "  "
        + TextWidth.fit(check + item, page.width - 21))
  }

  private mutating func addIdentities() {
    let isBroken = analysis.identities.contains { !$0.failures.isEmpty }
    page.paragraph(ReportWords.sums(analysis), paint: isBroken ? .red : nil)
  }

  /// What other tools choose in silence.
  mutating func addChoices() {
    page.heading("SETTINGS", note: "fingerprint \(flow.fingerprint.prefix(12))")
    page.paragraph(SafeText.name(flow.choicesInWords, limit: 2000), paint: .dim)
    let options = report.provenance.options
    if !options.isEmpty {
      let words = ByteOrder.sorted(options.keys).map { "\($0)=\(options[$0] ?? "")" }
      page.paragraph(SafeText.name(words.joined(separator: " "), limit: 2000), paint: .dim)
    }
  }
}
