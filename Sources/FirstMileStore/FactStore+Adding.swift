internal import EventInput
internal import Foundation
internal import Timelines

extension FactStore {
  /// What became of a source that was read.
  enum Addition {
    case added(SourceIngest.Outcome)
    /// Somebody was forgotten while it was read: it has to be read again, without them.
    case outdated
  }

  /// Takes a source in, wholly or not at all.
  ///
  /// - Parameters:
  ///   - readsAgain: puts the packs in the place of those that the source has.
  ///   - forgotten: the tombstones as they were when the source was read.
  ///   - beforeCommit: what must have happened when the source is in.
  func add(
    _ source: StoredSource, _ packs: [StoredPack], _ layout: StoredLayout, readsAgain: Bool,
    forgotten: SealedTables.Sum, beforeCommit: () throws -> Void
  ) throws -> Addition {
    try write { tables in
      guard try tables.sum(of: .tombstones) == forgotten else { return .outdated }
      var source = source
      let known = try tables.some(.sources, where: "digest = ?", [source.digest]).first
      if let known {
        source.id = try known.integer("id")
        // Another process may have been faster.
        if !readsAgain { return .added(.passedOver(source.id)) }
        // What was taken away counts anew if it is asked for.
        let before = try StoredSource(known)
        source.replacedBy = before.isGone ? nil : before.replacedBy
        try supersede(source.id, tables)
        try tables.write(known, source.values)
      } else {
        source.id = try tables.newID(.sources)
        try tables.insert(.sources, [source.values])
      }
      let earlier = try replaceEarlier(
        source, packs, readsAgain: readsAgain, isNew: known == nil, tables)
      let number = try id(of: layout, tables)
      for pack in packs where pack.factCount > 0 {
        let id = try tables.newID(.packs)
        for segment in pack.segments { try insert(segment, pack: id, tables) }
        try insert(
          pack: id, layout: number, sources: [source.id], facts: pack.factCount, pack.tables,
          tables)
      }
      try insert(packs.flatMap(\.links), source: source.id, tables)
      try beforeCommit()
      return .added(
        known == nil
          ? .takenIn(source, earlier: earlier) : .readAgain(source, earlier: earlier))
    }
  }

  /// The facts that were kept of a source count no longer; they go at once where they stand alone,
  /// else when the store is compacted.
  func supersede(_ source: Int64, _ tables: SealedTables) throws {
    for row in try tables.some(.packSources, where: "source = ?", [source]) {
      let pack = try row.integer("pack")
      if try tables.some(.packSources, where: "pack = ?", [pack]).count == 1 {
        try delete(pack: pack, tables)
      } else {
        try tables.update(row, ["is_superseded": 1])
      }
    }
    try tables.delete(.aliases, try tables.some(.aliases, where: "source = ?", [source]))
  }

  func id(of layout: StoredLayout, _ tables: SealedTables) throws -> Int64 {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(layout), as: UTF8.self)
    if let known = try tables.some(.layouts, where: "text = ?", [text]).first {
      return try known.integer("id")
    }
    let id = try tables.newID(.layouts)
    try tables.insert(.layouts, [[id, text]])
    return id
  }

  func insert(_ segment: StoredSegment, pack: Int64, _ tables: SealedTables) throws {
    try tables.insert(
      .segments,
      [
        [
          try tables.newID(.segments), pack, segment.partition, segment.factCount,
          segment.bytes.count, Int64(bitPattern: segment.checksum),
        ]
      ], content: Data(segment.bytes))
  }

  /// A pack, once its segments are in.
  ///
  /// - Parameter sources: by their number in the pack.
  func insert(
    pack: Int64, layout: Int64, sources: [Int64], facts: Int, _ names: StoredTables,
    _ tables: SealedTables
  ) throws {
    let bytes = names.bytes
    let checksum = Int64(bitPattern: StoredBytes.checksum(of: bytes))
    try tables.insert(.packs, [[pack, layout, facts, checksum]], content: Data(bytes))
    try tables.insert(
      .packSources, sources.enumerated().map { [pack, $0.offset, $0.element, 0] })
  }

  func delete(pack: Int64, _ tables: SealedTables) throws {
    for table in [StoreTable.segments, .packSources] {
      try tables.delete(table, try tables.some(table, where: "pack = ?", [pack]))
    }
    try tables.delete(.packs, try tables.some(.packs, where: "id = ?", [pack]))
  }
}
