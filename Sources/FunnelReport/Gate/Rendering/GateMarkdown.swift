internal import FlowDefinition

/// The gate for a job's summary or a pull request.
public struct GateMarkdown: Sendable {
  private let result: GateResult

  public init(_ result: GateResult) { self.result = result }

  public func text() -> String {
    var lines = ["## Gate \(Self.cell(result.gate.title)): \(headline)", ""]
    if let name = result.baselineName {
      let until = result.baselineHorizonMilliseconds.map {
        ", complete up to \(InstantText.minute($0))"
      }
      lines += ["Baseline: \(Self.cell(name))\(until ?? "").", ""]
    }
    for check in result.data where !check.isMet {
      lines.append("- **invalid data**: \(Self.cell(DataConditions.words(check)))")
    }
    if result.data.contains(where: { !$0.isMet }) { lines.append("") }
    if !result.checks.isEmpty {
      lines += ["| | rule | numbers | change | |", "|---|---|---|---|---|"]
      lines += loudFirst.map(row)
      lines.append("")
    }
    for check in result.checks
    where !GateWords(check).explanations.isEmpty || !check.examples.isEmpty {
      lines.append("**\(Self.cell(check.title))**: what contributes most")
      lines.append("")
      lines += GateWords(check).explanations.map { "- \(Self.cell($0))" }
      if !check.examples.isEmpty {
        lines.append("- for example " + check.examples.map { "`\($0)`" }.joined(separator: ", "))
      }
      lines.append("")
    }
    lines += result.remarks.map { "- \(Self.cell($0))" }
    return lines.joined(separator: "\n") + "\n"
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
    let why = [words.reason, words.suppression].filter { !$0.isEmpty }.joined(separator: "; ")
    let cells = [mark, "\(check.title): \(words.demand)", words.numbers, words.change, why]
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
