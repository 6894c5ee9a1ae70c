import FlowDefinition
import FunnelMetrics
import FunnelReport
import RegressionGate
import Testing

/// Verdicts, from a gate file and reports to exit codes.
@Suite struct GateTests {
  private static let drop = "  - {metric: completion_rate, not_worse_by: 2%}"

  @Test func `a drop that is shown and beyond the margin fails`() throws {
    let result = try GateDemo.result(
      Self.drop, now: GateDemo.report(finished: 3_500, of: 5_000),
      before: GateDemo.report(finished: 4_000, of: 5_000))
    let check = try #require(result.checks.first)
    #expect(check.verdict == .fail)
    #expect(result.exitCode == 1)
    #expect((check.current?.numerator, check.current?.denominator) == (7_000, 10_000))
    #expect((check.reference?.numerator, check.reference?.denominator) == (8_000, 10_000))
    #expect(abs((check.estimate ?? 0) + 0.1) < 1e-9)
    #expect(check.high ?? 0 < 0 && check.margin == 0.02)
  }

  @Test func `no change on much data passes`() throws {
    let report = try GateDemo.report(finished: 4_000, of: 5_000)
    let result = try GateDemo.result(Self.drop, now: report, before: report)
    #expect(result.checks.map(\.verdict) == [.pass])
    #expect(result.exitCode == 0)
  }

  @Test func `too few persons are inconclusive and say how many are missing`() throws {
    let result = try GateDemo.result(
      Self.drop, now: GateDemo.report(finished: 80, of: 100),
      before: GateDemo.report(finished: 40_000, of: 50_000))
    let check = try #require(result.checks.first)
    #expect(check.verdict == .inconclusive)
    #expect((check.missingPersons ?? 0) > 300 && (check.missingDays ?? 0) > 7)
    #expect(result.exitCode == 0)
    let strict = try GateDemo.result(
      Self.drop, now: GateDemo.report(finished: 80, of: 100),
      before: GateDemo.report(finished: 40_000, of: 50_000),
      head: "targets: ignore\non_inconclusive: fail\n")
    #expect(strict.exitCode == 3)
  }

  @Test func `a small baseline is named as what is missing`() throws {
    let result = try GateDemo.result(
      Self.drop, now: GateDemo.report(finished: 4_000, of: 5_000),
      before: GateDemo.report(finished: 80, of: 100))
    #expect(result.checks.first?.verdict == .inconclusive)
    #expect(result.checks.first?.note.contains("the baseline has too few") == true)
  }

