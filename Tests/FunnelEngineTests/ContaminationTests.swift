import FlowDefinition
import FunnelMetrics
import ReferenceEvaluator
import Testing

/// People who were seen with several variants are counted as such, whatever becomes of them.
struct ContaminationTests {
  private static func summary(_ rule: String) async throws -> ExperimentSummary? {
    let text = """
      flow: mixed
      steps: [welcome, done]
      experiments: {copy: {control: A, split: {A: 50%, B: 50%}, contaminated: \(rule)}}
      """
    let lines = [("one", "A", 0), ("one", "B", 1), ("two", "B", 0), ("three", "Z", 0)].map {
      """
      {"event":"onboarding_started","user_id":"\($0.0)","timestamp":\(1_767_600_000 + $0.2),\
      "experiment":"copy","variant":"\($0.1)"}
      """
    }
    let options = ReferenceOptions(asOfMilliseconds: 1_770_000_000_000)
    let flow = try FlowParser.parse(text, file: "mixed.yaml").flow
    let found = try await Evaluated(files: [lines], flow: flow, options: options)
    return found.analysis.experiments.first
  }

  @Test(arguments: ["exclude", "first"])
  func `an experiment knows who was seen with several variants`(rule: String) async throws {
    let summary = try #require(try await Self.summary(rule))
    #expect(summary.contaminated == 1)
    #expect(summary.arms.map(\.variant) == ["A", "B", "Z"])
    #expect(summary.arms.map(\.contaminated) == [1, 1, 0])
    // With `first` the first variant holds.
    #expect(summary.arms.map(\.entered) == (rule == "first" ? [1, 1, 1] : [0, 1, 1]))
  }
}
