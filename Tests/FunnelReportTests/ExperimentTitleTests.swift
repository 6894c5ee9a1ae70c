import FlowDefinition
@testable import FunnelMetrics
@testable import FunnelReport
@testable import RegressionGate
@testable import ReportFindings
@testable import ReportText
import Testing

/// Experiments and variants that the flow file gives titles.
@Suite struct ExperimentTitleTests {
  private func flow(_ titles: String) throws -> Flow {
    let split = "    split: {long: 50%, short: 50%}\n"
    return try FlowParser.parse(
      DemoFlow.text.replacing(split, with: split + titles), file: "demo.yaml"
    ).flow
  }

  private func plain() throws -> Flow { try flow("") }

  private func titled() throws -> Flow {
    try flow(
      "    title: Length of the tour\n    titles: {long: Whole tour, short: Quick tour}\n")
  }

  private func report(_ flow: Flow) throws -> Report {
    try GateDemo.report(finished: 1_200, of: 2_000, short: (1_600, 2_000), flow: flow)
  }

  @Test func `people read titles on every surface`() throws {
    let report = try report(titled())
    let page = report.htmlText()
    for (name, text) in [
      ("markdown", report.markdownText()), ("page", page),
      ("terminal", report.terminalSummary(style: TerminalStyle())),
      ("screen", report.terminalScreen(style: TerminalStyle())),
      ("finding", report.findings.map(\.text).joined()),
      ("headline", try #require(report.headline).claim),
    ] {
      #expect(text.contains("Quick tour"), "\(name)")
      #expect(!text.contains("short is better") && !text.contains("short against"), "\(name)")
    }
    #expect(page.contains("Experiment Length of the tour"))
    #expect(page.contains("<bdi>short</bdi>"), "what events call the variant")
    #expect(page.contains("value=\"short\""), "addresses keep ids")
    let metrics = try #require(report.document("metrics.csv"))
    #expect(report.cards(metrics: metrics).map(\.text).joined().contains("Quick tour"))
  }

  @Test func `titles change no number and no id`() throws {
    let (plain, titled) = (try report(plain()), try report(titled()))
    #expect(plain.analysis.flow.fingerprint == titled.analysis.flow.fingerprint)
    for name in Report.documentNames where name.hasSuffix(".csv") {
      #expect(plain.document(name) == titled.document(name), "\(name)")
    }
    let json = try #require(titled.document("metrics.json")).text
    let added = #", "title": "Length of the tour""#
    #expect(json.contains(#""id": "length""# + added))
    #expect(json.contains(#""variant": "short", "title": "Quick tour""#))
  }

  @Test func `a comparison of variants has the titles of the file`() throws {
    let json = try #require(report(titled()).document("metrics.json"))
    let file = try RecordedReport(bytes: json.bytes)
    let text = RunComparison(
      file, file, sliceBefore: .init(experiment: "length", variant: "long"),
      sliceAfter: .init(experiment: "length", variant: "short")
    ).text(style: TerminalStyle())
    #expect(text.contains("variant Quick tour of Length of the tour"))
  }

  @Test func `a gate names variants by their titles to people and by ids to programs`() throws {
    let rules = "  - {metric: completion_rate, for_each: variant, at_least: 70%}"
    let gate = try GateDemo.gate(rules, flow: titled())
    let result = try GateRun(gate: gate, report: report(titled()), baseline: nil).result()
    #expect(
      result.checks.map(\.heading) == [
        "completion_rate, variant Whole tour", "completion_rate, variant Quick tour",
      ])
    #expect(GateTable(result).text().contains("variant Quick tour"))
    #expect(GateMarkdown(result).text().contains("variant Quick tour"))
    #expect(GateJSON(result).text().contains("completion_rate, variant short"))
    #expect(!GateJSON(result).text().contains("\"completion_rate, variant Quick tour"))
  }
}
