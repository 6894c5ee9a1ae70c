import FlowDefinition
@testable import FunnelEngine
@testable import FunnelMetrics
@testable import FunnelReport
@testable import ReportFindings
import ReportText
import Testing

/// Whose numbers a page shows below a headline about one version of the flow.
@Suite("Pages that lead with a version")
struct LeadingVersionTests {
  /// Version 1 has one step; everybody with a variant has version 2, of whom as many finish. Of
  /// version 1 nobody is asked, and everybody is quick.
  private static func report() throws -> Report {
    let text = DemoFlow.text.replacing(
      "experiments:", with: "versions: {\"1\": [welcome]}\nversion: \"2\"\nexperiments:")
    let flow = try FlowParser.parse(text, file: "v.yaml").flow
    var demo = try DemoTally(flow)
    for group: DemoTally.Group in [
      .init(
        count: 70, variant: .unassigned, outcome: .finished, viewed: [0], seconds: 5, version: "1"),
      .init(
        count: 30, variant: .unassigned, outcome: .abandoned, viewed: [0], cohort: "2026-W05",
        version: "1"),
    ] { demo.add(group) }
    for variant in ["long", "short"] {
      let list = variant == "long" ? [0, 1, 2, 3] : [0, 2, 3]
      for group: DemoTally.Group in [
        .init(
          count: 70, variant: .assigned(variant), outcome: .finished, viewed: list,
          answer: .granted, version: "2"),
        .init(
          count: 30, variant: .assigned(variant), outcome: .abandoned, viewed: [0], version: "2"),
      ] { demo.add(group) }
    }
    // A damaged file would be the headline.
    var provenance = DemoReport.provenance()
    provenance.sources = provenance.sources.filter(\.problems.isEmpty)
    return Report(Analysis(of: demo.tally, flow), provenance: provenance)
  }

  private static func page() throws -> HTMLReport {
    let page = HTMLReport(try report())
    let leading = page.leading
    #expect(leading.version == "2")
    return page
  }

  @Test func `permissions are of the version, and everyone is beside it`() throws {
    let page = try Self.page()
    let section = page.permissionsSection().text
    #expect(section.contains("</span> people<bdi> of flow version 2</bdi></p>"), "\(section)")
    #expect(section.contains("Shares of flow version 2, or of the group"))
    // 140 of the 200 people of version 2, where everyone has 140 of 300.
    let rows = section.split(separator: "<tr>").filter { $0.contains("<th><bdi>flow version 2") }
    #expect(rows.contains { $0.contains(">70.0") }, "\(rows)")
    #expect(section.contains("<th><bdi>everyone"))
  }

  @Test func `time and retention have the version's figures and say what is of everyone`() throws {
    let page = try Self.page()
    let time = page.timeSection().text
    #expect(time.contains("Time to complete, flow version 2"))
    #expect(time.contains("Of everyone, all flow versions."))
    let retention = try #require(page.retentionSection()).text
    // Nobody of version 2 came back.
    let point = retention.split(separator: "flow version 2, day 7: ").dropFirst().first
    #expect(point?.prefix(20).contains("(0/200)") == true, "\(retention)")
    #expect(retention.contains("Everyone, of all flow versions."))
  }

  @Test func `a step's panel says whose it is`() throws {
    let page = try Self.page()
    let funnel = page.funnelSection().text
    #expect(funnel.contains("people of all flow versions dropped off here, "))
    #expect(funnel.contains("of them with flow version 2"))
    let ordinary = HTMLReport(try DemoReport.ordinary()).funnelSection().text
    #expect(!ordinary.contains("all flow versions"))
  }

  @Test func `the terminal has lines of the version too`() throws {
    let text = try Self.report().terminalSummary(style: TerminalStyle(width: 100))
    let sections = [("PERMISSIONS", "\nTIME"), ("\nTIME", "RETENTION"), ("RETENTION", "\n\n")]
    for (section, next) in sections {
      let part = text.split(separator: section).last?.split(separator: next).first
      #expect(part?.contains("flow version 2") == true, "\(section): \(part ?? "")")
    }
  }

  @Test func `text says of everyone what is of everyone`() throws {
    let report = try Self.report()
    let text = report.markdownText()
    #expect(text.contains("** of everyone finished"), "\(text)")
    let screen = report.terminalScreen(style: TerminalStyle())
    #expect(screen.contains("all flow versions: people who reach the step, of all who should see"))
    let ordinary = try DemoReport.ordinary()
    #expect(!ordinary.markdownText().contains("of everyone finished"))
    #expect(!ordinary.terminalScreen(style: TerminalStyle()).contains("all flow versions"))
  }
}
