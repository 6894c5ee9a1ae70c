internal import Foundation
internal import GRDB
internal import Timelines

extension EventStore {
  /// What compaction did.
  public struct Compaction: Sendable, Hashable {
    public var packsBefore: Int
    public var packsAfter: Int
  }

  /// Merges the packs of sources that were read for the same layout, and leaves out what counts no
  /// longer: reading then costs what the facts cost, however many days they came in.
  ///
  /// One transaction; other writers wait, readers don't.
  public func compact() throws -> Compaction {
    let result = try mapped {
      try queue.write { db in
        // The lock is held: nobody writes between this and what the snapshot sees.
        let snapshot = try StoreSnapshot(path: path, waiting: waiting)
        var groups: [(layout: StoredLayout, members: [Int])] = []
        for (pack, reading) in snapshot.packs.enumerated() {
          if let group = groups.firstIndex(where: { $0.layout == reading.layout }) {
            groups[group].members.append(pack)
          } else {
            groups.append((reading.layout, [pack]))
          }
        }
        var rewriting = PackRewriting(snapshot)
        for group in groups {
          let hasRest = group.members.contains { snapshot.packs[$0].isWanted.contains(false) }
          if group.members.count > 1 || hasRest { try rewriting.merge(group.members, db) }
        }
        return Compaction(
          packsBefore: snapshot.packs.count,
          packsAfter: try Int.fetchOne(db, sql: "SELECT count(*) FROM packs") ?? 0)
      }
    }
    try giveBackSpace()
    return result
  }

  /// Writes the file anew without its free pages, and empties the log; the last thing to do before
  /// the store is closed.
  func giveBackSpace() throws {
    try mapped {
      try queue.writeWithoutTransaction { db in
        let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
        let all = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        if free * 4 > all { try db.execute(sql: "VACUUM") }
        // Where others still read, the log stays until the last of them is done: no long wait.
        try db.execute(sql: "PRAGMA busy_timeout = 500")
        _ = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      }
    }
  }
}
