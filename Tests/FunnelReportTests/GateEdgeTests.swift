import FlowDefinition
import Foundation
@testable import FunnelEngine
@testable import FunnelMetrics
@testable import FunnelReport
@testable import RegressionGate
@testable import ReportFindings
@testable import ReportText
import Testing

/// Numbers of the gate where one side lacks what the other has, and where numbers are no rates.
@Suite struct GateEdgeTests {
  /// Of each system that is given so many who finish and so many who don't.
  private func report(_ systems: [(os: String, finished: Int, abandoned: Int)]) throws -> Report {
    let flow = try DemoFlow.flow()
    var demo = try DemoTally(flow)
    for system in systems {
      for variant in ["long", "short"] {
        let state = VariantState.assigned(variant)
        demo.add(
          .init(
            count: system.finished, variant: state, outcome: .finished, viewed: [0, 2, 3],
            os: system.os))
        demo.add(
          .init(
            count: system.abandoned, variant: state, outcome: .abandoned, viewed: [0],
            os: system.os))
      }
    }
    var provenance = DemoReport.provenance()
    provenance.sources = provenance.sources.filter(\.problems.isEmpty)
    return Report(Analysis(of: demo.tally, flow), provenance: provenance)
  }

  @Test func `who is gone altogether explains a drop`() throws {
    let before = try report([("new", 900, 100), ("old", 600, 400), ("rare", 30, 20)])
    let now = try report([("old", 600, 400), ("rare", 30, 20)])
    let result = try GateDemo.result(
      "  - {metric: completion_rate, not_worse_by: 2%}", now: now, before: before)
    let check = try #require(result.checks.first)
    #expect(check.verdict == .fail)
    let part = try #require(check.explanations.first { $0.name.hasPrefix("os=") })
    #expect(part.name == "os=new" && part.kind == .newKind)
    // Its share of the people before, times its rate less that of the systems both sides have.
    #expect(abs(part.points + 1000.0 / 2050 * (0.9 - 630.0 / 1050)) < 1e-9)
    #expect(abs(part.before - 1000.0 / 2050) < 1e-9 && part.now == 0)
  }

