import FlowDefinition
import Foundation
import FunnelMetrics
import RegressionGate
import Testing

/// The forms that a verdict is told in.
@Suite struct GateOutputTests {
  private static let rules = """
      - {metric: completion_rate, not_worse_by: 2%}
      - {metric: abandon_rate, for_each: os, at_most: 29%}
      - {metric: completion_rate, variant: short, not_worse_by: 3%, against: control}
      - {metric: completion_rate, at_least: 99%, suppress: {reason: "a & <b>, 5%", until: 2099-12-31}}
      - {metric: retention_d7, at_least: 90%, level: warn}
      - {quality: orphans, at_most: 0%, level: warn}
    """

  private func result() throws -> GateResult {
    try GateDemo.result(
      Self.rules, now: GateDemo.report(finished: 3_500, of: 5_000, short: (3_500, 5_000)),
      before: GateDemo.report(finished: 4_000, of: 5_000))
  }

  @Test func `the table is as on record`() throws {
    try GoldenFile.expect(GateTable(try result()).text(), matches: "check.txt")
  }

  @Test func `the JSON is as on record and is JSON`() throws {
    let text = GateJSON(try result()).text()
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(text.utf8)) }
    try GoldenFile.expect(text, matches: "check.json")
  }

  @Test func `JUnit is as on record and well formed`() throws {
    let text = GateJUnit(try result()).text()
    try GoldenFile.expect(text, matches: "check.junit.xml")
    #expect(text.contains("a &amp; &lt;b&gt;, 5%"))
  }

  @Test func `the Markdown summary is as on record`() throws {
    try GoldenFile.expect(GateMarkdown(try result()).text(), matches: "check.md")
  }

  @Test func `annotations follow the grammar of workflow commands`() throws {
    let text = GateAnnotations(try result()).text()
    let lines = text.split(separator: "\n")
    #expect(lines.count >= 2)
    let grammar = /::(error|warning) (file=[^,:]+(,line=\d+,col=\d+)?,)?title=[^,:]+::[^\r\n]+/
    for line in lines { #expect(line.wholeMatch(of: grammar) != nil, "\(line)") }
    #expect(text.contains("file=ci/gate.yaml,line=3,col=5"))
    #expect(!text.replacing(/%(25|0A|0D|3A|2C)/, with: "").contains("%"))
  }

  @Test func `at most ten annotations of a kind`() throws {
    let rules = (1...14).map { "  - {metric: completion_rate, at_least: \(85 + $0)%}" }
    let result = try GateDemo.result(
      rules.joined(separator: "\n"), now: GateDemo.report(finished: 3_500, of: 5_000))
    let lines = GateAnnotations(result).text().split(separator: "\n")
    #expect(lines.count == 10)
    #expect(lines.last?.contains("5 more") == true)
  }

  @Test func `a baseline is one number a line and reads back`() throws {
    let gate = try GateDemo.gate(Self.rules)
    let report = try GateDemo.report(finished: 4_000, of: 5_000)
    let run = GateRun(gate: gate, report: report, baseline: nil)
    let text = try run.baselineDocument()
    let changed = try GateRun(
      gate: gate, report: GateDemo.report(finished: 4_001, of: 5_000), baseline: nil
    ).baselineDocument()
    let lines = text.split(separator: "\n")
    #expect(lines.count == changed.split(separator: "\n").count)
    let baseline = try Baseline(json: Array(text.utf8), name: "b")
    #expect(baseline.row(.completionRate)?.numerator == 8_000)
    try GoldenFile.expect(text, matches: "baseline.json")
  }
}
