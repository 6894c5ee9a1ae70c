package import EventInput
internal import Foundation
internal import GRDB
internal import Synchronization

/// A store of facts: one SQLite file that dumps are ingested into, day after day.
///
/// `FactStore` stands beside the reading of dumps in the data path: what `Timelines` makes of a
/// source it keeps as sorted, delta-coded, checksummed segments, and hands back later as if the
/// dump had been read again. One source is one transaction: a store holds it wholly or not at all.
/// It evaluates nothing and keeps no answers but the history of reports, and no raw id.
///
/// SQLite's write-ahead log lets others read while one writes; a second writer waits.
package final class FactStore: Sendable {
  package enum Access: Sendable {
    /// Reads; nothing is written even where it could be.
    case read
    /// Reads and writes a store that is there.
    case write
    /// Makes the store if it is not there.
    case create
  }

  /// How long to wait for another writer, and what to call after a second.
  package struct Waiting: Sendable {
    package var seconds: Int
    package var tell: @Sendable () -> Void

    package init(seconds: Int = 600, tell: @escaping @Sendable () -> Void = {}) {
      self.seconds = seconds
      self.tell = tell
    }
  }

  package let path: String
  /// What ids in this store are hashed with.
  package let key: IdentifierKey
  let queue: DatabaseQueue
  let waiting: Waiting
  private let busyWait: BusyWait
  private let seals: RowSeal

  /// Opens a store.
  ///
  /// - Throws: `StoreError` if there is none, if it is none, or can't be opened.
  package init(path: String, access: Access, waiting: Waiting = Waiting()) throws {
    self.path = path
    self.waiting = waiting
    busyWait = BusyWait(waiting)
    if access != .create && !FileManager.default.fileExists(atPath: path) {
      throw StoreError.notFound(path)
    }
    if let found = FileIdentity(at: path), !found.isRegular {
      throw StoreError.cannotOpen(
        path, found.isFolder ? "it is a folder; name a file" : "it is no file; name one")
    }
    do {
      queue = try FactStore.open(path, access, busyWait)
      let bytes = try FactStore.prepare(queue, path, access, waiting)
      key = IdentifierKey(bytes: bytes)
      seals = RowSeal(key: bytes)
    } catch {
      throw StoreError.of(error, path: path, waitedSeconds: waiting.seconds)
    }
    if access != .read { RejectsFolder(beside: path).removeAbandoned() }
  }

  /// Whether the file at a path is a store, as its first bytes say; `false` where it can't be read.
  package static func lies(at path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    return StoreSchema.isOfStore((try? file.read(upToCount: 72)) ?? Data())
  }

  /// The folder with the lines of its sources that could not be used.
  package var rejectsPath: String { RejectsFolder(beside: path).path }

  /// Closes the file; the last one to do so folds the log into it.
  package func close() throws {
    try mapped { try queue.close() }
  }

  private static func open(
    _ path: String, _ access: Access, _ wait: BusyWait
  ) throws -> DatabaseQueue {
    // SQLite takes `:memory:` and what begins with `file:` for something else than a file's name.
    let place = path.hasPrefix("/") ? path : "./\(path)"
    do {
      return try DatabaseQueue(
        path: place, configuration: configuration(path, access, wait, isReadOnly: false))
    } catch let error as DatabaseError {
      guard access == .read, [.SQLITE_READONLY, .SQLITE_CANTOPEN].contains(error.resultCode) else {
        throw error
      }
      // Where nothing can be written there are no log and no shared memory either: as it lies.
      let name = place.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? place
      let isLogged = FileManager.default.fileExists(atPath: "\(path)-wal")
      return try DatabaseQueue(
        path: "file:\(name)?\(isLogged ? "mode=ro" : "immutable=1")",
        configuration: configuration(path, access, wait, isReadOnly: true))
    }
  }

  private static func configuration(
    _ path: String, _ access: Access, _ wait: BusyWait, isReadOnly: Bool
  ) -> Configuration {
    var configuration = Configuration()
    configuration.label = "store"
    configuration.readonly = isReadOnly
    // A report looks at one state of the store from beginning to end.
    configuration.allowsUnsafeTransactions = access == .read
    configuration.busyMode = .callback { wait.goesOn(afterTries: $0) }
    if !isReadOnly {
      configuration.prepareDatabase { db in
        if access == .create {
          // Larger pages hold a segment in few pieces; only a new file takes the size over.
          try db.execute(sql: "PRAGMA page_size = 16384")
        }
        if access == .read {
          // Fails now rather than later where the log can't be opened.
          _ = try SealedTables.number(db, "SELECT count(*) FROM sqlite_master")
          try db.execute(sql: "PRAGMA query_only = 1")
        } else {
          try db.execute(
            sql: """
              PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 2000;
              PRAGMA cache_size = -16000; PRAGMA secure_delete = ON
              """)
        }
      }
    }
    return configuration
  }

  /// Checks whose file it is, makes the tables of a new store, and reads the key.
  private static func prepare(
    _ queue: DatabaseQueue, _ path: String, _ access: Access, _ waiting: Waiting
  ) throws -> [UInt8] {
    // Of one moment, since another process may be making the store.
    let marks = try inTransaction(queue, StoreSchema.marks)
    if marks.isEmpty {
      // A process may have been killed before it had made the tables.
      guard access == .create else { throw StoreError.notFound(path) }
    } else if marks.application != StoreSchema.applicationID {
      throw StoreError.notAStore(path)
    } else if marks.version > StoreSchema.version {
      throw StoreError.newer(path, found: Int(marks.version), known: StoreSchema.version)
    } else if marks.version < StoreSchema.version {
      throw StoreError.older(path, found: Int(marks.version), known: StoreSchema.version)
    }
    if access != .read { try logAhead(queue, waiting) }
    if marks.isEmpty {
      try queue.write { db in
        if try StoreSchema.marks(db).isEmpty { try StoreSchema.make(db) }
      }
    }
    guard try StoreSchema.isOwn(queue) else {
      throw StoreError.damaged(
        path, "its tables are not those of version \(StoreSchema.version)")
    }
    return try inTransaction(queue, StoreSchema.key)
  }

  /// Two processes that make one store at the same time get in each other's way here, whatever
  /// the busy handler says.
  private static func logAhead(_ queue: DatabaseQueue, _ waiting: Waiting) throws {
    let wait = BusyWait(waiting)
    var tries = 0
    while true {
      do {
        try queue.writeWithoutTransaction { db in
          let mode = try SealedTables.texts(db, "PRAGMA journal_mode")
          if mode != ["wal"] { try db.execute(sql: "PRAGMA journal_mode = WAL") }
        }
        return
      } catch let error as DatabaseError {
        guard error.resultCode == .SQLITE_BUSY, wait.goesOn(afterTries: tries) else { throw error }
        tries += 1
      }
    }
  }

  /// Reads from the tables, of one moment.
  func read<Result>(_ work: (SealedTables) throws -> Result) throws -> Result {
    try mapped { try FactStore.inTransaction(queue) { try work(SealedTables($0, seals)) } }
  }

  /// How many rows each table has and the sum of their seals: others whenever the rows are others.
  package var rowSums: [Int64] {
    get throws {
      try read { tables in
        try StoreTable.counted.flatMap { table in
          let sum = try tables.sum(of: table)
          return [sum.rows, sum.total]
        }
      }
    }
  }

  /// From here on all reading is of one state of the store, until it is closed.
  func beginReading() throws {
    try mapped { try queue.inDatabase { try $0.beginTransaction(.deferred) } }
  }

  /// Changes the tables, wholly or not at all; waits for another writer.
  func write<Result>(_ work: (SealedTables) throws -> Result) throws -> Result {
    try mapped { try queue.write { try work(SealedTables($0, seals)) } }
  }

  /// As above; but where another process writes it fails at once.
  func writeUnlessBusy(_ work: (SealedTables) throws -> Void) throws {
    try mapped {
      // On the queue, where no other work of this process waits meanwhile.
      try queue.writeWithoutTransaction { db in
        try busyWait.withoutWaiting {
          try db.inTransaction(.immediate) {
            try work(SealedTables(db, seals))
            return .commit
          }
        }
      }
    }
  }

  private static func inTransaction<Result>(
    _ queue: DatabaseQueue, _ work: (Database) throws -> Result
  ) throws -> Result {
    try queue.inDatabase { db in
      // A snapshot has one from its beginning to its end.
      if db.isInsideTransaction { return try work(db) }
      try db.beginTransaction(.deferred)
      do {
        let result = try work(db)
        try db.commit()
        return result
      } catch {
        if db.isInsideTransaction { try db.rollback() }
        throw error
      }
    }
  }

  /// Runs work on the database, with its errors in words that a user can act on.
  func mapped<Result>(_ work: () throws -> Result) throws -> Result {
    do {
      return try work()
    } catch {
      throw StoreError.of(error, path: path, waitedSeconds: waiting.seconds)
    }
  }
}
