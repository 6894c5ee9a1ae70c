import FlowDefinition
@testable import FunnelEngine
@testable import FunnelMetrics
@testable import FunnelReport
@testable import ReportFindings
import Testing

@Suite("Findings")
struct FindingTests {
  @Test func `the ordinary ones, ranked`() throws {
    let findings = try DemoReport.ordinary().findings
    #expect(findings.map(\.rank) == Array(1...findings.count))
    #expect(findings.count <= 8)
    #expect(
      findings.map(\.kind) == [
        .damage, .experiment, .target, .dropOff, .permission, .skip, .retention, .time,
      ])
    // 27 of 200 left at Welcome, 20 of 98 at Your plan, 12 of 153 at notifications.
    #expect(findings[3].text.hasPrefix("No single step stands out beyond chance. "))
    #expect(findings[3].text.contains("Welcome and Your plan (13.5 %, 20.4 % of those who reach"))
    #expect(findings[3].text.contains("The most people are lost at Welcome: 27, "))
    #expect(findings[1].text.hasPrefix("short is better than long: "))
    #expect(findings[0].text.contains("2 of 3 inputs"))
  }

  /// Of 30 people lost at a step most do a goal's event next, or leave after denying.
  private func report(next: NextEvent, did: Int) throws -> Report {
    let flow = try DemoFlow.flow()
    var demo = try DemoTally(flow)
    let long = VariantState.assigned("long")
    for group: DemoTally.Group in [
      .init(count: 70, variant: long, outcome: .finished, viewed: [0, 1, 2, 3]),
      .init(count: did, variant: long, outcome: .abandoned, viewed: [0, 1], next: next),
      .init(count: 30 - did, variant: long, outcome: .abandoned, viewed: [0, 1]),
    ] { demo.add(group) }
    return Report(Analysis(of: demo.tally, flow), provenance: DemoReport.provenance())
  }

  @Test func `people who do a goal next are said beside the step that lost them`() throws {
    let goal = try #require(try DemoFlow.flow().goals.first)
    let report = try report(next: .named(goal.pattern.event), did: 15)
    let finding = try #require(report.findings.first { $0.kind == .lostAnyway })
    #expect(finding.text.hasPrefix("15 of the 30 people lost at "))
    #expect(finding.text.contains("“\(goal.title)” next (median after 12"))
    let said = "But 15 of 30 did “\(goal.title)” next."
    let dropOff = report.findings.first { $0.kind == .dropOff }
    #expect(dropOff?.text.contains(said) == true, "\(dropOff?.text ?? "")")
    #expect(HeadlineWords(report).dropOff?.detail.contains(said) == true)
    #expect(report.htmlText().contains("</span> did “\(goal.title)” next</small>"))
    for (event, did) in [(goal.pattern.event, 14), ("app_opened", 30)] {
      let other = try self.report(next: .named(event), did: did)
      #expect(!other.findings.contains { $0.kind == .lostAnyway }, "\(event), \(did)")
    }
  }

  @Test func `what nobody can act on comes after a missed target`() throws {
    let findings = try DemoReport.ordinary().findings
    let spread = try #require(
      findings.firstIndex { $0.text.hasPrefix("No single step stands out") })
    let rest = findings[spread...].dropFirst()
    #expect(!rest.contains { $0.tone == .bad }, "\(rest.map(\.text))")
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

  private func dropOff(_ groups: [DemoTally.Group], _ flow: Flow? = nil) throws -> [String] {
    let flow = try flow ?? DemoFlow.flow()
    var demo = try DemoTally(flow)
    for group in groups { demo.add(group) }
    let report = Report(Analysis(of: demo.tally, flow), provenance: DemoReport.provenance())
    return report.findings.filter { $0.kind == .dropOff }.map(\.text)
  }

  /// A quarter of those who see a rare step leave there, a twelfth at the steps that all see: the
  /// rate stands out, though more people are lost elsewhere.
  @Test func `a step that few are shown stands out by its rate`() throws {
    let long = VariantState.assigned("long")
    let short = VariantState.assigned("short")
    let found = try dropOff([
      .init(count: 30, variant: long, outcome: .abandoned, viewed: [0, 1]),
      .init(count: 82, variant: long, outcome: .finished, viewed: [0, 1, 2, 3]),
      .init(count: 36, variant: short, outcome: .abandoned, viewed: [0]),
      .init(count: 2, variant: short, outcome: .abandoned, viewed: [0, 2]),
      .init(count: 250, variant: short, outcome: .finished, viewed: [0, 2, 3]),
    ])
    #expect(found.count == 1)
    #expect(
      found[0].hasPrefix(
        "Biggest drop-off: Your plan. 26.8 % of the people who reach it leave (30 of 112; "))
    #expect(found[0].contains("They are 44.1 % of the 68 who didn’t finish."))
    #expect(found[0].hasSuffix("lost at Welcome: 36, 9.0 % of those who reach it."))
  }

  @Test func `a step that a handful reach is not judged`() throws {
    let long = VariantState.assigned("long")
    let found = try dropOff([
      .init(count: 60, variant: long, outcome: .abandoned, viewed: [0]),
      .init(count: 5, variant: long, outcome: .abandoned, viewed: [0, 1]),
      .init(count: 100, variant: long, outcome: .finished, viewed: [0, 1, 3]),
      .init(count: 1, variant: long, outcome: .abandoned, viewed: [0, 2]),
      .init(count: 1, variant: long, outcome: .finished, viewed: [0, 2]),
    ])
    #expect(found.first?.hasPrefix("Biggest drop-off: Welcome. ") == true, "\(found)")
  }

  /// Under no difference at all a step is said to stand out in at most one run of twenty.
  @Test func `steps that are alike seldom stand out`() throws {
    var state: UInt64 = 7
    func leaves() -> Bool {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % 10 == 0
    }
    var alarms = 0
    for _ in 0..<100 {
      var groups: [DemoTally.Group] = []
      var left = 400
      for step in 0..<4 {
        let lost = (0..<left).count { _ in leaves() }
        groups.append(
          .init(
            count: lost, variant: .assigned("long"), outcome: .abandoned,
            viewed: Array(0...step)))
        left -= lost
      }
      groups.append(
        .init(count: left, variant: .assigned("long"), outcome: .finished, viewed: [0, 1, 2, 3]))
      let found = try dropOff(groups)
      alarms += found.contains { $0.hasPrefix("Biggest") } ? 1 : 0
    }
    #expect(alarms <= 5, "\(alarms)")
  }
}
