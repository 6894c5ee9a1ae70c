import FlowDefinition
import Foundation
import Testing

/// A file that is too large is refused when it is read, with the place of the first item too many.
@Suite struct FlowLimitTests {
  /// A list in a flow file with a line for each item.
  struct Listed: Sendable, CustomTestStringConvertible {
    var limit: FlowLimit
    /// What comes before the items, whose lines follow.
    var head: String
    var item: @Sendable (Int) -> String
    /// How many items there are already.
    var before = 0

    var testDescription: String { limit.rawValue }

    func text(_ count: Int) -> String {
      head + (before..<count).map { item($0) + "\n" }.joined()
    }
  }

  static let lists = [
    Listed(limit: .steps, head: "flow: x\nsteps:\n", item: { "  - s\($0)" }),
    Listed(
      limit: .versions, head: "flow: x\nsteps: [a]\nversions:\n", item: { "  \"v\($0)\": [a]" }),
    Listed(
      limit: .experiments, head: "flow: x\nsteps: [a]\nexperiments:\n",
      item: { "  e\($0): {control: A, variants: [A, B]}" }),
    Listed(
      limit: .variants, head: "flow: x\nsteps: [a]\nexperiments: {e: {control: v0, variants: [\n",
      item: { $0 == 0 ? "  v0" : "  , v\($0)" }),
    Listed(
      limit: .permissions, head: "flow: x\nsteps: [a]\npermissions:\n", item: { "  - p\($0)" }),
    Listed(limit: .dimensions, head: "flow: x\nsteps: [a]\ndimensions:\n", item: { "  - d\($0)" }),
    Listed(
      limit: .goals, head: "flow: x\nsteps: [a]\ngoals:\n", item: { "  - {id: g\($0), event: e}" }),
    Listed(
      limit: .anchors, head: "flow: x\nsteps: [a]\ngoals:\n  - {id: g0, event: e}\n",
      item: { "  - {id: g\($0), event: e, anchor: {goal: g\($0 - 1)}}" }, before: 1),
    Listed(
      limit: .friction, head: "flow: x\nsteps: [a]\nfriction:\n",
      item: { "  - {id: f\($0), event: e}" }),
    Listed(
      limit: .retention, head: "flow: x\nsteps: [a]\nretention:\n",
      item: { "  - {days: 1, id: r\($0)}" }),
    Listed(
      limit: .funnels, head: "flow: x\nsteps: [a]\nfunnels:\n",
      item: { "  - {id: f\($0), steps: [e]}" }),
    Listed(
      limit: .funnelParts, head: "flow: x\nsteps: [a]\nfunnels:\n - id: f\n   steps:\n",
      item: { "    - e\($0)" }),
    Listed(
      limit: .marks, head: "flow: x\nsteps: [a]\nleave_out:\n", item: { "  - {event: e\($0)}" }),
    Listed(
      limit: .patterns, head: "flow: x\nsteps: [a]\nfunnels: [{id: f, steps: [{any: [\n",
      item: { "    \($0 == 0 ? "" : ", "){event: e, where: {n: \($0)}}" }),
  ]

  private static func parse(_ list: Listed, _ count: Int) throws -> Flow {
    let closing = [.variants: "]}}\n", .patterns: "]}]}]\n"] as [FlowLimit: String]
    let text = list.text(count) + closing[list.limit, default: ""]
    return try FlowParser.parse(text, file: "x.yaml").flow
  }

  @Test func `every limit is tested`() {
    #expect(Set(Self.lists.map(\.limit)) == Set(FlowLimit.allCases))
  }

  @Test(arguments: lists)
  func `so many are allowed, and one more is a mistake with its place`(_ list: Listed) throws {
    let maximum = list.limit.maximum
    #expect(list.limit.count(in: try Self.parse(list, maximum)) == maximum)
    let error = #expect(throws: FlowFileErrors.self) { try Self.parse(list, maximum + 1) }
    let mistakes = try #require(error?.errors)
    #expect(mistakes.count == 1)
    #expect(mistakes.first?.message.contains(" \(maximum) ") == true, "\(mistakes)")
    let lines = list.text(maximum + 1).split(separator: "\n").count
    let whole: Set<FlowLimit> = [.variants, .permissions, .funnelParts, .retention]
    let line = mistakes.first?.line ?? 0
    #expect(whole.contains(list.limit) ? (3...lines).contains(line) : line == lines)
  }

  @Test func `no limit of what is asked of events is below 4,096`() {
    for limit in [FlowLimit.patterns, .goals, .friction, .retention, .funnels] {
      #expect(limit.maximum >= 4096)
    }
  }

  @Test func `patterns of one event and the same conditions are one`() throws {
    let text = """
      flow: x
      steps: [a]
      goals:
        - {id: one, event: bought, where: {plan: [year, month], trial: false}}
        - {id: two, event: bought, where: {trial: "false", plan: [month, year]}}
        - {id: three, event: bought, anchor: {event: bought}}
      friction: [{id: four, event: bought}]
      retention: [{days: 1, event: bought}]
      funnels: [{id: five, steps: [bought, {event: bought, where: {plan: year}}]}]
      """
    let flow = try FlowParser.parse(text, file: "x.yaml").flow
    #expect(flow.eventPatterns.count == 3)
    let table = EventPatternTable(flow)
    #expect(flow.goals.map { table.number(of: $0.pattern) } == [0, 0, 1])
    #expect(table.number(of: EventPattern(event: "other")) == nil)
  }

  @Test func `a flow made by hand is refused as well`() throws {
    var flow = Flow(id: "x", steps: [Step(id: "a")])
    flow.goals = (0...4096).map {
      Goal(id: "g\($0)", pattern: EventPattern(event: "e"), withinMilliseconds: 1)
    }
    #expect(throws: FlowLimitError(flow: "x", limit: .goals, count: 4097)) {
      try flow.checkLimits()
    }
  }

  @Test func `the limits are documented`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(
      contentsOf: root.appendingPathComponent("docs/flow-file.md"), encoding: .utf8)
    for limit in FlowLimit.allCases {
      let number = limit.maximum.formatted(.number.locale(Locale(identifier: "en_US")))
      #expect(text.contains("| \(limit.rawValue) | \(number) |"), "\(limit)")
    }
  }
}
