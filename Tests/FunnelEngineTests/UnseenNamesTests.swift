import EventInput
import FlowDefinition
import Foundation
import FunnelEngine
import FunnelReport
import Testing
import Timelines

/// What a funnel asks for and the input does not have is told, with what was meant.
struct UnseenNamesTests {
  private static func sentences(_ steps: String) async throws -> [String] {
    let text = "flow: app\nsteps: [welcome, plan]\n"
    var flow = try FlowParser.parse(text, file: "app.yaml").flow
    flow.funnels = [
      CustomFunnel(
        id: "question", steps: try FunnelText.steps(steps), windowMilliseconds: 86_400_000)
    ]
    let lines = [
      ("onboarding_started", "{}"), ("page_viewed", "{\"page\":\"plan\",\"tag\":\"x\"}"),
      ("onboarding_page_viewed", "{\"page_name\":\"welcome\"}"),
    ].map {
      "{\"event\":\"\($0.0)\",\"user_id\":\"u\",\"timestamp\":1770000000,\"properties\":\($0.1)}"
    }
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("firstmile-unseen-\(UUID().uuidString).ndjson")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(lines.joined(separator: "\n").utf8).write(to: file)
    let reader = TimelineLoader(schema: try FactSchema(flows: [flow]), threads: 1)
    let timelines = try await reader.read([.file(file.path)], rejects: nil).timelines
    let study = try await FunnelStudy.study(
      timelines, flow: flow, funnel: 0,
      options: EvaluationOptions(horizonMilliseconds: 1_770_000_000_000), tool: .firstmile,
      threads: 1)
    return try #require(study).unseen.map { unseen in
      let isProperty = unseen.kind == .property(event: "page_viewed")
      return UnseenSentence.of(unseen, candidates: isProperty ? ["page", "tag"] : unseen.seen)
    }
  }

  @Test(arguments: [
    ("onboarding_started > page_viewed[page=plan]", []),
    (
      "onboarding_started > page_viewd",
      ["'page_viewd' was never seen; did you mean 'page_viewed'?"]
    ),
    (
      "started > started > zebra",
      [
        "'started' was never seen; did you mean 'onboarding_started'?",
        "'zebra' was never seen",
      ]
    ),
    (
      "onboarding_started > page_viewed[pge=plan]",
      ["'page_viewed' never has 'pge'; did you mean 'page'?"]
    ),
    (
      "onboarding_started > page_viewed[page=plan|plam]",
      ["'page' of 'page_viewed' is never 'plam'; did you mean 'plan'?"]
    ),
  ])
  func isTold(steps: String, sentences: [String]) async throws {
    #expect(try await Self.sentences(steps) == sentences)
  }
}
