internal import FlowDefinition

/// The gate as JUnit XML: a suite for the rules and one for the data. What is inconclusive, only
/// warned of or suppressed is `skipped` with its reason; invalid data are an `error`.
package struct GateJUnit: Sendable {
  private let result: GateResult

  package init(_ result: GateResult) { self.result = result }

  private struct TestCase {
    enum Outcome: String {
      case passed, failure, error, skipped
    }
    var group: String
    var name: String
    var outcome: Outcome
    var message: String
    var body: String
  }

  package func text() -> String {
    let suites = [
      ("rules", result.checks.map(testCase)), ("data", result.data.map(testCase)),
    ]
    let all = suites.flatMap { $0.1 }
    var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"]
    lines.append("<testsuites name=\(quoted("firstmile check")) \(counts(all))>")
    for (name, cases) in suites {
      let title = "\(result.gate.title): \(name)"
      lines.append("  <testsuite name=\(quoted(title)) \(counts(cases))>")
      for test in cases { lines += element(test) }
      lines.append("  </testsuite>")
    }
    lines.append("</testsuites>")
    return lines.joined(separator: "\n") + "\n"
  }

  private func counts(_ cases: [TestCase]) -> String {
    func count(_ outcome: TestCase.Outcome) -> Int { cases.count { $0.outcome == outcome } }
    return "tests=\"\(cases.count)\" failures=\"\(count(.failure))\" errors=\"\(count(.error))\" "
      + "skipped=\"\(count(.skipped))\" time=\"0\""
  }

  private func element(_ test: TestCase) -> [String] {
    let opening =
      "    <testcase classname=\(quoted(test.group)) name=\(quoted(test.name)) time=\"0\""
    if test.outcome == .passed { return [opening + "/>"] }
    let kind =
      test.outcome == .skipped ? "" : " type=\(quoted(test.outcome == .error ? "invalid" : "drop"))"
    let body = test.outcome == .skipped ? "" : XMLText.escaped(test.body)
    let inner =
      "      <\(test.outcome.rawValue) message=\(quoted(test.message))\(kind)"
      + (body.isEmpty ? "/>" : ">\(body)</\(test.outcome.rawValue)>")
    return [opening + ">", inner, "    </testcase>"]
  }

  private func testCase(_ check: GateCheck) -> TestCase {
    let words = GateWords(check)
    let severity = result.severity(check)
    let outcome: TestCase.Outcome =
      switch (severity, check.verdict) {
      case (_, .pass) where !check.isSuppressed, (_, .noneShown) where !check.isSuppressed: .passed
      case (.error, .invalid): .error
      case (.error, _): .failure
      default: .skipped
      }
    let message = [words.suppression, words.numbers, words.change, words.reason]
      .filter { !$0.isEmpty }.joined(separator: "; ")
    let examples =
      check.examples.isEmpty ? [] : ["for example \(check.examples.joined(separator: " "))"]
    return TestCase(
      group: "\(result.flow).\(check.metric)", name: "\(check.title): \(words.demand)",
      outcome: outcome, message: "\(check.verdict.words): \(message)",
      body: (words.explanations + examples
        + (check.verdict == .fail ? result.commands.map(\.text) : [])).joined(separator: "\n"))
  }

  private func testCase(_ check: DataCheck) -> TestCase {
    TestCase(
      group: "\(result.flow).data", name: DataConditions.name(check),
      outcome: check.isMet ? .passed : check.isBroken ? .error : .skipped,
      message: DataConditions.words(check), body: "")
  }

  private func quoted(_ text: String) -> String { "\"\(XMLText.escaped(text))\"" }
}

/// Text that may stand in XML 1.0: markup is escaped, and what XML forbids is left out. What would
/// turn the direction of the text or hide in it is shown as `\u{202E}`.
enum XMLText {
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x26: result += "&amp;"
      case 0x3C: result += "&lt;"
      case 0x3E: result += "&gt;"
      case 0x22: result += "&quot;"
      case 0x27: result += "&apos;"
      case 0x09, 0x0D: result += " "
      case 0x0A: result += "&#10;"
      case 0..<0x20, 0x7F...0x9F, 0xFFFE, 0xFFFF: break
      case _ where HiddenScalars.contains(scalar):
        result += HiddenScalars.escaped(String(scalar))
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
