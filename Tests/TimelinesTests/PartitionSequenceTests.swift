import FlowDefinition
import FunnelMetrics
import Testing
import Timelines

/// Gathering partitions when they are visited changes no fact, no count and no row, however often
/// they are visited.
struct PartitionSequenceTests {
  /// With all facts in memory, some spilled, and a spill for every batch.
  private static let memoryLimits = [nil, 60_000, 1]

  @Test(arguments: try Array(SpillTests.flows().enumerated()), [1, 3])
  func everyVisitGivesTheSame(numbered: (Int, Flow), threads: Int) async throws {
    let (number, flow) = numbered
    for seed in 0..<4 {
      let files = SpillTests.files(
        seed: UInt64(1700 + seed * 10 + number), flow: flow, persons: 40)
      let input = try LinesInFiles(files)
      let whole = try await input.timelines(flow, threads: threads)
      for memoryBytes in Self.memoryLimits {
        let own = try await input.timelines(flow, threads: threads, memoryBytes: memoryBytes)
        let what: Comment = "seed \(seed), limit \(memoryBytes ?? 0)"
        try await expect(own, isAs: whole, flow, threads: threads, what)
      }
    }
  }

  private func expect(
    _ timelines: Timelines, isAs whole: Timelines, _ flow: Flow, threads: Int, _ what: Comment
  ) async throws {
    var own = timelines
    let expected = try LinesInFiles.facts(whole)
    // Before any visit, and without one.
    #expect(own.span == whole.span, what)
    let first = try LinesInFiles.facts(own)
    #expect(try LinesInFiles.facts(own) == first, what)
    #expect(first.mapValues(\.count) == expected.mapValues(\.count), what)
    // With several workers codes depend on who meets what first.
    if threads == 1 { #expect(first == expected, what) }
    #expect(try own.counts == whole.counts, what)
    let rows = try await LinesInFiles.analysis(own, flow, threads: threads).rows
    let expectedRows = try await LinesInFiles.analysis(whole, flow, threads: threads).rows
    #expect(rows == expectedRows, what)
    try own.letGo()
    #expect(try own.counts == whole.counts && own.partitionCount == 0, what)
  }

  @Test func countsNeedNoVisit() async throws {
    let flow = try SpillTests.flows()[0]
    let input = try LinesInFiles(SpillTests.files(seed: 1790, flow: flow, persons: 40))
    let whole = try await input.timelines(flow)
    for memoryBytes in Self.memoryLimits {
      let own = try await input.timelines(flow, memoryBytes: memoryBytes)
      #expect(try whole.counts.facts > 0 && own.counts == whole.counts)
    }
  }
}
