internal import EventInput
internal import Foundation
internal import GRDB
internal import Timelines

extension FactStore {
  /// What a look at every byte that counts showed.
  package struct Verification: Sendable, Hashable {
    package var segments = 0
    package var facts = 0
    /// Each damaged part, named; empty if all is as it was written.
    package var damages: [String] = []
  }

  /// Reads everything and compares it with its digests and counts.
  ///
  /// - Throws: `StoreError` where the store can't be read at all.
  package static func verify(path: String, waiting: Waiting = Waiting()) throws -> Verification {
    var result = Verification()
    RejectsFolder(beside: path).removeAbandoned()
    do {
      try verify(path: path, waiting: waiting, into: &result)
    } catch let error as StoreError {
      // The store may be too damaged to be opened.
      guard case .damaged(_, let what) = error else { throw error }
      result.damages.append(what)
    }
    return result
  }

  private static func verify(
    path: String, waiting: Waiting, into result: inout Verification
  ) throws {
    let store = try FactStore(path: path, access: .read, waiting: waiting)
    defer { try? store.close() }
    result.damages = try store.mapped { try store.queue.inDatabase { try store.structure($0) } }
    result.damages += store.headerDamage()
    let damages = try store.damagedTables()
    result.damages += damages
    if !damages.isEmpty { return }
    let snapshot = try StoreSnapshot(path: path, waiting: waiting)
    try snapshot.verify(into: &result)
  }

  /// SQLite's own look at its pages and indices.
  private func structure(_ db: Database) throws -> [String] {
    do {
      let told = try SealedTables.texts(db, "PRAGMA integrity_check(20)")
      return told.filter { $0 != "ok" }.map { "SQLite: \($0)" }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return ["SQLite: \(error.message ?? "the file is malformed")"]
    }
  }

  /// What SQLite's own look leaves out: it reads a file that only newer versions may write to, or
  /// whose header asks for a log that it has none of, without a word.
  ///
  /// Bytes 18 and 19 are the versions that may write and read: 1, or 2 with a log
  /// (sqlite.org/fileformat.html, section 1.3.3).
  private func headerDamage() -> [String] {
    guard let file = FileHandle(forReadingAtPath: path) else { return [] }
    defer { try? file.close() }
    guard let header = try? file.read(upToCount: 20), header.count == 20 else { return [] }
    let versions = header.suffix(2)
    return versions.allSatisfy { (1...2).contains($0) } && Set(versions).count == 1
      ? [] : ["its header asks for a newer version of SQLite"]
  }

  /// What is not as it was written of the tables' rows, one damage a table.
  private func damagedTables() throws -> [String] {
    var damages: [String] = []
    func note(_ look: (SealedTables) throws -> Void) throws {
      do {
        try read(look)
      } catch let error as StoreError {
        guard case .damaged(_, let what) = error else { throw error }
        if !damages.contains(what) { damages.append(what) }
      }
    }
    for table in StoreTable.counted { try note { _ = try $0.all(table) } }
    try note { try readHistory($0) }
    if damages.isEmpty { try note { _ = try forgotten($0) } }
    if damages.isEmpty { _ = try flows() }
    return damages
  }
}

extension StoreSnapshot {
  func verify(into result: inout FactStore.Verification) throws {
    var factsOfSource: [Int64: Int] = [:]
    var damagedPacks: Set<Int> = []
    for (pack, reading) in packs.enumerated() {
      var census = StoredCensus()
      for partition in 0..<StoreSnapshot.partitionCount {
        do {
          guard let piece = try piece(ofPack: pack, partition: partition) else { continue }
          result.segments += 1
          try census.count(piece, reading)
        } catch let error as StoreError {
          guard case .damaged(_, let what) = error else { throw error }
          result.damages.append(what)
          damagedPacks.insert(pack)
        } catch is StoredDamage {
          result.damages.append("\(name(ofPack: pack, partition: partition)) makes no sense")
          damagedPacks.insert(pack)
        }
      }
      result.facts += census.factCount
      for (number, count) in census.factsBySource where reading.isWanted[number] {
        factsOfSource[packSources[pack][number].source, default: 0] += count
      }
    }
    let doubtful = Set(damagedPacks.flatMap { packSources[$0].map(\.source) })
    for source in sources where !doubtful.contains(source.id) {
      if let damage = difference(source, found: factsOfSource[source.id] ?? 0) {
        result.damages.append(damage)
      }
    }
  }
}