  @Test func `the interval of a bound with few expected is the exact one`() throws {
    let result = try GateDemo.result(
      "  - {metric: abandon_rate, at_most: 2%}", now: report([("new", 47, 3)]))
    let check = try #require(result.checks.first)
    #expect(check.current?.denominator == 100 && check.verdict == .fail)
    let few = try #require(
      try GateDemo.result(
        "  - {metric: abandon_rate, variant: short, at_most: 2%}", now: report([("new", 47, 3)])
      ).checks.first)
    // P(3 or more of 50 at 2 %) = 0.078.
    #expect(few.verdict == .inconclusive)
    #expect(try abs(#require(few.p) - 0.0784) < 0.0001)
    #expect(try #require(few.low) < 0.02)
    #expect(try #require(few.high) > 0.14)
  }

  @Test func `what two rules and a target ask is tested once`() throws {
    let now = try GateDemo.report(finished: 700, of: 1_000)
    let head = "statistics: {alpha: 5%}\n"
    let result = try GateDemo.result(
      """
        - {id: own, metric: completion_rate, at_least: 80%, level: warn}
        - {metric: skip_rate, variant: short, at_most: 10%, level: warn}
        - {metric: skip_rate, variant: short, at_most: 10%}
        - {metric: skip_rate, variant: short, at_most: 20%}
      """, now: now, head: head)
    // And the flow's own targets: completion at least 80 %, skips at most 50 %.
    #expect(result.familySize == 4)
    #expect(result.checks.count == 4)
    let own = try #require(result.checks.first)
    #expect(own.rule.id == "own" && own.rule.level == .warn)
    #expect(result.checks.map(\.rule.level) == [.warn, .error, .error, .error])
  }

  @Test func `a control without a number is no fault of the baseline`() throws {
    let now = try GateDemo.report(finished: 4_000, of: 5_000)
    let gate = try GateDemo.gate(
      """
        - {metric: completion_rate, variant: short, not_worse_by: 2%, against: control}
        - {quality: sample_ratio, at_least: 0%}
      """)
    // Nobody is in the control yet.
    let alone = try GateDemo.report(finished: 0, of: 0, short: (4_000, 5_000))
    let other = try GateDemo.gate("  - {metric: completion_rate, not_worse_by: 2%}")
    let baseline = try GateDemo.baseline(other, now)
    let result = try GateRun(gate: gate, report: alone, baseline: baseline).result()
    #expect(result.checks.first?.note.contains("control long has no such number") == true)
    #expect(result.checks.first?.note.contains("--accept") == false)
  }

  @Test func `a relative margin of a lift is a share of its bound`() throws {
    let now = try GateDemo.report(finished: 4_000, of: 5_000, short: (4_400, 5_000))
    let rule = "  - {metric: lift_completion_rate, variant: short, at_least: 10%, margin: "
    for (margin, wanted) in [("50% relative", 0.1), ("3%", 0.06)] {
      let gate = try GateDemo.gate(rule + margin + "}")
      let plan = try GateRun(gate: gate, report: now, baseline: nil).plan()
      #expect(abs(try #require(plan.items.first).lookedFor - wanted) < 1e-12)
    }
  }

  @Test func `a difference of durations is of those who have one`() throws {
    let now = try GateDemo.report(finished: 4_000, of: 5_000, short: (3_500, 5_000))
    let gate = try GateDemo.gate(
      "  - {metric: difference_time_to_complete_p50, variant: short, at_most: 5s, margin: 2s}")
    let plan = try GateRun(gate: gate, report: now, baseline: nil).plan()
    let item = try #require(plan.items.first)
    #expect(item.trials == 7_500 && item.unit == .seconds)
    #expect(item.lookedFor == 4)
    #expect(item.title.hasSuffix("≤ 5.0 s"))
  }

  @Test func `counts that no report can have are no baseline and no report`() throws {
    let report = try DemoReport.tiny()
    let json = try #require(report.documents().first { $0.name == "metrics.json" }).text
    for (old, new) in [
      ("\"denominator\":12,", "\"denominator\":9223372036854775807,"),
      ("\"numerator\":7,", "\"numerator\":-7,"), ("\"value\":0.583333", "\"value\":1e300"),
      (
        "\"rows\": []",
        "\"rows\": [{\"version\": \"1\", \"values\": [\"a\"], \"counts\": [4611686018427387904]}]"
      ),
    ] {
      let bytes = Array(json.replacing(old, with: new, maxReplacements: 1).utf8)
      #expect(bytes != Array(json.utf8), "\(old) is not there")
      #expect(throws: RecordedReportError.self) { try RecordedReport(bytes: bytes) }
      #expect(throws: BaselineError.self) { try Baseline(json: bytes, name: "b.json") }
    }
    #expect(throws: Never.self) { try RecordedReport(bytes: Array(json.utf8)) }
  }

  @Test func `colour moves no line of the verdicts`() throws {
    let result = try GateDemo.result(
      "  - {metric: completion_rate, not_worse_by: 2%}",
      now: GateDemo.report(finished: 3_500, of: 5_000),
      before: GateDemo.report(finished: 4_000, of: 5_000))
    let plain = GateTable(result).text()
    let colored = GateTable(result, style: TerminalStyle(color: true)).text()
    func lines(_ text: String) -> [String] {
      text.replacing(/\u{1B}\[\d+m/, with: "").split(separator: "\n").map { line in
        String(line.reversed().drop { $0 == " " }.reversed())
      }
    }
    #expect(colored.contains("\u{1B}[31m"))
    #expect(lines(colored) == lines(plain))
  }

  @Test func `Markdown calls nobody`() throws {
    var result = try GateDemo.result(
      "  - {metric: completion_rate, at_least: 10%}",
      now: GateDemo.report(finished: 3_500, of: 5_000))
    result.checks[0].heading = "os=@somebody #12 <b>|"
    let text = GateMarkdown(result).text()
    #expect(text.contains("os=\\@somebody \\#12 &lt;b>\\|"))
  }

  @Test func `digits without end are no number`() throws {
    let digits = String(repeating: "9", count: 400)
    for rule in [
      "metric: persons, at_least: \(digits)", "metric: completion_rate, at_least: \(digits)%",
    ] {
      #expect(throws: FlowFileErrors.self) { try GateDemo.gate("  - {\(rule)}") }
    }
  }

  @Test func `a bound beyond all days is written, not a trap`() throws {
    let result = try GateDemo.result(
      "  - {metric: time_to_complete_p50, at_most: 1e300}",
      now: GateDemo.report(finished: 3_500, of: 5_000))
    #expect(GateTable(result).text().contains("at most 1e300 s"))
    var flow = try DemoFlow.flow()
    flow.targets = [
      Target(metric: .timeToComplete.percentile(50), step: "", slice: [], bound: .atMost(1e30))
    ]
    let text = try DemoReport.ordinary(flow).terminalSummary(style: TerminalStyle())
    #expect(text.contains("time_to_complete_p50 at most 1e30 s"))
  }

  @Test func `a target on a difference of durations is told in seconds`() throws {
    var flow = try DemoFlow.flow()
    let slice = [NameMapping(from: "variant", to: "short")]
    flow.targets = [
      Target(
        metric: .timeToComplete.percentile(50).compared(by: .difference), step: "",
        slice: slice, bound: .atMost(5)),
      Target(
        metric: .completionRate, step: "",
        slice: [NameMapping(from: "breakdown", to: "os=")], bound: .atLeast(0.1)),
    ]
    let checks = TargetCheck.all(try DemoReport.ordinary(flow).analysis)
    #expect(checks[0].seen.text == "−15 s, 95 % CI −1 min 10 s to −15 s")
    #expect(checks[0].verdict == .met)
    // Nobody has an empty system, and everybody is no answer.
    #expect(checks[1].verdict == .unknown)
  }
}
