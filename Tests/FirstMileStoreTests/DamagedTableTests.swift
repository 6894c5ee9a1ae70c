import FirstMileStore
import FlowDefinition
import Foundation
import GRDB
import Testing
import Timelines

/// Whatever a table of a store is made to hold: it is found, told as damage, and traps nowhere.
struct DamagedTableTests {
  /// A store with rows in every table: two sources, aliases, a forgotten person, and a report.
  private static func world() async throws -> StoreWorld {
    let flow = try Worlds.flow("retention: [{days: [1]}]\n")
    let world = try StoreWorld([
      Worlds.visit(user: "ada", device: "phone", at: 0)
        + Worlds.visit(user: "bob", device: "tablet", at: 50),
      Worlds.visit(user: "eve", device: "watch", at: 90)
        + [
          #"{"event":"x","timestamp":1770000099,"user_id":"bob","previous_id":"robert"}"#
        ],
    ])
    try await world.ingest(for: flow)
    _ = try world.forget("ada")
    let store = try FactStore(path: world.storePath, access: .write)
    try store.note([flow])
    let metric = HistoryEntry.Metric(
      experiment: "all", variant: "all", metric: .completionRate, step: "all",
      fingerprint: "f", numerator: 1, denominator: 2, value: 0.5, unit: "rate")
    try store.keep(
      HistoryEntry(
        flow: flow.id, fingerprint: "f", programVersion: "1", horizonMilliseconds: 5,
        options: [:], lastSource: 2, facts: 3, metricsText: "m", madeAt: "now",
        metrics: [metric]))
    try store.close()
    return world
  }

  /// Everything that reads a store.
  private static func readAll(_ world: StoreWorld) async throws {
    let flow = try Worlds.flow("retention: [{days: [1]}]\n")
    let snapshot = try StoreSnapshot(path: world.storePath)
    _ = try snapshot.needs(FactSchema(flows: [flow]), flows: [flow])
    _ = try snapshot.figures()
    _ = try await StoreWorld.fromSnapshot(snapshot, flow)
    let store = try FactStore(path: world.storePath, access: .read)
    defer { try? store.close() }
    _ = try store.flows()
    _ = try store.layouts()
    _ = try store.history(flow: flow.id, limit: 10)
  }

  private static func columns(_ world: StoreWorld) throws -> [(table: String, column: String)] {
    let queue = try DatabaseQueue(path: world.storePath)
    defer { try? queue.close() }
    return try queue.read { db in
      try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
        .flatMap { table in
          try db.columns(in: table).map { (table, $0.name) }
        }
    }
  }

