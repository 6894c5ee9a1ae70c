import ExperimentStatistics
import FlowDefinition
import FunnelEngine
import FunnelMetrics
import ReferenceEvaluator
import Testing
import Timelines

/// A world in which one in ten gets another variant an hour after the start, at random:
/// half of A and 60 % of B finish, within minutes.
struct ExclusionTests {
  private static func world() async throws -> (found: Evaluated, flow: Flow) {
    let flow = try FlowParser.parse(
      """
      flow: case
      steps: [welcome, done]
      experiments: {copy: {control: A, variants: [A, B], contaminated: exclude}}
      """, file: "case.yaml"
    ).flow
    var lines: [String] = []
    for person in 0..<2000 {
      let (variant, other) = person % 2 == 0 ? ("A", "B") : ("B", "A")
      func add(_ event: String, _ variant: String, _ second: Int) {
        lines.append(
          """
          {"event":"\(event)","user_id":"p\(person)","timestamp":\(1_767_571_200 + second),\
          "experiments":{"copy":"\(variant)"}}
          """)
      }
      add("onboarding_started", variant, 0)
      // Ten persons of a variant in a row, then the next ten: finishing and the change of the
      // variant have nothing to do with each other.
      if person / 2 % 10 < (variant == "A" ? 5 : 6) { add("onboarding_completed", variant, 300) }
      if person / 20 % 10 == 0 { add("app_opened", other, 3600) }
    }
    let options = ReferenceOptions(asOfMilliseconds: 1_770_000_000_000)
    return (try await Evaluated(files: [lines], flow: flow, options: options), flow)
  }

  @Test func `leaving out who changed variants does not depend on the outcome`() async throws {
    let (found, flow) = try await Self.world()
    let summary = try #require(found.analysis.experiments.first)
    let completion = try #require(summary.comparisons.first { $0.metric == .completionRate })
    #expect(completion.controlRate.estimate == 0.5)
    #expect(completion.treatmentRate.estimate == 0.6)
    // The gate calls such data invalid; the report decides nothing on them either.
    #expect(summary.doubts == [.contaminated(share: 0.1)])
    #expect(summary.comparisons.allSatisfy { $0.verdict == nil })

    // The first edition watched those who finish for five minutes and the others for a day.
    var options = found.options
    options.oldRules = [.variantsToWindowEnd]
    let tally = try await FlowEvaluator.tally(
      found.timelines, flow: flow, options: options, threads: 1)
    let old = try #require(Analysis(of: tally, flow).experiments.first?.comparisons.first)
    #expect(abs((old.controlRate.estimate ?? 0) - 500.0 / 950) < 1e-12)
    #expect(abs((old.treatmentRate.estimate ?? 0) - 600.0 / 960) < 1e-12)
  }
}
