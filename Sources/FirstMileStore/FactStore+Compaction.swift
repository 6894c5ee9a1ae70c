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
      var rewriting = PackRewriting(snapshot)
      for members in snapshot.packsAlike.flatMap({ snapshot.groupsWithPlace($0) }) {
        let hasRest = members.contains { snapshot.packs[$0].isWanted.contains(false) }
        if members.count > 1 || hasRest { try rewriting.merge(members, tables) }
      }
      return Compaction(
        packsBefore: snapshot.packs.count, packsAfter: Int(try tables.sum(of: .packs).rows))
    }
    try giveBackSpace()
    return result
  }

  /// Merges packs where a layout has many of about one size (`PackTiers`), so that reports need not
  /// wait for somebody to compact the store. Pages that become free are for what comes next.
  ///
  /// It is no part of any work: where space is scarce or another process writes nothing is merged,
  /// and where something keeps it from being done, all is as it was. What is damaged is named by
  /// commands that need it.
  func mergeTiers(enough: Int) {
    guard StoreSpace.isPlenty(path) else { return }
    try? writeUnlessBusy { tables in
      guard try hasTierToMerge(tables, enough: enough) else { return }
      let snapshot = try StoreSnapshot(path: path, waiting: waiting)
      var facts: [Int: Int] = [:]
      for place in snapshot.places { facts[place.pack, default: 0] += place.facts }
      let merges = snapshot.packsAlike.flatMap { packs in
        PackTiers.merges(
          packs.map { PackTiers.Group(packs: [$0], facts: facts[$0] ?? 0) }, enough: enough)
      }
      var rewriting = PackRewriting(snapshot)
      for members in merges where snapshot.groupsWithPlace(members).count == 1 {
        try rewriting.merge(members, tables)
      }
    }
  }

  /// Whether packs of any layout may have to be merged. What else keeps packs of one layout apart,
  /// only a snapshot shows.
  private func hasTierToMerge(_ tables: SealedTables, enough: Int) throws -> Bool {
    guard try tables.sum(of: .packs).rows >= enough else { return false }
    var packs: [Int64: [PackTiers.Group]] = [:]
    for (number, row) in try tables.all(.packs).enumerated() {
      packs[try row.integer("layout"), default: []].append(
        PackTiers.Group(packs: [number], facts: try row.count("facts")))
    }
    return packs.values.contains { !PackTiers.merges($0, enough: enough).isEmpty }
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

extension StoreSnapshot {
  /// Packs that may be merged without another answer to any question: of one layout, and all of
  /// events of FirstMile's own, or none.
  fileprivate var packsAlike: [[Int]] {
    struct Kind: Hashable {
      var layout: StoredLayout
      var isOfOwnEvents: Bool
    }
    let kinds = Dictionary(grouping: packs.indices) {
      Kind(layout: packs[$0].layout, isOfOwnEvents: packs[$0].isOfOwnEvents)
    }
    return kinds.values.sorted { $0[0] < $1[0] }
  }

  /// Divides packs of one layout into groups of which each may become one pack.
  fileprivate func groupsWithPlace(_ members: [Int]) -> [[Int]] {
    StoredTables.groupsWithPlace(members.map { packs[$0].tables }).map { Array(members[$0]) }
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
