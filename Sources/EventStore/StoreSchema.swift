internal import Foundation
internal import GRDB

/// The tables of a store, version by version; docs/store.md explains them.
///
/// A version once released is never changed: what is new comes as a further migration.
enum StoreSchema {
  /// The newest version that this program knows; in the file as `user_version`.
  static let version = 1
  /// In the file as `application_id`: "FMst".
  static let applicationID = 0x464D_7374

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { db in
      try db.execute(sql: version1)
      try makeKey(db)
      try db.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = 1")
    }
    return migrator
  }

  /// Whether a store of this version has the very tables of this version. A store of an unreleased
  /// build, or one that somebody altered, may lack a column, and reading a row of it would trap.
  static func isOwn(_ queue: DatabaseQueue) throws -> Bool {
    let model = try DatabaseQueue()
    try migrator.migrate(model)
    return try tables(queue) == tables(model)
  }

  private static func tables(_ queue: DatabaseQueue) throws -> [String] {
    try queue.inDatabase { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT sql FROM sqlite_master
          WHERE sql IS NOT NULL AND name NOT LIKE 'grdb_%' AND name NOT LIKE 'sqlite_%'
          ORDER BY name
          """)
    }
  }

  private static func makeKey(_ db: Database) throws {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
    try db.execute(
      sql: "INSERT INTO identifier_key (id, bytes) VALUES (1, ?)", arguments: [Data(bytes)])
  }

  private static let version1 = """
    CREATE TABLE identifier_key (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      bytes BLOB NOT NULL
    );
    CREATE TABLE definitions (
      id INTEGER PRIMARY KEY,
      flow TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      text TEXT NOT NULL,
      last_used INTEGER NOT NULL,
      UNIQUE (flow, text)
    );
    CREATE TABLE sources (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      path TEXT NOT NULL,
      stamp TEXT NOT NULL,
      digest TEXT NOT NULL UNIQUE,
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
      rejects TEXT NOT NULL,
      damages TEXT NOT NULL,
      facts INTEGER NOT NULL,
      facts_forgotten INTEGER NOT NULL,
      first_milliseconds INTEGER,
      last_milliseconds INTEGER,
      program_version TEXT NOT NULL,
      replaced_by INTEGER REFERENCES sources (id),
      checksum INTEGER NOT NULL
    );
    CREATE INDEX sources_by_path ON sources (path);
    CREATE INDEX sources_by_size ON sources (compressed_bytes);
    CREATE TABLE layouts (
      id INTEGER PRIMARY KEY,
      text TEXT NOT NULL UNIQUE
    );
    CREATE TABLE packs (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      layout INTEGER NOT NULL REFERENCES layouts (id),
      facts INTEGER NOT NULL,
      tables BLOB NOT NULL,
      checksum INTEGER NOT NULL
    );
    CREATE TABLE pack_sources (
      pack INTEGER NOT NULL REFERENCES packs (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      source INTEGER NOT NULL REFERENCES sources (id),
      is_superseded INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (pack, number)
    ) WITHOUT ROWID;
    CREATE INDEX pack_sources_by_source ON pack_sources (source);
    CREATE TABLE segments (
      id INTEGER PRIMARY KEY,
      pack INTEGER NOT NULL REFERENCES packs (id) ON DELETE CASCADE,
      partition INTEGER NOT NULL,
      facts INTEGER NOT NULL,
      checksum INTEGER NOT NULL,
      data BLOB NOT NULL
    );
    CREATE UNIQUE INDEX segments_by_pack ON segments (pack, partition);
    CREATE TABLE aliases (
      source INTEGER NOT NULL REFERENCES sources (id),
      user BLOB NOT NULL,
      other BLOB NOT NULL,
      milliseconds INTEGER NOT NULL,
      checksum INTEGER NOT NULL,
      PRIMARY KEY (source, user, other)
    ) WITHOUT ROWID;
    CREATE TABLE tombstones (
      kind TEXT NOT NULL CHECK (kind IN ('user', 'device')),
      hash BLOB NOT NULL,
      first_milliseconds INTEGER NOT NULL,
      last_milliseconds INTEGER NOT NULL,
      PRIMARY KEY (kind, hash, first_milliseconds)
    ) WITHOUT ROWID;
    CREATE TABLE history (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      flow TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      program_version TEXT NOT NULL,
      horizon_milliseconds INTEGER,
      options TEXT NOT NULL,
      last_source INTEGER NOT NULL,
      facts INTEGER NOT NULL,
      metrics_digest TEXT NOT NULL,
      made_at TEXT NOT NULL
    );
    CREATE INDEX history_by_flow ON history (flow, id);
    CREATE TABLE history_metrics (
      history INTEGER NOT NULL REFERENCES history (id) ON DELETE CASCADE,
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
      PRIMARY KEY (history, number)
    ) WITHOUT ROWID;
    """
}
