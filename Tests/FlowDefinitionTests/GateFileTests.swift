import FlowDefinition
import Foundation
import Testing

@Suite struct GateFileTests {
  private static let flowText = """
    flow: demo
    steps: [welcome, plan, done]
    experiments: {length: {control: long, variants: [long, short]}}
    goals: [{id: first_plan, event: plan_created}]
    retention: [{days: [7]}]
    dimensions: [os]
    targets: [{metric: completion_rate, at_least: 80%}]
    """

  private func gate(_ rules: String, head: String = "") throws -> Gate {
    let flow = try FlowParser.parse(Self.flowText, file: "demo.yaml").flow
    return try GateParser.parse("\(head)rules:\n\(rules)\n", file: "gate.yaml", for: flow).gate
  }

  private func mistakes(_ text: String) throws -> [String] {
    let flow = try FlowParser.parse(Self.flowText, file: "demo.yaml").flow
    do throws(FlowFileErrors) {
      _ = try GateParser.parse(text, file: "gate.yaml", for: flow)
      return []
    } catch {
      return error.errors.map { "\($0.line):\($0.column): \($0.message)" }
    }
  }

  @Test func `a file that is not UTF-8 is told with the place of the byte`() throws {
    let flow = try FlowParser.parse(Self.flowText, file: "demo.yaml").flow
    let rule = "rules:\n  - {metric: completion_rate, at_least: 50%}\n"
    let parsed = try GateParser.parse(bytes: Array(rule.utf8), file: "gate.yaml", for: flow)
    #expect(parsed.gate == (try GateParser.parse(rule, file: "gate.yaml", for: flow)).gate)
    let latin = Array(rule.utf8) + Array("# bl".utf8) + [0xF6] + Array("d\n".utf8)
    do throws(FlowFileErrors) {
      _ = try GateParser.parse(bytes: latin, file: "gate.yaml", for: flow)
      Issue.record("it was read")
    } catch {
      #expect(
        error.errors.map(\.description) == [
          "gate.yaml:3:5: not UTF-8: byte 0xF6; save the file as UTF-8"
        ])
    }
  }

  @Test func `a gate without settings has the flow's`() throws {
    let gate = try gate("  - {metric: completion_rate, not_worse_by: 2%}")
    #expect(gate.alpha == 0.05 && gate.power == 0.8 && gate.correction == .holm)
    #expect(gate.onInconclusive == .warn && gate.includesTargets)
    let rule = try #require(gate.rules.first)
    #expect(rule.demand == .notWorse(than: .baseline, by: GateRule.Margin(0.02)))
    #expect(rule.better == .higher && rule.level == .error)
    #expect((rule.line, rule.column) == (2, 5))
  }

  @Test func `every setting is read`() throws {
    let gate = try gate(
      """
        - id: p90
          metric: time_to_complete_p90
          at_most: 3m
          margin: 10s
          level: warn
          on_inconclusive: fail
          suppress: {reason: known, until: 2026-12-31}
        - {metric: skip_rate, for_each: [variant, os], min_persons: 50, not_worse_by: 5% relative, against: control}
        - {quality: orphans, at_most: 5%}
      """,
      head: """
        gate: nightly
        flow: demo
        baseline: {file: base.json, max_age: 30d}
        statistics: {alpha: 1%, power: 90%, correction: none}
        on_inconclusive: ignore
        targets: ignore

        """)
    #expect(gate.title == "nightly" && gate.baseline == "base.json")
    #expect(gate.maximumBaselineAgeMilliseconds == 30 * 86_400_000)
    #expect(gate.alpha == 0.01 && gate.power == 0.9 && gate.correction == .none)
    #expect(gate.onInconclusive == .ignore && !gate.includesTargets)
    #expect(gate.rules.count == 3)
    #expect(gate.rules[0].demand == .atMost(180))
    #expect(gate.rules[0].margin == GateRule.Margin(10))
    #expect(gate.rules[0].suppression?.day == 31)
    #expect(gate.rules[1].forEach == ["variant", "os"] && gate.rules[1].minimumPersons == 50)
    #expect(gate.rules[1].better == .lower)
    #expect(gate.rules[2].subject == .quality(.orphans))
  }

  @Test(arguments: [
    ("2%", 0.02, false), ("2 points", 0.02, false), ("1 point", 0.01, false),
    ("1.5pp", 0.015, false), ("0.02", 0.02, false), ("5% relative", 0.05, true),
  ])
  func `a margin may be written in these ways`(text: String, amount: Double, isRelative: Bool)
    throws
  {
    let rule = try #require(
      try gate("  - {metric: completion_rate, not_worse_by: \(text)}").rules.first)
    guard case .notWorse(_, let margin) = rule.demand else { return #expect(Bool(false)) }
    #expect(abs(margin.amount - amount) < 1e-12 && margin.isRelative == isRelative)
  }

  @Test(arguments: [
    ("{metric: completion_rat, at_least: 1%}", "2:14: unknown metric 'completion_rat'"),
    (
      "{metric: completion_rate}",
      "2:5: a rule needs one of 'at_least', 'at_most' or 'not_worse_by', found none"
    ),
    (
      "{metric: completion_rate, quality: orphans, at_most: 1%}",
      "2:31: a rule needs one of 'metric' or 'quality', found both"
    ),
    (
      "{metric: completion_rate, not_worse_by: much}",
      "2:45: 'not_worse_by' must be a margin, found 'much'"
    ),
    (
      "{metric: completion_rate, not_worse_by: 0%}",
      "2:45: 'not_worse_by' must be above 0 and under 100 %, found '0%'"
    ),
    (
      "{metric: completion_rate, not_worse_by: 2%, against: control}",
      "2:49: a rule against the control needs 'variant', or 'for_each: variant'"
    ),
    (
      "{metric: completion_rate, not_worse_by: 2%, against: control, variant: long}",
      "2:67: 'long' is the control itself"
    ),
    (
      "{metric: persons, not_worse_by: 2%}",
      "2:23: 'not_worse_by' compares rates and quantiles of durations; 'persons' is neither"
    ),
    (
      "{metric: completion_rate, for_each: device, at_least: 1%}",
      "2:41: unknown value of 'for_each' 'device'"
    ),
    (
      "{metric: step_reach, for_each: step, step: plan, at_least: 1%}",
      "2:36: 'for_each: step' goes over all of them, but 'step' names one"
    ),
    (
      "{metric: completion_rate, at_least: 1%, suppress: {reason: x, until: soon}}",
      "2:74: 'until' must be a day, found 'soon'"
    ),
    (
      "{metric: completion_rate, at_least: 1%, suppress: {reason: x, until: 2027-02-29}}",
      "2:74: 'until' must be a day, found '2027-02-29'"
    ),
    (
      "{metric: completion_rate, at_least: 1%, suppress: {until: 2026-01-01}}",
      "2:55: 'suppress' needs the key 'reason'"
    ),
    (
      "{quality: sample_ratio, at_most: 1%}",
      "2:29: a rule on the quality 'sample_ratio' has no 'at_most'"
    ),
    ("{quality: reject, at_most: 1%}", "2:15: 'quality' can't be 'reject'"),
    (
      "{metric: completion_rate, at_least: 1%, against: control}",
      "2:45: 'against' goes with 'not_worse_by' only"
    ),
  ])
  func `a mistake is told with its place`(rule: String, message: String) throws {
    #expect(try mistakes("rules:\n  - \(rule)\n") == [message])
  }

  @Test(arguments: ["for_each: [variant, theme]", "variant: short, for_each: used_skip"])
  func `people whom the variant sorts are not held against the control`(slice: String) throws {
    let text = Self.flowText.replacing("[os]", with: "[os, {id: theme, known: later}]")
    let flow = try FlowParser.parse(text, file: "demo.yaml").flow
    let rule = "rules: [{metric: completion_rate, \(slice), not_worse_by: 2%, against: control}]"
    let error = try #require(throws: FlowFileErrors.self) {
      try GateParser.parse(rule, file: "gate.yaml", for: flow)
    }
    #expect("\(error)".contains("is settled after entry, and the variant has a part"))
    let free = rule.replacing("against: control", with: "against: baseline")
    #expect(throws: Never.self) { try GateParser.parse(free, file: "gate.yaml", for: flow) }
  }

  @Test func `a misspelt metric gets the nearest right one`() throws {
    let flow = try FlowParser.parse(Self.flowText, file: "demo.yaml").flow
    let error = try #require(throws: FlowFileErrors.self) {
      try GateParser.parse(
        "rules: [{metric: retention_d8, at_least: 5%}]", file: "gate.yaml", for: flow)
    }
    #expect(error.errors.first?.suggestion == "retention_d7")
  }

  @Test func `a gate for another flow is a mistake`() throws {
    #expect(
      try mistakes("flow: other\nrules: [{metric: completion_rate, at_least: 1%}]\n")
        == ["1:7: the gate is for flow 'other', but was asked about 'demo'"])
  }

  @Test func `a gate that holds nothing is a mistake`() throws {
    #expect(
      try mistakes("targets: ignore\n")
        == ["1:1: a gate without rules holds nothing: 'rules' is empty"])
    #expect(try mistakes("gate: only the flow's targets\n") == [])
  }

  @Test func `two rules can't have one id`() throws {
    let rule = "{id: a, metric: completion_rate, at_least: 1%}"
    #expect(
      try mistakes("rules:\n  - \(rule)\n  - \(rule)\n")
        == ["3:6: two rules have the id 'a', the first in line 2"])
  }

  @Test func `the example of the documentation parses`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appendingPathComponent("docs/gate.md"), encoding: .utf8)
    let blocks = text.split(separator: "```yaml\n").dropFirst()
    #expect(blocks.count == 1)
    for block in blocks {
      let example = block.prefix(upTo: block.firstRange(of: "\n```")?.lowerBound ?? block.endIndex)
      #expect(try mistakes(String(example) + "\n") == [])
    }
  }
}
