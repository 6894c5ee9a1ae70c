import FlowDefinition
import FunnelEngine
import ReferenceEvaluator
import Testing
import Timelines

/// Flows that look for more patterns than a word has bits, against the reference.
struct ManyPatternsTests {
  private static let entry: Int64 = 1_767_600_000_000

  /// Goals, friction, retention and funnels over `count` distinct patterns, some of them shared.
  private static func flow(_ count: Int) throws -> Flow {
    var text = "flow: many\nwindow: 24h\nsteps: [welcome, done]\ngoals:\n"
    for number in 0..<count {
      let anchor = number % 7 == 3 ? ", anchor: {goal: g\(number + 1)}" : ""
      text +=
        number % 2 == 0
        ? "  - {id: g\(number), event: e\(number), within: 2h\(anchor)}\n"
        : "  - {id: g\(number), event: e0, where: {n: [\(number), x\(number % 5)]}\(anchor)}\n"
    }
    text += "  - {id: g\(count), event: e0, anchor: {event: e2}}\nfriction:\n"
    for number in 0..<count { text += "  - {id: f\(number), event: e\(number), step: done}\n" }
    text += "retention:\n"
    for number in 0..<20 {
      text += "  - {days: 1, id: r\(number), event: e\(number * 5), anchor: {event: e\(number)}}\n"
    }
    text += "funnels:\n"
    for number in stride(from: 0, to: count, by: 4) {
      text += """
          - id: way\(number)
            order: \(["ordered", "any", "strict"][number / 4 % 3])
            entry: \(number % 8 == 0 ? "best" : "first")
            steps:
              - {any: [e\(number), {event: e0, where: {n: \(number + 1)}}]}
              - {event: e\((number * 3 + 1) % count), optional: true}
              - e\((number + 2) % count)
            exclude: [{event: e\((number + 9) % count), effect: drop}]

        """
    }
    return try FlowParser.parse(text, file: "many.yaml").flow
  }

  private static func lines(_ persons: Int, _ count: Int) -> [String] {
    var generator = SeededGenerator(seed: 20_260_101)
    return (0..<persons).flatMap { person -> [String] in
      func line(_ event: String, _ seconds: Int, _ properties: String = "{}") -> String {
        """
        {"event":"\(event)","user_id":"u\(person)","timestamp":\(entry + Int64(seconds) * 1000),\
        "properties":\(properties)}
        """
      }
      var lines = [line("onboarding_started", 0)]
      for _ in 0..<40 {
        let number = Int.random(in: 0..<count, using: &generator)
        let seconds = Int.random(in: -3600..<200_000, using: &generator)
        let value = Bool.random(using: &generator) ? "\(number)" : "\"x\(number % 9)\""
        lines.append(
          Bool.random(using: &generator)
            ? line("e\(number)", seconds) : line("e0", seconds, "{\"n\":\(value)}"))
      }
      if person % 2 == 0 { lines.append(line("onboarding_completed", 90_000)) }
      return lines
    }
  }

  @Test(arguments: [40, 200])
  func `goals, friction, retention and funnels agree with the reference`(count: Int) async throws {
    let flow = try Self.flow(count)
    #expect(flow.eventPatterns.count > count)
    let lines = Self.lines(60, count)
    let options = ReferenceOptions(asOfMilliseconds: Self.entry + 30 * 86_400_000)
    let reference = ReferenceEvaluator(flow: flow, options: options).evaluate(lines: lines)
    let found = try await Evaluated(files: [lines], flow: flow, options: options)
    #expect(found.disagreements(with: reference) == [])
    let met = found.rows.filter { ["goal_rate", "friction_rate"].contains($0.metric) }
    #expect(met.filter { $0.numerator > 0 }.count > count / 2)
    #expect(found.rows.contains { $0.metric == "funnel_step" && $0.numerator > 0 })
  }

  @Test func `a flow that is too large is refused before anything is read`() throws {
    var flow = Flow(id: "x", steps: [Step(id: "a")])
    flow.funnels = [
      CustomFunnel(
        id: "long",
        steps: (0...64).map { FunnelStep(anyOf: [EventPattern(event: "e\($0)")]) },
        windowMilliseconds: 1)
    ]
    let error = #expect(throws: FactSchemaError.self) { try FactSchema(flows: [flow]) }
    #expect(error?.description.contains("65 steps and exclusions of one funnel") == true)
  }
}
