import FlowDefinition
import FunnelMetrics
import FunnelReport
import ReportFindings
import ReportText
import Testing

/// A world with a known truth: some look at a step for three minutes and leave, the others move on
/// after 5 s.
@Suite("Time to move on, over all who see a step")
struct MoveOnWorldTests {
  private static func analysis(leaving: Int) async throws -> Analysis {
    let world = MadeWorld(flow: "flow: stares\nwindow: 24h\nsteps: [one, two, three]\n")
    return try await world.analysis(persons: 1000) { person in
      let isLeaving = person < leaving
      // Nothing is sent when somebody leaves.
      let rest = isLeaving ? ["+183s app_closed"] : ["+8s view three", "+18s finish"]
      return ["+0s view one", "+3s view two"] + rest
    }
  }

  @Test func `where more than half leave, half never move on`() async throws {
    let found = try await Self.analysis(leaving: 600)
    #expect(found.row(.timeOnStep.percentile(50), step: "two")?.value == 5)
    #expect(found.row(.timeOnStep.numberOfValues, step: "two")?.numerator == 400)
    let median = try #require(found.row(.timeToMoveOn.percentile(50), step: "two"))
    #expect(median.value == nil)
    #expect(found.row(.timeToMoveOn.numberOfValues, step: "two")?.numerator == 1000)
    #expect(found.row(.timeToMoveOn.percentile(50), step: "one")?.value == 3)
    #expect(found.row(.timeToMoveOn.percentile(99), step: "three")?.value == 10)
    let report = Report(found, provenance: Provenance(programVersion: "test"))
    #expect(report.findings.contains { $0.text.contains("people who see two never move on") })
    #expect(report.terminalSummary(style: TerminalStyle()).contains("never"))
  }

  @Test func `where fewer leave, the quantiles are those of all`() async throws {
    let found = try await Self.analysis(leaving: 400)
    #expect(found.row(.timeToMoveOn.percentile(50), step: "two")?.value == 5)
    #expect(found.row(.timeToMoveOn.percentile(75), step: "two")?.value == nil)
    let report = Report(found, provenance: Provenance(programVersion: "test"))
    let said = report.findings.contains {
      $0.text.contains(
        "People stay longest on three: half of all who see it have moved on after 10")
    }
    #expect(said)
  }
}
