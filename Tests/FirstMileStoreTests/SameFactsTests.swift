import EventInput
import FirstMileStore
import FlowDefinition
import Foundation
import Testing
import Timelines

/// The same facts through a store, in whatever way, give the same rows and the same counts.
struct SameFactsTests {
  @Test(arguments: [IdentityRule.stitched, .user, .device])
  func throughAStore(identity: IdentityRule) async throws {
    let flow = try Worlds.adversarialFlow(identity)
    for seed in 0..<5 {
      let world = try StoreWorld(
        Worlds.files(seed: UInt64(40 + seed), flow: flow, persons: 40))
      let expected = try await world.fromFiles(flow)
      #expect(expected.counts.repeatedFacts > 0)
      try await world.ingest(for: flow)
      #expect(try await world.fromStore(flow, threads: 1) == expected, "seed \(seed)")
      #expect(try await world.fromStore(flow, threads: 3) == expected, "seed \(seed)")
      #expect(try world.compact().packsAfter == 1)
      #expect(try await world.fromStore(flow) == expected, "seed \(seed), compacted")
    }
  }

  @Test func dayByDayInAnyOrderWithCompactionsBetween() async throws {
    let flow = try Worlds.adversarialFlow()
    let files = Worlds.files(seed: 7, flow: flow, persons: 60, count: 8)
    let expected = try await StoreWorld(files).fromFiles(flow)
    for order in [Array(files.indices), files.indices.reversed(), [3, 1, 7, 0, 5, 2, 6, 4]] {
      let world = try StoreWorld(files)
      for number in order where number < files.count {
        try await world.ingest([number], for: flow)
        if number % 3 == 0 { _ = try world.compact() }
      }
      #expect(try await world.fromStore(flow) == expected)
      #expect(try FactStore.verify(path: world.storePath).damages == [])
    }
  }

  @Test func whatIsInIsPassedOver() async throws {
    let flow = try Worlds.adversarialFlow()
    let world = try StoreWorld(Worlds.files(seed: 3, flow: flow, persons: 30))
    try await world.ingest(for: flow)
    let expected = try await world.fromStore(flow)
    // The same bytes under another name are known by their digest.
    let copy = world.root.appendingPathComponent("copy.ndjson")
    try FileManager.default.copyItem(
      at: URL(fileURLWithPath: world.files[0].name), to: copy)
    let store = try FactStore(path: world.storePath, access: .write)
    let ingest = SourceIngest(
      store: store, layout: StoredLayout(try FactSchema(flows: [flow])))
    for outcome in try await ingest.run([.file(copy.path)] + world.files) {
      guard case .passedOver = outcome else {
        Issue.record("\(outcome) was not passed over")
        continue
      }
    }
    try store.close()
    #expect(try await world.fromStore(flow) == expected)
  }

  @Test func readingAgainChangesNothing() async throws {
    let flow = try Worlds.adversarialFlow()
    let world = try StoreWorld(Worlds.files(seed: 5, flow: flow, persons: 30))
    let expected = try await world.fromFiles(flow)
    try await world.ingest(for: flow)
    try await world.ingest([0, 2], for: flow, again: true)
    #expect(try await world.fromStore(flow) == expected)
    _ = try world.compact()
    try await world.ingest([1, 2, 4], for: flow, again: true)
    #expect(try await world.fromStore(flow) == expected)
    #expect(try FactStore.verify(path: world.storePath).damages == [])
    let compaction = try world.compact()
    #expect(compaction.packsBefore == 4 && compaction.packsAfter == 1)
    #expect(try await world.fromStore(flow) == expected)
    #expect(try StoreSnapshot(path: world.storePath).sources.count == world.files.count)
  }

  @Test func asOfIsAReportOfThatDay() async throws {
    let flow = try Worlds.adversarialFlow()
    let world = try StoreWorld(Worlds.files(seed: 11, flow: flow, persons: 60))
    try await world.ingest(for: flow)
    let spans = try StoreSnapshot(path: world.storePath).sources.compactMap(\.milliseconds)
    let first = try #require(spans.map(\.lowerBound).min())
    let last = try #require(spans.map(\.upperBound).max())
    for share in [Int64(1), 2, 3] {
      let moment = first + (last - first) / 4 * share
      let expected = try await world.fromFiles(flow, asOf: moment)
      #expect(try await world.fromStore(flow, asOf: moment) == expected)
      #expect(expected.counts.factsTooLate > 0)
    }
  }

  @Test func aReaderSeesOneState() async throws {
    let flow = try Worlds.adversarialFlow()
    let world = try StoreWorld(Worlds.files(seed: 13, flow: flow, persons: 30))
    try await world.ingest([0, 1], for: flow)
    let expected = try await world.fromStore(flow)
    let snapshot = try StoreSnapshot(path: world.storePath)
    try await world.ingest([2, 3], for: flow)
    _ = try world.compact()
    #expect(try await StoreWorld.fromSnapshot(snapshot, flow) == expected)
    #expect(try await world.fromStore(flow) == world.fromFiles(flow, [0, 1, 2, 3]))
  }
}
