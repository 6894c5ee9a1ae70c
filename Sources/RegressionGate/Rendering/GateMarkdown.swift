internal import FlowDefinition
internal import FunnelMetrics
internal import ReportText

/// The gate for a job's summary or a pull request.
package struct GateMarkdown: Sendable {
  private let result: GateResult

  package init(_ result: GateResult) { self.result = result }

  package func text() -> String {
    var lines = ["## Gate \(Self.cell(result.gate.title)): \(headline)", ""]
    let judged = result.judged.map { "People who began \($0.text)." }
    let baseline = GateWords.baseline(result).map { "Baseline: \(Self.cell($0))." }
    let heading = [judged, baseline].compactMap(\.self).joined(separator: " ")
    if !heading.isEmpty { lines += [heading, ""] }
    for check in result.data where !check.isMet {
      lines.append("- **invalid data**: \(Self.cell(DataConditions.words(check)))")
    }
    if result.data.contains(where: { !$0.isMet }) { lines.append("") }
    if !result.checks.isEmpty {
      lines += ["| | rule | numbers | change | |", "|---|---|---|---|---|"]
      lines += loudFirst.map(row)
      lines.append("")
    }
    lines += contributions + commands
    lines += result.remarks.map { "- \(Self.cell($0))" }
    return lines.joined(separator: "\n") + "\n"
  }

  private var contributions: [String] {
    var lines: [String] = []
    for check in result.checks
    where !GateWords(check).explanations.isEmpty || !check.examples.isEmpty {
      lines.append("**\(Self.cell(check.heading))**: what contributes most")
      lines.append("")
      lines += GateWords(check).explanations.map { "- \(Self.cell($0))" }
      if !check.examples.isEmpty {
        lines.append("- for example " + check.examples.map { "`\($0)`" }.joined(separator: ", "))
      }
      lines.append("")
    }
    return lines
  }

  /// Folded, since most readers of a pull request only want the verdict.
  private var commands: [String] {
    if result.commands.isEmpty { return [] }
    var lines = [
      "<details><summary>Reproduce, see who, accept</summary>", "", "```sh",
    ]
    for command in result.commands { lines += ["# \(command.purpose.words)", command.text] }
    lines += ["```", ""]
    if let other = GateWords.otherAcceptance(result) { lines += [Self.cell(other), ""] }
    return lines + ["</details>", ""]
  }

  private var headline: String {
    switch result.verdict {
    case .pass, .noneShown:
      (result.count(.inconclusive) == 0 ? "✅ " : "⚠️ ") + result.passWords
    case .fail: "❌ failed"
    case .inconclusive: "⚠️ inconclusive"
    case .invalid: "❌ invalid data"
    }
  }

  /// Errors, warnings, then the rest; in the order of the rules within each.
  private var loudFirst: [GateCheck] {
    [GateResult.Severity.error, .warning, .none].flatMap { severity in
      result.checks.filter { result.severity($0) == severity }
    }
  }

  private func row(_ check: GateCheck) -> String {
    let words = GateWords(check)
    let mark = check.isSuppressed ? "🔇 suppressed" : Self.mark(check)
    let days = GateWords.days(check, of: result)
    let why = [words.reason, words.suppression, days ?? ""].filter { !$0.isEmpty }.joined(
      separator: "; ")
    let cells = [mark, "\(check.heading): \(words.demand)", words.numbers, words.change, why]
    return "| " + cells.map(Self.cell).joined(separator: " | ") + " |"
  }

  private static func mark(_ check: GateCheck) -> String {
    switch check.verdict {
    case .pass: "✅ pass"
    case .noneShown: "☑️ none shown"
    case .fail: check.rule.level == .error ? "❌ fail" : "⚠️ fail"
    case .inconclusive: "⚠️ inconclusive"
    case .invalid: "❌ invalid"
    }
  }

  /// Long, since a table of verdicts is read as a whole.
  private static func cell(_ text: String) -> String { MarkdownText.plain(text, limit: 2000) }
}
