import FlowDefinition
import Foundation
import FunnelEngine
import Testing

/// Funnels by PostHog's rules against what its own function answers (`PostHog/runs.txt`).
@Suite struct PostHogRunTests {
  private struct Run {
    var funnel: CustomFunnel
    var facts: [FunnelFact]
    var answer: String
  }

  private static func numbers(_ text: Substring) -> [Int] {
    text.split(separator: " ").compactMap { Int($0) }
  }

  private static func exclusion(_ text: Substring) -> FunnelExclusion {
    let ends = text.split(separator: "-").compactMap { Int($0) }
    return FunnelExclusion(
      pattern: EventPattern(event: "any"), from: ends[0], to: ends[1], effect: .remove)
  }

  private static func fact(_ index: Int, _ text: Substring) throws -> FunnelFact {
    let parts = text.split { $0 == ":" || $0 == "x" }
    let bits = try #require(UInt64(parts[1]))
    let time = try #require(Int64(parts[0]))
    return text.contains("x")
      ? FunnelFact(time: time, steps: 0, exclusions: bits, index: index)
      : FunnelFact(time: time, steps: bits, index: index)
  }

  private static func run(_ line: Substring) throws -> Run {
    let parts = line.split(separator: "|").map { $0.trimmingPrefix(" ") }
    let optional = Set(numbers(parts[3]))
    let count = try #require(numbers(parts[0]).first)
    let window = try #require(numbers(parts[2]).first)
    let event = EventPattern(event: "any")
    let funnel = CustomFunnel(
      id: "f",
      steps: (1...count).map { FunnelStep(anyOf: [event], isOptional: optional.contains($0)) },
      windowMilliseconds: Int64(window), order: parts[1].hasPrefix("strict") ? .strict : .ordered,
      exclusions: parts[4].split(separator: " ").filter { $0 != "-" }.map(exclusion))
    return Run(
      funnel: funnel,
      facts: try parts[5].split(separator: " ").enumerated().map { try fact($0, $1) },
      answer: String(parts[6]))
  }

  /// The farthest step, the steps as bits, and the times of those that are not optional.
  private static func answer(_ run: Run, _ rules: FunnelRules) -> String {
    guard let walk = FunnelMatcherTests.walk(run.funnel, rules, run.facts, horizon: 0) else {
      return "-"
    }
    let steps = walk.times.keys.sorted()
    let bits = steps.reduce(0) { $0 | 1 << $1 }
    let times = steps.filter { !run.funnel.steps[$0].isOptional }.compactMap { walk.times[$0] }
    return (["\((steps.last ?? 0) + 1)", "\(bits)"] + times.map(String.init))
      .joined(separator: " ")
  }

  @Test func `runs agree with PostHog's own function`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "PostHog/runs.txt")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    var (checked, others) = (0, 0)
    var plain = FunnelTool.posthog.rules
    plain.keepsRunPerStep = false
    for line in lines where !line.hasPrefix("#") {
      let run = try Self.run(line)
      let found = Self.answer(run, FunnelTool.posthog.rules)
      checked += 1
      if Self.answer(run, plain) != run.answer { others += 1 }
      #expect(found == run.answer, "\(line)")
    }
    #expect(checked == 600)
    // The file must know what the rules without runs don't.
    #expect(others > 50)
  }
}
