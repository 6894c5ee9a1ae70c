internal import Foundation
internal import Timelines

/// Puts one pack in the place of some, inside a transaction that is open.
struct PackRewriting {
  let snapshot: StoreSnapshot
  /// Whose facts are left out.
  var forgotten = ForgottenPersons()
  /// Facts that were left out, by source.
  private(set) var forgottenCounts: [Int64: Int] = [:]

  init(_ snapshot: StoreSnapshot, forgetting forgotten: ForgottenPersons = .init()) {
    self.snapshot = snapshot
    self.forgotten = forgotten
  }

  /// - Parameter members: packs of one layout, by their places in the snapshot.
  mutating func merge(_ members: [Int], _ tables: SealedTables) throws {
    let store = snapshot.store
    let layout = snapshot.packs[members[0]].layout
    // In the order in which the sources came: of equal facts the earliest comes first.
    let sources = Set(
      members.flatMap { pack in
        snapshot.packSources[pack].filter { !$0.isSuperseded }.map(\.source)
      }
    ).sorted()
    let numbers = Dictionary(uniqueKeysWithValues: zip(sources, sources.indices))
    var merger = StoredPackMerger(
      layout: layout, packs: members.map { snapshot.packs[$0] },
      sourceNumbers: members.map { pack in
        snapshot.packSources[pack].map { numbers[$0.source] ?? 0 }
      },
      forgetting: forgotten)
    let id = try tables.newID(.packs)
    for partition in 0..<StoreSnapshot.partitionCount {
      var pieces: [StoredPiece] = []
      for (place, pack) in members.enumerated() {
        guard var piece = try snapshot.piece(ofPack: pack, partition: partition) else { continue }
        piece.pack = place
        pieces.append(piece)
      }
      if let segment = try merger.merge(partition: partition, pieces) {
        try store.insert(segment, pack: id, tables)
      }
    }
    for member in members { try store.delete(pack: snapshot.packIDs[member], tables) }
    if merger.factCount > 0 {
      try store.insert(
        pack: id, layout: try store.id(of: layout, tables), sources: sources,
        facts: merger.factCount, merger.tables, tables)
    }
    for (number, count) in merger.forgottenCounts {
      forgottenCounts[sources[number], default: 0] += count
    }
  }
}
