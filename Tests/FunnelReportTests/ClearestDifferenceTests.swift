import ExperimentStatistics
import FlowDefinition
@testable import FunnelEngine
@testable import FunnelMetrics
@testable import FunnelReport
@testable import ReportFindings
import ReportText
import Testing

/// What a reader sees of an undecided experiment without opening anything.
@Suite("The clearest of the undecided differences")
struct ClearestDifferenceTests {
  /// Of 200 people a variant, as many finish in both if nothing else is said; so many of them reach
  /// the goal.
  private static func report(
    _ long: Int, _ short: Int, shortFinish: Int = 140, sequential: Bool = false
  ) throws -> Report {
    var flow = try DemoFlow.flow()
    flow.experiments[0].isSequential = sequential
    flow.retention = []
    var demo = try DemoTally(flow)
    for (variant, reached) in [("long", long), ("short", short)] {
      let list = variant == "long" ? [0, 1, 2, 3] : [0, 2, 3]
      let finish = variant == "long" ? 140 : shortFinish
      let state = VariantState.assigned(variant)
      for group: DemoTally.Group in [
        .init(
          count: reached, variant: state, outcome: .finished, viewed: list, returned: true),
        .init(count: finish - reached, variant: state, outcome: .finished, viewed: list),
        .init(count: 200 - finish, variant: state, outcome: .abandoned, viewed: [0]),
      ] { demo.add(group) }
    }
    return Report(Analysis(of: demo.tally, flow), provenance: DemoReport.provenance())
  }

  private static let reason =
    "Alone it would be significant; adjusted for all metrics it isn’t."

  @Test func `a difference that only the other metrics keep from being shown is named`() throws {
    let report = try Self.report(30, 46)
    let decision = try #require(Decision.all(report.analysis, horizon: nil).first)
    #expect(
      decision.text.hasSuffix(
        "Of what people of both did, the clearest difference so far: “first_plan”, 15.0 % → 23.0 %. \(Self.reason)"
      ),
      "\(decision.text)")
    let finding = try #require(report.findings.first { $0.kind == .experiment })
    #expect(finding.text.contains("Too early to say whether short changes completion"))
    #expect(finding.text.contains("30 of 200 people against 46 of 200): the clearest"))
    #expect(finding.text.contains(Self.reason))
    // Its row stands open beside completion's.
    let section = try #require(HTMLReport(report).experimentsSection()).text
    let open = try #require(section.split(separator: "Each metric over everyone").dropFirst().first)
    let rows = open.split(separator: "</table>")[0]
    #expect(rows.contains("Completion") && rows.contains("First_plan"), "\(rows)")
  }

  @Test func `where completion differs most no other metric is the clearest`() throws {
    let report = try Self.report(30, 44, shortFinish: 159)
    let decision = try #require(Decision.all(report.analysis, horizon: nil).first)
    #expect(decision.text.hasSuffix(" \(Self.reason)"), "\(decision.text)")
    let texts = [decision.text] + report.findings.map(\.text)
    #expect(!texts.contains { $0.contains("clearest difference") })
  }

  @Test func `what nobody of one variant has is no difference to wait for`() throws {
    let report = try Self.report(0, 4)
    // Its p alone would make it the clearest.
    let goal = try #require(
      report.analysis.experiments[0].comparisons.first {
        $0.role == .together && $0.controlRate.successes == 0 && $0.treatmentRate.successes == 4
      })
    #expect(try #require(goal.p) < 0.05)
    #expect(try #require(goal.pAdjusted) >= 0.05)
    let texts =
      Decision.all(report.analysis, horizon: nil).map(\.text) + report.findings.map(\.text)
    #expect(!texts.contains { $0.contains("clearest difference") })
  }

  @Test func `neither chance nor a decided metric is named`() throws {
    for (long, short) in [(30, 33), (30, 80)] {
      let report = try Self.report(long, short)
      let texts =
        Decision.all(report.analysis, horizon: nil).map(\.text) + report.findings.map(\.text)
      #expect(!texts.contains { $0.contains("clearest difference") }, "\(long), \(short)")
    }
  }

  @Test(arguments: [false, true])
  func `every experiment says which rule its verdicts follow`(sequential: Bool) throws {
    let report = try Self.report(30, 33, sequential: sequential)
    let said =
      sequential
      ? "The verdict holds at every check: the flow file plans for checks at any time"
      : "The verdict counts this report as the only look: the flow file plans no interim checks."
    let texts = [
      report.htmlText(), report.markdownText(), report.terminalSummary(style: TerminalStyle()),
    ]
    for text in texts {
      let line = text.replacing("\n", with: " ").split(separator: " ").joined(separator: " ")
      #expect(line.contains(said))
    }
  }
}