  /// Does it on a copy of the store, and says whether anything was changed.
  private static func change(
    _ world: StoreWorld, to path: String, _ statement: String
  ) throws -> Bool {
    for ending in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + ending)
    }
    try FileManager.default.copyItem(atPath: world.storePath, toPath: path)
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.writeWithoutTransaction { db in
      // Damage keeps to no rule.
      try db.execute(sql: "PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF")
      do {
        try db.execute(sql: statement)
      } catch let error as DatabaseError
        where [.SQLITE_CONSTRAINT, .SQLITE_MISMATCH].contains(error.resultCode)
      {
        return false
      }
      return db.changesCount > 0
    }
  }

  @Test func everyChangedCellIsFound() async throws {
    let world = try await Self.world()
    #expect(try FactStore.verify(path: world.storePath).damages == [])
    try await Self.readAll(world)
    let values = ["NULL", "'text'", "-1", "9223372036854775807", "1e300", "x'00FF'"]
    var changed = 0
    let path = world.root.appendingPathComponent("changed.sqlite").path
    for (table, column) in try Self.columns(world) {
      // Every cell must hold something else than before: of each kind of value one differs.
      for value in values {
        let statement =
          "UPDATE \(table) SET \(column) = \(value) WHERE \(column) IS NOT \(value)"
        guard try Self.change(world, to: path, statement) else { continue }
        changed += 1
        let damages = try FactStore.verify(path: path).damages
        #expect(!damages.isEmpty, "\(statement) is not found")
      }
    }
    #expect(changed > 300)
  }

  @Test func readingDamagedTablesThrows() async throws {
    let world = try await Self.world()
    let flow = try Worlds.flow("retention: [{days: [1]}]\n")
    let sound = try await world.fromStore(flow)
    let path = world.root.appendingPathComponent("changed.sqlite").path
    for (table, column) in try Self.columns(world) {
      for value in ["NULL", "'text'", "7"] {
        let statement =
          "UPDATE \(table) SET \(column) = \(value) WHERE \(column) IS NOT \(value)"
        guard try Self.change(world, to: path, statement) else { continue }
        do {
          // What reports don't read may be damaged.
          let snapshot = try StoreSnapshot(path: path)
          #expect(try await StoreWorld.fromSnapshot(snapshot, flow) == sound, "\(statement)")
        } catch let error as StoreError {
          guard case .damaged = error else { throw error }
        }
        let error = #expect(throws: StoreError.self) {
          let store = try FactStore(path: path, access: .write)
          defer { try? store.close() }
          _ = try store.history(flow: flow.id, limit: 10)
          _ = try store.layouts()
          _ = try store.flows()
          _ = try store.sources()
          _ = try store.forget("bob")
        }
        guard case .damaged? = error else {
          Issue.record("\(statement): \(String(describing: error))")
          continue
        }
      }
    }
  }

  @Test(arguments: [
    "definitions", "sources", "layouts", "packs", "pack_sources", "segments", "aliases",
    "tombstones", "history", "history_metrics", "ledger", "identifier_key",
  ])
  func missingRowsAreFound(table: String) async throws {
    let world = try await Self.world()
    let path = world.root.appendingPathComponent("changed.sqlite").path
    #expect(try Self.change(world, to: path, "DELETE FROM \(table)"))
    #expect(!(try FactStore.verify(path: path).damages.isEmpty))
  }

  @Test func aKeyOfOneOtherBitIsFoundBeforeAnythingIsTakenIn() async throws {
    let world = try await Self.world()
    let queue = try DatabaseQueue(path: world.storePath)
    try await queue.write { db in
      var key = try Data.fetchOne(db, sql: "SELECT bytes FROM identifier_key")
      key?[3] ^= 1
      try db.execute(sql: "UPDATE identifier_key SET bytes = ?", arguments: [key])
    }
    try queue.close()
    await #expect(throws: StoreError.self) {
      try await world.ingest(for: try Worlds.flow(""))
    }
    #expect(!(try FactStore.verify(path: world.storePath).damages.isEmpty))
  }

  @Test func aSegmentOfAnotherPlaceIsFound() async throws {
    let world = try await Self.world()
    let path = world.root.appendingPathComponent("changed.sqlite").path
    // Whole rows, with their seals, in each other's places.
    let swap = """
      UPDATE segments SET partition = (SELECT s.partition FROM segments s WHERE s.id <> segments.id
        ORDER BY s.id LIMIT 1)
      """
    #expect(try Self.change(world, to: path, swap))
    await #expect(throws: StoreError.self) {
      _ = try await StoreWorld.fromSnapshot(
        StoreSnapshot(path: path), try Worlds.flow(""))
    }
  }

  @Test(arguments: [
    "DROP TABLE tombstones", "ALTER TABLE packs RENAME COLUMN facts TO fax",
    "DROP INDEX segments_by_pack", "CREATE VIEW more AS SELECT 1",
    "CREATE TRIGGER t AFTER INSERT ON packs BEGIN DELETE FROM tombstones; END",
    "ALTER TABLE layouts RENAME TO gone",
    "ALTER TABLE layouts RENAME TO gone; CREATE VIEW layouts AS SELECT * FROM gone",
    "CREATE TABLE grdb_more (a)",
  ])
  func otherTablesAreFound(change: String) async throws {
    let world = try await Self.world()
    let path = world.root.appendingPathComponent("changed.sqlite").path
    _ = try Self.change(world, to: path, change)
    #expect(throws: StoreError.damaged(path, "its tables are not those of version 4")) {
      _ = try FactStore(path: path, access: .read)
    }
  }
}
