import FlowDefinition
@testable import FunnelEngine
@testable import FunnelMetrics
@testable import FunnelReport
@testable import ReportFindings
import Testing

/// What a breakdown says besides its rates, and what a step says about friction.
@Suite("Groups of people beside one another")
struct GroupTests {
  /// So many of 200 people on each system finish.
  private static func report(_ new: Int, _ old: Int) throws -> Report {
    let flow = try DemoFlow.flow()
    var demo = try DemoTally(flow)
    for (os, finish) in [("iOS 26.1", new), ("iOS 18.4", old)] {
      let state = VariantState.assigned("long")
      for group: DemoTally.Group in [
        .init(count: finish, variant: state, outcome: .finished, viewed: [0, 1, 2, 3], os: os),
        .init(count: 200 - finish, variant: state, outcome: .abandoned, viewed: [0, 1], os: os),
      ] { demo.add(group) }
    }
    return Report(Analysis(of: demo.tally, flow), provenance: DemoReport.provenance())
  }

  private static func section(_ report: Report) throws -> String {
    try #require(HTMLReport(report).trendsSection()).text
  }

  @Test func `a value whose completion differs clearly is named and marked`() throws {
    let report = try Self.report(160, 100)
    let groups = try #require(CompletionGroups(report.analysis))
    #expect(groups.standingOut.map(\.slice.breakdown.value) == ["iOS 18.4", "iOS 26.1"])
    #expect(groups.standingOut.map(\.isHigher) == [false, true])
    let section = try Self.section(report)
    #expect(
      section.contains("higher for “iOS 26.1” (OS) and lower for “iOS 18.4” (OS) than for all"),
      "\(section)")
    #expect(section.contains("<th>against all others</th>"))
    #expect(section.contains(">higher</span>") && section.contains(">lower</span>"))
  }

  @Test func `that no value differs is said, too`() throws {
    let report = try Self.report(125, 118)
    let section = try Self.section(report)
    #expect(section.contains("No group that is known at the start differs clearly in completion"))
    #expect(!section.contains("against all others"))
  }

  @Test func `nothing is said of groups too small to be judged`() throws {
    let flow = try DemoFlow.flow()
    var demo = try DemoTally(flow)
    demo.add(
      .init(count: 90, variant: .assigned("long"), outcome: .finished, viewed: [0, 1, 2, 3]))
    demo.add(
      .init(
        count: 5, variant: .assigned("long"), outcome: .abandoned, viewed: [0], os: "iOS 18.4"))
    let analysis = Analysis(of: demo.tally, flow)
    #expect(CompletionGroups(analysis) == nil)
    #expect(GroupWords.sentence(nil, analysis) == nil)
  }

  @Test func `paper says what it leaves out`() throws {
    let section = try Self.section(Self.report(125, 118))
    #expect(section.contains("Not printed, in the page on a screen: completion by OS"))
  }

  @Test func `a step leads to the friction on it`() throws {
    let funnel = HTMLReport(try Self.report(125, 118)).funnelSection().text
    let rows = funnel.split(separator: "<li id=")
    let plan = try #require(rows.first { $0.hasPrefix("\"funnel/plan\"") })
    #expect(plan.contains("Friction here, of everyone who started: "), "\(plan)")
    #expect(plan.contains("ave failed"), "\(plan)")
    #expect(plan.contains("<a href=\"#retention/Friction\">All friction</a>"))
    #expect(!rows.contains { $0.hasPrefix("\"funnel/welcome\"") && $0.contains("Friction here") })
  }
}
