import FlowDefinition
import FunnelMetrics
import ReferenceEvaluator
import Testing
import Timelines

/// The facts of several flows, narrowed to one of them, are what reading for that one alone gives.
struct NarrowedTimelinesTests {
  private static func flow(_ text: String) throws -> Flow {
    try FlowParser.parse("flow: case\n\(text)", file: "case.yaml").flow
  }

  /// Looks at other properties, dimensions, experiments and names than the adversarial flow does.
  private static func other() throws -> Flow {
    try flow(
      """
      window: 2h
      steps: [welcome, somewhere, elsewhere]
      permissions: [camera]
      goals: [{id: bought, event: bought, where: {colour: [c5, c6, c7]}, by: size, within: 1h}]
      dimensions: [{id: colour, path: properties.colour}]
      retention: [{days: [1]}]
      """)
  }

  /// More colours than a table has places, of which the other flow declares some.
  private static func colours() -> [String] {
    (0..<400).flatMap { number in
      ["opened", "bought"].flatMap { event in
        (0..<2).map { size in
          """
          {"event":"\(event)","user_id":"u\(number % 30)","timestamp":\(1_770_000_000 + number % 7),\
          "properties":{"colour":"c\(number % 240)","size":"s\(size)","plan":"p\(number % 150)"}}
          """
        }
      }
    }
  }

  private func expectAlike(_ flow: Flow, beside other: Flow, _ files: [[String]]) async throws {
    let input = try LinesInFiles(files)
    for memoryBytes in [nil, 60_000] {
      let alone = try await input.timelines(flow, threads: 2, memoryBytes: memoryBytes)
      let both = try await input.timelines(
        flow, beside: [other], threads: 2, memoryBytes: memoryBytes)
      let own = try both.narrowed(to: FactSchema(flows: [flow]))
      #expect(try own.counts == alone.counts)
      #expect(own.span == alone.span)
      let facts = try LinesInFiles.facts(alone)
      let ownFacts = try LinesInFiles.facts(own)
      #expect(ownFacts.mapValues(\.count) == facts.mapValues(\.count))
      let rows = try await LinesInFiles.analysis(alone, flow, threads: 2).rows
      let ownRows = try await LinesInFiles.analysis(own, flow, threads: 2).rows
      #expect(ownRows == rows)
    }
  }

  @Test(arguments: 0..<4)
  func areThoseOfTheFlowAlone(seed: Int) async throws {
    let flow = try SpillTests.flows()[0]
    let files = SpillTests.files(seed: UInt64(8100 + seed), flow: flow, persons: 40)
    try await expectAlike(flow, beside: try Self.other(), files)
    try await expectAlike(try Self.other(), beside: flow, files)
  }

  @Test func whatOnlyAnotherFlowLooksAtMakesNoFacts() async throws {
    let plain = try Self.flow("window: 1h\nsteps: [welcome]\n")
    let lines = Self.colours()
    try await expectAlike(plain, beside: try Self.other(), [lines])
    let input = try LinesInFiles([lines])
    let both = try await input.timelines(plain, beside: [try Self.other()])
    let own = try both.narrowed(to: FactSchema(flows: [plain]))
    #expect(try own.counts.facts < both.counts.facts)
  }

  /// What another flow declares has a place of its own in the run, and none in the flow's table.
  @Test func placesInBoundedTablesAreTheFlowsOwn() async throws {
    let lines = Self.colours()
    let coloured = try Self.flow(
      """
      window: 1h
      steps: [welcome]
      goals: [{id: bought, event: bought, by: colour, within: 1h}]
      dimensions: [{id: plan, path: properties.plan}]
      """)
    let other = try Self.other()
    try await expectAlike(coloured, beside: other, [lines])
    try await expectAlike(other, beside: coloured, [lines])
  }
}
