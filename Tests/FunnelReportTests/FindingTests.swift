@testable import FunnelEngine
import FunnelReport
import Testing

@Suite("Findings")
struct FindingTests {
  @Test func `the ordinary ones, ranked`() throws {
    let findings = try DemoReport.ordinary().findings
    #expect(findings.map(\.rank) == Array(1...findings.count))
    #expect(findings.count <= 7)
    #expect(
      findings.map(\.kind) == [
        .damage, .dropOff, .experiment, .permission, .skip, .retention, .target,
      ])
    // 12 of 135 left at notifications, 20 of 97 at plan, 27 of 197 at welcome: most persons count.
    #expect(findings[1].text.contains("at welcome"))
    #expect(findings[1].text.contains("95 % CI"))
    #expect(findings[0].text.contains("2 of 3 inputs"))
  }

  @Test func `a broken split comes first and silences the verdict`() throws {
    let flow = try DemoFlow.flow()
    var demo = try DemoTally(flow)
    demo.add(
      .init(
        count: 900, variant: .assigned("long"), outcome: .finished, viewed: [0, 1, 2, 3]))
    demo.add(
      .init(count: 100, variant: .assigned("short"), outcome: .finished, viewed: [0, 2, 3]))
    let report = Report(Analysis(of: demo.tally, flow), provenance: DemoReport.provenance())
    #expect(report.findings.first?.kind == .sampleRatio)
    #expect(!report.findings.contains { $0.kind == .experiment })
    let csv = report.documents().first { $0.name == "experiments.csv" }?.text ?? ""
    #expect(csv.contains("no verdict: sample-ratio mismatch"))
  }

  @Test func `rejects over the bound and mixed variants are told`() throws {
    let flow = try DemoFlow.flow()
    var demo = try DemoTally(flow)
    demo.add(
      .init(count: 50, variant: .assigned("long"), outcome: .finished, viewed: [0, 1, 2, 3]))
    demo.add(.init(count: 50, variant: .assigned("short"), outcome: .abandoned, viewed: [0]))
    demo.add(
      .init(
        count: 3, variant: .contaminated(["long", "short"]), outcome: .finished, viewed: [0]))
    var provenance = DemoReport.provenance()
    provenance.rejectsByReason = ["malformed_json": 20]
    let findings = Report(Analysis(of: demo.tally, flow), provenance: provenance).findings
    #expect(findings.prefix(3).map(\.kind) == [.damage, .rejects, .contamination])
    #expect(findings[1].text.contains("2.0 % of the lines"))
    #expect(findings[2].text.contains("(3/103)"))
  }

  @Test func `when all are still on their way there is no rate`() throws {
    let flow = try DemoFlow.flow()
    var demo = try DemoTally(flow)
    demo.add(.init(count: 8, variant: .assigned("long"), outcome: .open, viewed: []))
    let report = Report(Analysis(of: demo.tally, flow), provenance: DemoReport.provenance())
    #expect(report.findings.map(\.kind) == [.damage, .immature])
  }

  @Test func `many who were seen long before are told`() throws {
    let flow = try DemoFlow.flow()
    var demo = try DemoTally(flow)
    demo.add(.init(count: 30, variant: .assigned("long"), outcome: .finished, viewed: [0]))
    var tally = demo.tally
    tally.quality.existingUsers = 70
    let report = Report(Analysis(of: tally, flow), provenance: DemoReport.provenance())
    let finding = try #require(report.findings.first { $0.kind == .existingUsers })
    #expect(finding.text.contains("70 of 100"))
  }
}
