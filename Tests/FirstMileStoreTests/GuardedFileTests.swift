import FirstMileStore
import FlowDefinition
import Foundation
import GRDB
import Testing
import Timelines

/// What a store refuses, what it finds damaged, and what it says.
struct GuardedFileTests {
  private static func world() async throws -> StoreWorld {
    let flow = try Worlds.adversarialFlow()
    let world = try StoreWorld(Worlds.files(seed: 21, flow: flow, persons: 30, count: 3))
    try await world.ingest(for: flow)
    return world
  }

  @Test func noStoreNoReport() throws {
    #expect(throws: StoreError.notFound("/nowhere/a.sqlite")) {
      _ = try FactStore(path: "/nowhere/a.sqlite", access: .read)
    }
    #expect(throws: StoreError.self) {
      _ = try FactStore(path: "/nowhere/a.sqlite", access: .create)
    }
  }

  @Test func anotherProgramsFileIsLeftAlone() throws {
    let world = try StoreWorld([])
    let text = world.root.appendingPathComponent("text")
    try Data("a text of some length, which is no database at all".utf8).write(to: text)
    #expect(throws: StoreError.notAStore(text.path)) {
      _ = try FactStore(path: text.path, access: .create)
    }
    let other = world.root.appendingPathComponent("other.sqlite").path
    let queue = try DatabaseQueue(path: other)
    try queue.write { try $0.execute(sql: "CREATE TABLE mine (a)") }
    try queue.close()
    #expect(throws: StoreError.notAStore(other)) {
      _ = try FactStore(path: other, access: .create)
    }
  }

  @Test func aNewerStoreIsRefused() async throws {
    let world = try await Self.world()
    let queue = try DatabaseQueue(path: world.storePath)
    try await queue.write { try $0.execute(sql: "PRAGMA user_version = 9") }
    try queue.close()
    let expected = StoreError.newer(world.storePath, found: 9, known: 4)
    #expect(throws: expected) { _ = try FactStore(path: world.storePath, access: .read) }
    #expect(throws: expected) { _ = try FactStore(path: world.storePath, access: .create) }
    #expect("\(expected)".contains("version 9"))
  }

  @Test(arguments: [2, 3])
  func aStoreOfAnEarlierVersionIsRefused(version: Int) async throws {
    let world = try await Self.world()
    let queue = try DatabaseQueue(path: world.storePath)
    try await queue.write { try $0.execute(sql: "PRAGMA user_version = \(version)") }
    try queue.close()
    let expected = StoreError.older(world.storePath, found: version, known: 4)
    for access in [FactStore.Access.read, .write, .create] {
      #expect(throws: expected) { _ = try FactStore(path: world.storePath, access: access) }
    }
  }

  @Test(arguments: [
    "ALTER TABLE sources DROP COLUMN format", "ALTER TABLE history ADD COLUMN mine",
    "DROP TABLE definitions",
  ])
  func alteredTablesAreRefused(change: String) async throws {
    let world = try await Self.world()
    let queue = try DatabaseQueue(path: world.storePath)
    try await queue.write { try $0.execute(sql: change) }
    try queue.close()
    for access in [FactStore.Access.read, .write, .create] {
      let error = #expect(throws: StoreError.self) {
        _ = try FactStore(path: world.storePath, access: access)
      }
      #expect("\(try #require(error))".contains("its tables are not those of version 4"))
    }
  }

  @Test func aSecondWriterIsToldOfTheFirst() async throws {
    let world = try await Self.world()
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let first = try DatabaseQueue(path: world.storePath, configuration: configuration)
    try await first.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    let waiting = FactStore.Waiting(seconds: 0)
    #expect(throws: StoreError.busy(world.storePath, seconds: 0)) {
      let store = try FactStore(path: world.storePath, access: .write, waiting: waiting)
      _ = try store.compact()
    }
    // Readers don't mind.
    _ = try await world.fromStore(try Worlds.adversarialFlow())
  }

  @Test(arguments: [0.0, 0.5, 0.99])
  func aFlippedByteIsFoundAndNamed(place: Double) async throws {
    let world = try await Self.world()
    #expect(try FactStore.verify(path: world.storePath).damages == [])
    let queue = try DatabaseQueue(path: world.storePath)
    let id = try await queue.write { db in
      let ids = try Int64.fetchAll(db, sql: "SELECT id FROM segments ORDER BY id")
      let id = ids[Int(Double(ids.count) * place)]
      var data = try Data.fetchOne(
        db, sql: "SELECT data FROM segments WHERE id = ?", arguments: [id])
      let index = Int(Double(data?.count ?? 0) * place)
      data?[index] ^= 0x10
      try db.execute(sql: "UPDATE segments SET data = ? WHERE id = ?", arguments: [data, id])
      return id
    }
    try queue.close()
    let damages = try FactStore.verify(path: world.storePath).damages
    #expect(damages.count == 1)
    #expect(damages.allSatisfy { $0.contains("segment \(id),") && $0.contains(".ndjson") })
    await #expect(throws: StoreError.self) {
      _ = try await world.fromStore(try Worlds.adversarialFlow())
    }
  }

  @Test func bytesThatMakeNoSenseAreRefused() throws {
    // Bytes that pass a checksum and yet are no segment: nothing may be read beyond them.
    var generator = RandomBytes(state: 9)
    let flow = try Worlds.adversarialFlow()
    let layout = StoredLayout(try FactSchema(flows: [flow]))
    let nothing = [UInt8](repeating: 0, count: layout.columns.count + 2)
    let none = try StoredTables(nothing, layout: layout)
    let pack = StoredPackReading(layout: layout, tables: none, isWanted: [true])
    for length in 1..<400 {
      let bytes = (0..<length).map { _ in generator.next() }
      let piece = StoredPiece(pack: 0, bytes: bytes.withUnsafeBytes { StoredBytes($0) })
      var census = StoredCensus()
      try? census.count(piece, pack)
      #expect(census.factCount == 0)
      _ = try? StoredTables(bytes, layout: layout)
    }
  }

  private struct RandomBytes {
    var state: UInt64

    mutating func next() -> UInt8 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 40)
    }
  }
}
