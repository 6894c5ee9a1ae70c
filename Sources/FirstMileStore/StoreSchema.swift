internal import Foundation
internal import GRDB

/// The tables of a store; docs/store.md explains them, `StoreTable` has what is read of them.
///
/// A version that was released is never changed: what is new comes as a further version.
enum StoreSchema {
  /// The version that this program reads and writes; in the file as `user_version`.
  static let version = 4
  /// In the file as `application_id`: "FMst".
  static let applicationID = 0x464D_7374

  /// Whether a file begins as stores do: with SQLite's words, and behind them its mark
  /// (sqlite.org/fileformat.html, 1.3).
  static func isOfStore(_ beginning: Data) -> Bool {
    let mark = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: applicationID >> $0) }
    return beginning.starts(with: Data("SQLite format 3\0".utf8))
      && beginning.dropFirst(68).starts(with: mark)
  }

  /// Whose file it is, of which version, and whether there is anything in it.
  struct Marks {
    var application: Int64
    var version: Int64
    var isEmpty: Bool
  }

  static func marks(_ db: Database) throws -> Marks {
    Marks(
      application: try SealedTables.number(db, "PRAGMA application_id") ?? 0,
      version: try SealedTables.number(db, "PRAGMA user_version") ?? 0,
      isEmpty: try SealedTables.number(db, "SELECT count(*) FROM sqlite_master") == 0)
  }

  /// Makes the tables and the key, in a transaction that is open.
  static func make(_ db: Database) throws {
    try db.execute(sql: tables)
    var generator = SystemRandomNumberGenerator()
    let key = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
    try SealedTables(db, .ofKey).insert(.identifierKey, [[1, Data(key)]])
    try SealedTables(db, RowSeal(key: key)).insert(
      .ledger, StoreTable.counted.map { [$0.name, 0, 0] })
    try db.execute(
      sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
  }

  /// What ids are hashed with.
  static func key(_ db: Database) throws -> [UInt8] {
    let rows = try SealedTables(db, .ofKey).some(.identifierKey, where: "id = 1")
    guard let key = try rows.first?.bytes("bytes"), key.count == 16 else {
      throw TableDamage.rows(StoreTable.identifierKey.name)
    }
    return [UInt8](key)
  }

  /// Whether a store has the very tables of its version. Somebody may have altered them.
  static func isOwn(_ queue: DatabaseQueue) throws -> Bool {
    let model = try DatabaseQueue()
    try model.write { try $0.execute(sql: tables) }
    return try list(queue) == list(model)
  }

  private static func list(_ queue: DatabaseQueue) throws -> [String] {
    try queue.inDatabase { db in
      try SealedTables.texts(
        db, "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name")
    }
  }

  private static let tables = """
    CREATE TABLE identifier_key (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      bytes BLOB NOT NULL,
      seal INTEGER NOT NULL
    );
    CREATE TABLE ledger (
      name TEXT NOT NULL PRIMARY KEY,
      rows INTEGER NOT NULL,
      total INTEGER NOT NULL,
      seal INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE definitions (
      id INTEGER PRIMARY KEY,
      flow TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      text TEXT NOT NULL,
      last_used INTEGER NOT NULL,
      seal INTEGER NOT NULL
    );
    CREATE TABLE sources (
      id INTEGER PRIMARY KEY,
      path TEXT NOT NULL,
      stamp TEXT NOT NULL,
      digest TEXT NOT NULL,
      compressed_bytes INTEGER NOT NULL,
      uncompressed_bytes INTEGER NOT NULL,
      compression TEXT NOT NULL,
      format TEXT NOT NULL,
      lines INTEGER NOT NULL,
      blank_lines INTEGER NOT NULL,
      events INTEGER NOT NULL,
      events_without_user INTEGER NOT NULL,
      events_without_device INTEGER NOT NULL,
      timestamps_without_offset INTEGER NOT NULL,
      placeholders TEXT NOT NULL,
      rejects TEXT NOT NULL,
      damages TEXT NOT NULL,
      facts INTEGER NOT NULL,
      facts_forgotten INTEGER NOT NULL,
      first_milliseconds INTEGER,
      last_milliseconds INTEGER,
      program_version TEXT NOT NULL,
      replaced_by INTEGER,
      seal INTEGER NOT NULL
    );
    CREATE TABLE layouts (
      id INTEGER PRIMARY KEY,
      text TEXT NOT NULL,
      seal INTEGER NOT NULL
    );
    CREATE TABLE packs (
      id INTEGER PRIMARY KEY,
      layout INTEGER NOT NULL,
      facts INTEGER NOT NULL,
      checksum INTEGER NOT NULL,
      seal INTEGER NOT NULL,
      tables BLOB NOT NULL
    );
    CREATE TABLE pack_sources (
      pack INTEGER NOT NULL,
      number INTEGER NOT NULL,
      source INTEGER NOT NULL,
      is_superseded INTEGER NOT NULL,
      seal INTEGER NOT NULL,
      PRIMARY KEY (pack, number)
    ) WITHOUT ROWID;
    CREATE TABLE segments (
      id INTEGER PRIMARY KEY,
      pack INTEGER NOT NULL,
      partition INTEGER NOT NULL,
      facts INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      checksum INTEGER NOT NULL,
      seal INTEGER NOT NULL,
      data BLOB NOT NULL
    );
    CREATE INDEX segments_by_pack ON segments (pack);
    CREATE TABLE aliases (
      source INTEGER NOT NULL,
      user BLOB NOT NULL,
      other BLOB NOT NULL,
      milliseconds INTEGER NOT NULL,
      seal INTEGER NOT NULL,
      PRIMARY KEY (source, user, other)
    ) WITHOUT ROWID;
    CREATE TABLE tombstones (
      kind TEXT NOT NULL,
      hash BLOB NOT NULL,
      first_milliseconds INTEGER NOT NULL,
      last_milliseconds INTEGER NOT NULL,
      erased INTEGER NOT NULL,
      seal INTEGER NOT NULL,
      PRIMARY KEY (kind, hash, first_milliseconds)
    ) WITHOUT ROWID;
    CREATE TABLE history (
      id INTEGER PRIMARY KEY,
      flow TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      program_version TEXT NOT NULL,
      horizon_milliseconds INTEGER,
      options TEXT NOT NULL,
      last_source INTEGER NOT NULL,
      facts INTEGER NOT NULL,
      metrics_digest TEXT NOT NULL,
      made_at TEXT NOT NULL,
      metrics INTEGER NOT NULL,
      metrics_total INTEGER NOT NULL,
      seal INTEGER NOT NULL
    );
    CREATE TABLE history_metrics (
      history INTEGER NOT NULL,
      number INTEGER NOT NULL,
      experiment TEXT NOT NULL,
      variant TEXT NOT NULL,
      metric TEXT NOT NULL,
      step TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      numerator INTEGER,
      denominator INTEGER,
      value REAL,
      low REAL,
      high REAL,
      unit TEXT NOT NULL,
      seal INTEGER NOT NULL,
      PRIMARY KEY (history, number)
    ) WITHOUT ROWID;
    """
}
