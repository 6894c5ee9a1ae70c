internal import FlowDefinition

/// The gate as workflow commands of GitHub Actions, which show at the rule's line of the gate file:
/// `::error file=gate.yaml,line=4,col=5,title=…::message`.
package struct GateAnnotations: Sendable {
  /// The runner shows no more of one kind in a step.
  static let limit = 10
  private let result: GateResult

  package init(_ result: GateResult) { self.result = result }

  private struct Annotation {
    var kind: GateResult.Severity
    var line: Int
    var column: Int
    var title: String
    var message: String
  }

  /// A command a line; empty where nothing is wrong.
  package func text() -> String {
    [GateResult.Severity.error, .warning].map { kind in
      let all = annotations.filter { $0.kind == kind }
      let shown = all.count > Self.limit ? Self.limit - 1 : all.count
      var lines = all.prefix(shown).map(line)
      if all.count > shown {
        let rest = Annotation(
          kind: kind, line: 0, column: 0, title: "\(all.count - shown) more",
          message: "\(all.count - shown) more of this kind are in the table and in the summary")
        lines.append(line(rest))
      }
      return lines.joined()
    }.joined()
  }

  private var annotations: [Annotation] {
    let data = result.data.filter { !$0.isMet && $0.suppression == nil }.map { check in
      Annotation(
        kind: check.isBroken ? .error : .warning, line: check.rule?.line ?? 0,
        column: check.rule?.column ?? 0, title: "invalid data",
        message: DataConditions.words(check))
    }
    let checks = result.checks.map { check in
      Annotation(
        kind: result.severity(check), line: check.rule.line, column: check.rule.column,
        title: "\(check.verdict.rawValue): \(check.heading)",
        message: ([GateWords(check).sentence] + GateWords(check).explanations)
          .joined(separator: "\n"))
    }
    return data + checks.filter { $0.kind != .none }
  }

  private func line(_ annotation: Annotation) -> String {
    var properties: [(String, String)] = []
    if !result.gate.file.isEmpty { properties.append(("file", result.gate.file)) }
    if annotation.line > 0, !result.gate.file.isEmpty {
      properties += [("line", "\(annotation.line)"), ("col", "\(annotation.column)")]
    }
    properties.append(("title", annotation.title))
    let list = properties.map { "\($0.0)=\(Self.property($0.1))" }.joined(separator: ",")
    return "::\(annotation.kind.rawValue) \(list)::\(Self.data(annotation.message))\n"
  }

  /// As the toolkit escapes: percent signs first, then line ends.
  private static func data(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
