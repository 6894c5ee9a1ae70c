internal import EventInput
internal import Foundation
internal import GRDB
internal import Timelines

extension EventStore {
  /// Takes a source in, wholly or not at all.
  ///
  /// - Parameters:
  ///   - readsAgain: puts the packs in the place of those that the source has.
  ///   - beforeCommit: what must have happened when the source is in.
  func add(
    _ source: StoredSource, _ packs: [StoredPack], _ layout: StoredLayout, readsAgain: Bool,
    beforeCommit: () throws -> Void
  ) throws -> SourceIngest.Outcome {
    try mapped {
      try queue.write { db in
        var row = source
        let known = try id(ofDigest: source.summary.digest, db)
        // Another process may have been faster.
        if let known, !readsAgain { return .passedOver(known) }
        if let known {
          row.id = known
          row.replacedBy = try Int64.fetchOne(
            db, sql: "SELECT replaced_by FROM sources WHERE id = ?", arguments: [known])
          try supersede(known, db)
          try update(row, db)
        } else {
          row.id = try insert(row, db)
          try replaceDamaged(row, db)
        }
        let number = try id(of: layout, db)
        for pack in packs where pack.factCount > 0 {
          try insert(pack, layout: number, sources: [row.id], db)
        }
        try insert(packs.flatMap(\.links), source: row.id, db)
        try beforeCommit()
        return known == nil ? .takenIn(row) : .readAgain(row)
      }
    }
  }

  private func insert(_ source: StoredSource, _ db: Database) throws -> Int64 {
    let columns = source.columns
    try db.execute(
      sql: """
        INSERT INTO sources (\(columns.map(\.name).joined(separator: ", ")))
        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        """, arguments: StatementArguments(columns.map(\.value)))
    return db.lastInsertedRowID
  }

  func update(_ source: StoredSource, _ db: Database) throws {
    let columns = source.columns
    try db.execute(
      sql: """
        UPDATE sources SET \(columns.map { "\($0.name) = ?" }.joined(separator: ", "))
        WHERE id = ?
        """, arguments: StatementArguments(columns.map(\.value) + [source.id]))
  }

  /// A damaged file that was sent again whole counts no longer among the inputs; its facts stay.
  private func replaceDamaged(_ source: StoredSource, _ db: Database) throws {
    guard source.summary.damages.isEmpty, source.summary.name != "-" else { return }
    try db.execute(
      sql: """
        UPDATE sources SET replaced_by = ?
        WHERE path = ? AND damages <> '[]' AND replaced_by IS NULL AND id <> ?
        """, arguments: [source.id, source.summary.name, source.id])
  }

  /// The facts that were kept of a source count no longer; they go at once where they stand alone,
  /// else when the store is compacted.
  private func supersede(_ source: Int64, _ db: Database) throws {
    try db.execute(
      sql: """
        DELETE FROM packs WHERE id IN (SELECT pack FROM pack_sources WHERE source = ?)
          AND 1 = (SELECT count(*) FROM pack_sources WHERE pack = packs.id)
        """, arguments: [source])
    try db.execute(
      sql: "UPDATE pack_sources SET is_superseded = 1 WHERE source = ?", arguments: [source])
    try db.execute(sql: "DELETE FROM aliases WHERE source = ?", arguments: [source])
  }

  func id(of layout: StoredLayout, _ db: Database) throws -> Int64 {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(layout), as: UTF8.self)
    try db.execute(
      sql: "INSERT INTO layouts (text) VALUES (?) ON CONFLICT DO NOTHING", arguments: [text])
    let id = try Int64.fetchOne(
      db, sql: "SELECT id FROM layouts WHERE text = ?", arguments: [text])
    return id ?? 0
  }

  /// - Parameter sources: by their number in the pack.
  func insert(
    _ pack: StoredPack, layout: Int64, sources: [Int64], _ db: Database
  ) throws {
    let id = try insertPack(layout: layout, sources: sources, db)
    for segment in pack.segments { try insert(segment, pack: id, db) }
    try complete(pack: id, facts: pack.factCount, pack.tables, db)
  }

  /// A pack that is still empty.
  func insertPack(layout: Int64, sources: [Int64], _ db: Database) throws -> Int64 {
    try db.execute(
      sql: "INSERT INTO packs (layout, facts, tables, checksum) VALUES (?, 0, x'', 0)",
      arguments: [layout])
    let id = db.lastInsertedRowID
    for (number, source) in sources.enumerated() {
      try db.execute(
        sql: "INSERT INTO pack_sources (pack, number, source) VALUES (?, ?, ?)",
        arguments: [id, number, source])
    }
    return id
  }

  func insert(_ segment: StoredSegment, pack: Int64, _ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO segments (pack, partition, facts, checksum, data) VALUES (?, ?, ?, ?, ?)
        """)
    try statement.execute(arguments: [
      pack, segment.partition, segment.factCount, Int64(bitPattern: segment.checksum),
      Data(segment.bytes),
    ])
  }

  func complete(pack: Int64, facts: Int, _ tables: StoredTables, _ db: Database) throws {
    let bytes = tables.bytes
    try db.execute(
      sql: "UPDATE packs SET facts = ?, tables = ?, checksum = ? WHERE id = ?",
      arguments: [
        facts, Data(bytes), Int64(bitPattern: StoredBytes.checksum(of: bytes)), pack,
      ])
  }
}
