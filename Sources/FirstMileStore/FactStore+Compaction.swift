internal import Foundation
internal import GRDB
internal import Timelines

extension FactStore {
  /// What compaction did.
  package struct Compaction: Sendable, Hashable {
    package var packsBefore: Int
    package var packsAfter: Int
  }

  /// Merges the packs of sources that were read for the same layout, and leaves out what counts no
  /// longer: reading then costs what the facts cost, however many days they came in.
  ///
  /// One transaction; other writers wait, readers don't.
  package func compact() throws -> Compaction {
    let result = try write { tables in
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
        if group.members.count > 1 || hasRest { try rewriting.merge(group.members, tables) }
      }
      return Compaction(
        packsBefore: snapshot.packs.count, packsAfter: Int(try tables.sum(of: .packs).rows))
    }
    try giveBackSpace()
    return result
  }

  /// Writes the file anew without its free pages, if these are many, and empties the log; the last
  /// thing to do before the store is closed.
  private func giveBackSpace() throws {
    try mapped {
      try queue.writeWithoutTransaction { db in
        let free = try SealedTables.number(db, "PRAGMA freelist_count") ?? 0
        let all = try SealedTables.number(db, "PRAGMA page_count") ?? 0
        if free > all / 4 { try db.execute(sql: "VACUUM") }
        // Where others still read, the log stays until the last of them is done: no long wait.
        try db.execute(sql: "PRAGMA busy_timeout = 500")
        _ = try SealedTables.number(db, "PRAGMA wal_checkpoint(TRUNCATE)")
      }
    }
  }
}

extension FactStore {
  /// Writes the file anew, so that nothing is left in it of what was deleted, and empties the log;
  /// waits for others who read the store.
  ///
  /// - Returns: whether that could be done; otherwise others went on reading an earlier state.
  func overwriteErased() throws -> Bool {
    try mapped {
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "VACUUM")
        let end = ContinuousClock.now + .seconds(waiting.seconds)
        // The first number says whether others were in the way. Beside another checkpoint SQLite
        // doesn't wait (sqlite.org/c3ref/wal_checkpoint_v2.html), so this does.
        while try SealedTables.number(db, "PRAGMA wal_checkpoint(TRUNCATE)") != 0 {
          if ContinuousClock.now >= end { return false }
          usleep(50_000)
        }
        return true
      }
    }
  }
}
