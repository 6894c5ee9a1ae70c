internal import FlowDefinition
internal import FunnelMetrics
package import ReportText

/// The gate for a terminal: what is wrong first, each with its reasons, then a line a check.
package struct GateTable: Sendable {
  private let result: GateResult
  private let style: TerminalStyle

  package init(_ result: GateResult, style: TerminalStyle = TerminalStyle()) {
    self.result = result
    self.style = style
  }

  package func text() -> String {
    var page = TerminalPage(style: style)
    page.line(page.paint("Gate \(SafeText.name(result.gate.title))", .bold) + "  \(headline)")
    if let judged = result.judged { page.paragraph("people who began \(judged.text)") }
    if let baseline = GateWords.baseline(result) { page.paragraph("baseline \(baseline)") }
    page.line()
    for check in result.checks { add(check, to: &page) }
    let broken = result.data.filter { !$0.isMet }
    for check in broken {
      page.paragraph(
        DataConditions.words(check),
        lead: "  \(check.isBroken ? "invalid     " : "warning     ")  ",
        paint: .red)
    }
    for remark in result.remarks { page.paragraph(SafeText.name(remark, limit: 400)) }
    page.line()
    page.line(summary)
    addCommands(to: &page)
    return page.text
  }

  /// Each on one line, however long, so that it can be copied.
  private func addCommands(to page: inout TerminalPage) {
    if result.commands.isEmpty { return }
    page.heading("What next")
    for command in result.commands {
      page.line("  \(command.purpose.words):")
      page.line("    " + command.text)
    }
    if let other = GateWords.otherAcceptance(result) { page.paragraph(other) }
  }

  private var headline: String {
    switch result.verdict {
    case .pass, .noneShown: result.passWords
    case .fail: "FAILED"
    case .inconclusive: "inconclusive"
    case .invalid: "invalid data"
    }
  }

  private func add(_ check: GateCheck, to page: inout TerminalPage) {
    let words = GateWords(check)
    let label = check.isSuppressed ? "suppressed" : check.verdict.words
    let paint: TerminalPage.Paint =
      switch (check.isSuppressed, check.verdict) {
      case (true, _): .dim
      case (_, .pass), (_, .noneShown): .green
      case (_, .fail), (_, .invalid): .red
      case (_, .inconclusive): .yellow
      }
    let level = check.rule.level == .warn && check.verdict == .fail ? " (warning only)" : ""
    page.paragraph(
      "\(check.heading): \(words.demand)\(level)",
      lead: "  \(TextWidth.left(label, 12))  ", leadPaint: paint)
    let numbers = [words.numbers, words.change].filter { !$0.isEmpty }.joined(separator: "; ")
    page.paragraph(numbers, lead: "                ", paint: .dim)
    if let days = GateWords.days(check, of: result) {
      page.paragraph(days, lead: "                ")
    }
    for line in [words.reason, words.suppression] + words.explanations where !line.isEmpty {
      page.paragraph(line, lead: "                ")
    }
    if !check.examples.isEmpty {
      page.paragraph(
        "for example \(check.examples.joined(separator: " "))", lead: "                ")
    }
  }

  private var summary: String {
    let counts = GateVerdict.allCases.filter { result.count($0) > 0 }
      .map { "\(result.count($0)) \($0.words)" }
    let suppressed = result.checks.count(where: \.isSuppressed)
    let all = counts + (suppressed > 0 ? ["\(suppressed) suppressed"] : [])
    let nights = result.gate.nights
    // Some rates are tested as if days differed by chance alone.
    let areDaysUnknown = result.checks.contains { $0.days.map { $0.deviation == nil } ?? false }
    let alpha =
      RateText.bound(result.gate.alpha) + (nights > 1 ? " over \(nights) runs" : "")
      + (areDaysUnknown ? " if days don’t differ" : "")
    let tests: String? =
      switch result.familySize {
      case 0: result.declines == 0 ? "nothing was tested" : nil
      case 1: "1 test has a false-alarm rate of \(alpha)"
      default: "\(result.familySize) tests share a false-alarm rate of \(alpha)"
      }
    let parts = [all.isEmpty ? "no checks" : all.joined(separator: ", "), tests, declines]
    return parts.compactMap(\.self).joined(separator: "; ")
  }

  /// The rules that watch for a slow decline are a family of their own, over all nights.
  private var declines: String? {
    let alpha = RateText.bound(result.gate.alpha)
    switch result.declines {
    case 0: return nil
    case 1:
      return "1 watch for a slow decline has a false-alarm rate of \(alpha) over all nights"
    default:
      return "\(result.declines) watches for a slow decline share a false-alarm rate of \(alpha) "
        + "over all nights"
    }
  }
}
