import ExperimentStatistics
import FlowDefinition
import FunnelMetrics
import ReferenceEvaluator
import Testing

/// A world in which B brings 30 % more people to a goal, of whom fewer come back than of A's: among
/// those who reached it B is worse, over everybody assigned it is better.
struct SelectionTests {
  private static func analysis() async throws -> Analysis {
    let flow = try FlowParser.parse(
      """
      flow: case
      steps: [welcome, done]
      experiments: {copy: {control: A, variants: [A, B]}}
      goals:
        - {id: tried, event: tried, within: 24h}
        - {id: paid, event: paid, within: 24h, of: {viewed: done}}
      retention: [{bracket: [7, 13], anchor: {goal: tried}}]
      """, file: "case.yaml"
    ).flow
    var lines: [String] = []
    for person in 0..<2000 {
      let isB = person % 2 == 1
      let number = person / 2
      func add(_ event: String, hours: Int, _ properties: String = "") {
        lines.append(
          """
          {"event":"\(event)","user_id":"p\(person)","timestamp":\(1_767_571_200 + hours * 3600),\
          "experiments":{"copy":"\(isB ? "B" : "A")"}\(properties)}
          """)
      }
      add("onboarding_started", hours: 0)
      // 300 of A's 1,000 try it and 60 % of these come back; 600 of B's, and 45 % of these.
      guard number < (isB ? 600 : 300) else { continue }
      add("tried", hours: 1)
      if number < (isB ? 270 : 180) { add("app_opened", hours: 24 * 9) }
      add("onboarding_page_viewed", hours: 1, #","properties":{"page_name":"done"}"#)
      if number < (isB ? 240 : 180) { add("paid", hours: 2) }
    }
    return try await Evaluated(
      files: [lines], flow: flow, options: ReferenceOptions(asOfMilliseconds: 1_780_000_000_000)
    ).analysis
  }

  @Test func `who reached a goal is shown, and everybody assigned is judged`() async throws {
    let found = try await Self.analysis()
    let comparisons = try #require(found.experiments.first?.comparisons)
    for (metric, step, some, overall) in [
      (MetricName.retention("d7_13"), "all", (0.45, 0.6), (0.27, 0.18)),
      (.goalRate, "paid", (0.4, 0.6), (0.24, 0.18)),
    ] {
      let selected = try #require(comparisons.first { $0.metric == metric && $0.step == step })
      #expect(selected.treatmentRate.estimate == some.0)
      #expect(selected.controlRate.estimate == some.1)
      #expect((selected.difference.value?.interval.upper ?? 1) < 0)
      #expect(!selected.isRandomised)
      #expect(selected.verdict == nil && selected.p == nil && selected.pAdjusted == nil)

      let judged = try #require(comparisons.first { $0.metric == metric.overall })
      #expect(judged.treatmentRate.estimate == overall.0)
      #expect(judged.controlRate.estimate == overall.1)
      #expect(judged.step == step && judged.verdict == .higher)
    }
    // Times of those who finish are tested by nothing either.
    #expect(!found.rows.contains { $0.metric.rawValue.hasPrefix("p_time_") })
  }

  @Test func `no rule holds against the control what the variant selects`() throws {
    let flow = try FlowFile.load("aiq")
    for (rule, key) in [
      ("metric: step_conversion, step: privacy", "step_conversion"),
      ("metric: time_to_complete_p50", "time_to_complete_p50"),
      ("metric: retention_d80_110", "retention_d80_110"),
      ("metric: completion_rate, breakdown: used_skip=yes", "used_skip"),
    ] {
      let unit = key.hasPrefix("time") ? "10s" : "2%"
      let text = "rules: [{\(rule), variant: B, against: control, not_worse_by: \(unit)}]"
      #expect(throws: FlowFileErrors.self, "\(rule)") {
        _ = try GateParser.parse(text, file: "gate.yaml", for: flow)
      }
    }
    let fine =
      "rules: [{metric: retention_d80_110_overall, variant: B, against: control, "
      + "not_worse_by: 2%}]"
    #expect(throws: Never.self) {
      _ = try GateParser.parse(fine, file: "gate.yaml", for: flow)
    }
  }
}
