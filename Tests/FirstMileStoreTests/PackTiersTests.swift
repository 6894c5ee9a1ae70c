import FirstMileStore
import FlowDefinition
import Foundation
import GRDB
import Synchronization
import Testing
import Timelines

/// A store that many sources come into keeps few packs, and the same facts.
struct PackTiersTests {
  @Test(arguments: [true, false])
  func manySourcesBecomeFewPacks(atOnce: Bool) async throws {
    let flow = try Worlds.adversarialFlow()
    let world = try StoreWorld(Worlds.files(seed: 17, flow: flow, persons: 90, count: 150))
    let expected = try await world.fromFiles(flow)
    var most = 0
    for numbers in atOnce ? [Array(world.files.indices)] : world.files.indices.map({ [$0] }) {
      try await world.ingest(numbers, for: flow)
      most = max(most, try StoreSnapshot(path: world.storePath).figures().packs)
    }
    let snapshot = try StoreSnapshot(path: world.storePath)
    // Seven of each size at most, of which there are three: as they came, of eight, of sixty-four.
    #expect(snapshot.sources.count > 140 && most <= 21)
    #expect(try await StoreWorld.fromSnapshot(snapshot, flow) == expected)
    #expect(try FactStore.verify(path: world.storePath).damages == [])
    // The same once more, where sources have to be taken out of packs that others are in, too.
    try await world.ingest([0, 70, 71, world.files.count - 1], for: flow, again: true)
    #expect(try await world.fromStore(flow) == expected)
  }

  @Test func aDamagedPackKeepsNoSourceOut() async throws {
    let flow = try Worlds.adversarialFlow()
    let world = try StoreWorld(Worlds.files(seed: 19, flow: flow, persons: 60, count: 12))
    try await world.ingest(Array(0..<7), for: flow)
    let queue = try DatabaseQueue(path: world.storePath)
    try await queue.write { db in
      try db.execute(
        sql: """
          UPDATE segments SET data = zeroblob(length(data))
          WHERE id = (SELECT min(id) FROM segments)
          """)
    }
    try queue.close()
    for outcome in try await world.ingest([7, 8, 9], for: flow) {
      guard case .takenIn = outcome else {
        Issue.record("\(outcome) was not taken in")
        continue
      }
    }
    #expect(try StoreSnapshot(path: world.storePath).sources.count == 10)
    #expect(try FactStore.verify(path: world.storePath).damages.count == 1)
  }
  /// Merging is no part of the work, and another process may write for minutes.
  @Test func nothingIsMergedWhereAnotherProcessWrites() async throws {
    let flow = try Worlds.adversarialFlow()
    let world = try StoreWorld(Worlds.files(seed: 23, flow: flow, persons: 60, count: 12))
    let count = world.files.count
    let hasWaited = Atomic<Bool>(false)
    let waiting = FactStore.Waiting(seconds: 2) { hasWaited.store(true, ordering: .relaxed) }
    func ingest(isCutShort: Bool) async throws -> [SourceIngest.Outcome] {
      let store = try FactStore(path: world.storePath, access: .create, waiting: waiting)
      defer { try? store.close() }
      var ingest = SourceIngest(store: store, layout: StoredLayout(try FactSchema(flows: [flow])))
      let taken = Atomic<Int>(0)
      ingest.tell = { _, _ in taken.add(1, ordering: .relaxed) }
      ingest.shouldStop = { isCutShort && taken.load(ordering: .relaxed) == count }
      return try await ingest.run(world.files)
    }
    _ = try await ingest(isCutShort: true)
    let packs = try StoreSnapshot(path: world.storePath).figures().packs
    #expect(packs > 8)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: world.storePath, configuration: configuration)
    try await other.writeWithoutTransaction { try $0.beginTransaction(.immediate) }
    let outcomes = try await ingest(isCutShort: false)
    #expect(outcomes.count == world.files.count && !hasWaited.load(ordering: .relaxed))
    #expect(try StoreSnapshot(path: world.storePath).figures().packs == packs)
    try await other.writeWithoutTransaction { try $0.rollback() }
    try other.close()
    _ = try await ingest(isCutShort: false)
    #expect(try StoreSnapshot(path: world.storePath).figures().packs < packs)
  }
}