  @Test func `another definition makes the verdict invalid and is named`() throws {
    let gate = try GateDemo.gate(Self.drop)
    let baseline = try GateDemo.baseline(gate, GateDemo.report(finished: 4_000, of: 5_000))
    var flow = try DemoFlow.flow()
    flow.windowMilliseconds *= 2
    let now = try GateDemo.report(finished: 4_000, of: 5_000, flow: flow)
    let result = try GateRun(gate: gate, report: now, baseline: baseline).result()
    #expect(result.checks.first?.verdict == .invalid)
    #expect(
      result.checks.first?.note
        == "the baseline was counted otherwise: window=24h became window=2d")
    #expect(result.exitCode == 4)
  }

  @Test func `another goal leaves the baseline of completion alone`() throws {
    let gate = try GateDemo.gate(Self.drop)
    let baseline = try GateDemo.baseline(gate, GateDemo.report(finished: 4_000, of: 5_000))
    let flow = try FlowParser.parse(
      DemoFlow.text.replacing("within: 2m}]", with: "within: 2m}, {id: more, event: more}]"),
      file: "demo.yaml"
    ).flow
    let now = try GateDemo.report(finished: 4_000, of: 5_000, flow: flow)
    let result = try GateRun(gate: gate, report: now, baseline: baseline).result()
    #expect(result.checks.first?.verdict == .pass)
  }

  @Test func `an old baseline is no measure`() throws {
    let day: Int64 = 86_400_000
    let now: Int64 = 1_769_990_400_000
    let head = "targets: ignore\nbaseline: {file: b.json, max_age: 30d}\n"
    func result(age: Int64) throws -> GateResult {
      try GateDemo.result(
        Self.drop, now: GateDemo.report(finished: 4_000, of: 5_000),
        before: GateDemo.report(
          finished: 4_000, of: 5_000, horizonMilliseconds: now - age * day), head: head)
    }
    #expect(try result(age: 30).exitCode == 0)
    #expect(try result(age: 31).exitCode == 4)
  }

  @Test func `a rule that matches nothing is an error`() throws {
    let error = try #require(throws: GateError.self) {
      try GateDemo.result(
        "  - {metric: completion_rate, breakdown: os=ios 26.1, at_least: 10%}",
        now: GateDemo.report(finished: 80, of: 100))
    }
    #expect(
      error.description
        == "ci/gate.yaml:3:5: the rule matches nothing: no person has os=ios 26.1; the data has "
        + "iOS 18.4, iOS 26.1; did you mean 'iOS 26.1'?")
  }

  @Test func `for each spreads a rule over the slices that are there`() throws {
    let now = try GateDemo.report(finished: 4_000, of: 5_000)
    let result = try GateDemo.result(
      """
        - {metric: step_reach, for_each: step, at_least: 10%}
        - {metric: completion_rate, for_each: [variant, os], at_least: 10%}
        - {metric: completion_rate, for_each: variant, not_worse_by: 3%, against: control}
      """, now: now)
    #expect(
      result.checks.map(\.title) == [
        "step_reach welcome", "step_reach plan", "step_reach notifications", "step_reach done",
        "completion_rate, variant long, os=iOS 18.4", "completion_rate, variant long, os=iOS 26.1",
        "completion_rate, variant short, os=iOS 18.4",
        "completion_rate, variant short, os=iOS 26.1", "completion_rate, variant short",
      ])
    #expect(result.checks.allSatisfy { $0.verdict == .pass })
  }

  @Test func `a variant that loses against the control fails and says where`() throws {
    let result = try GateDemo.result(
      "  - {metric: completion_rate, variant: short, not_worse_by: 2%, against: control}",
      now: GateDemo.report(finished: 4_000, of: 5_000, short: (3_500, 5_000)))
    let check = try #require(result.checks.first)
    #expect(check.verdict == .fail && check.referenceName == "control long")
    let step = try #require(check.explanations.first)
    #expect(step.kind == .step && step.name == "welcome")
    #expect(abs(step.now - 0.3) < 1e-9 && abs(step.before - 0) < 1e-9)
    // Both systems lost as much: none of them is named for it.
    #expect(check.explanations.count == 1)
  }

  @Test func `of a rate of which less is better a rise fails`() throws {
    let result = try GateDemo.result(
      "  - {metric: abandon_rate, not_worse_by: 2%}",
      now: GateDemo.report(finished: 3_500, of: 5_000),
      before: GateDemo.report(finished: 4_000, of: 5_000))
    let check = try #require(result.checks.first)
    #expect(check.verdict == .fail)
    #expect(abs((check.estimate ?? 0) - 0.1) < 1e-9 && (check.low ?? 0) > 0)
  }

  @Test func `bounds fail where the interval leaves them out`() throws {
    let now = try GateDemo.report(finished: 3_500, of: 5_000)
    let result = try GateDemo.result(
      """
        - {metric: completion_rate, at_least: 75%}
        - {metric: completion_rate, at_least: 65%}
        - {metric: abandon_rate, at_most: 25%}
        - {metric: persons, at_least: 20000}
        - {metric: time_to_complete_p50, at_most: 30s}
        - {metric: time_to_complete_p90, at_most: 1m}
      """, now: now)
    #expect(result.checks.map(\.verdict) == [.fail, .pass, .fail, .fail, .fail, .pass])
  }

  @Test func `a warning does not end the run`() throws {
    let result = try GateDemo.result(
      "  - {metric: completion_rate, at_least: 99%, level: warn}",
      now: GateDemo.report(finished: 3_500, of: 5_000))
    #expect(result.checks.first?.verdict == .fail && result.exitCode == 0)
  }

  @Test func `a suppression holds up to its last day`() throws {
    let rule =
      "  - {metric: completion_rate, at_least: 99%, suppress: {reason: known, until: 2026-02-01}}"
    let now = try GateDemo.report(finished: 3_500, of: 5_000)
    // 2026-02-01 is day 20,485.
    let held = try GateDemo.result(rule, now: now, today: 20_485)
    #expect(held.exitCode == 0 && held.checks.first?.isSuppressed == true)
    #expect(held.familySize == 0)
    let ended = try GateDemo.result(rule, now: now, today: 20_486)
    #expect(ended.exitCode == 1)
    #expect(ended.remarks.first?.contains("the suppression ended on 2026-02-01") == true)
  }

  @Test func `data out of bounds make everything invalid`() throws {
    var now = try GateDemo.report(finished: 4_000, of: 5_000)
    var provenance = now.provenance
    provenance.rejectsByReason = ["missing_id": 30]
    now = Report(now.analysis, provenance: provenance)
    let result = try GateDemo.result("  - {metric: completion_rate, at_least: 10%}", now: now)
    #expect(result.checks.first?.verdict == .invalid && result.exitCode == 4)
    #expect(
      result.checks.first?.note == "rejected lines: 3.0 % (30/1,000), at most 1 % are allowed")
    let allowed = try GateDemo.result(
      "  - {metric: completion_rate, at_least: 10%}\n  - {quality: rejects, at_most: 5%}", now: now)
    #expect(allowed.exitCode == 0)
  }

  @Test func `a lopsided split voids the verdicts of its experiment alone`() throws {
    let now = try GateDemo.report(finished: 4_000, of: 5_000, short: (4_400, 5_500))
    let result = try GateDemo.result(
      """
        - {metric: completion_rate, variant: short, not_worse_by: 5%, against: control}
        - {metric: completion_rate, at_least: 10%}
      """, now: now)
    #expect(result.checks.map(\.verdict) == [.invalid, .pass])
  }

  @Test func `the flow's targets are rules too`() throws {
    let gate = Gate(flow: try DemoFlow.flow())
    let now = try GateDemo.report(finished: 3_500, of: 5_000)
    let result = try GateRun(gate: gate, report: now, baseline: nil).result()
    #expect(result.checks.map(\.title) == ["completion_rate", "skip_rate"])
    #expect(result.checks.map(\.verdict) == [.fail, .pass])
  }

  @Test func `a report's own metrics JSON is a baseline`() throws {
    let before = try GateDemo.report(finished: 4_000, of: 5_000)
    let text = try #require(before.documents().first { $0.name == "metrics.json" }).text
    let baseline = try Baseline(json: Array(text.utf8), name: "metrics.json")
    let gate = try GateDemo.gate(
      Self.drop + "\n  - {metric: time_to_complete_p90, not_worse_by: 5s}")
    let result = try GateRun(gate: gate, report: before, baseline: baseline).result()
    #expect(result.checks.map(\.verdict) == [.pass, .pass])
  }

  @Test(arguments: ["", "[]", "{\"schema\": \"firstmile.metrics/1\"}", "{\"schema\": 3}"])
  func `what is no baseline is told`(text: String) {
    #expect(throws: BaselineError.self) { try Baseline(json: Array(text.utf8), name: "x.json") }
  }

  @Test func `a plan tells the smallest drop and the false alarms`() throws {
    let gate = try GateDemo.gate(Self.drop)
    let report = try GateDemo.report(finished: 4_000, of: 5_000)
    let baseline = try GateDemo.baseline(gate, report)
    let plan = try GateRun(gate: gate, report: report, baseline: baseline).plan()
    let item = try #require(plan.items.first)
    // A margin of 2 points lets only 1 in 5,000 runs fail by noise on 10,000 persons a side.
    #expect(item.falseAlarmRate < 0.001 && plan.falseAlarmRate < 0.001)
    #expect((item.smallestDropCaught ?? 1) > 0.02 && (item.smallestDropCaught ?? 1) < 0.03)
    #expect(item.missingPersons == 0)
  }
}
