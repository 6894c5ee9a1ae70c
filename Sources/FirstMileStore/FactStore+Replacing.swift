internal import EventInput
internal import Foundation
internal import Timelines

extension FactStore {
  /// How much of a damaged file the whole one has.
  private static let shareOfWhole = 0.9
  /// How much of an earlier export a corrected one has, by people's moments.
  private static let shareOfCorrected = 0.5

  /// Settles what earlier contents of a source's path still count for.
  ///
  /// A path may be used for one day after the other, so that alone says nothing: what counts is how
  /// many of the moments at which people had events are in the new content, too. A damaged file of
  /// which that has nearly all counts no longer among the inputs; its facts stay. With `readsAgain`
  /// the facts go of a content of which at least half is there again, and of one that had none.
  ///
  /// - Returns: earlier contents that count beside this one; only those that were looked at.
  func replaceEarlier(
    _ source: StoredSource, _ packs: [StoredPack], readsAgain: Bool, _ tables: SealedTables
  ) throws -> [Int64] {
    guard source.summary.name != "-", source.replacedBy == nil else { return [] }
    let earlier = try tables.some(
      .sources, where: "path = ? AND replaced_by IS NULL AND id <> ?",
      [source.summary.name, source.id])
    var besides: [Int64] = []
    for row in earlier {
      let old = try StoredSource(row)
      let isMended = !old.summary.damages.isEmpty && source.summary.damages.isEmpty
      guard readsAgain || isMended else { continue }
      let share = try share(of: old.id, in: packs, tables)
      if readsAgain && share ?? 1 >= Self.shareOfCorrected {
        try drop(row, for: source.id, tables)
      } else if isMended, let share, share >= Self.shareOfWhole {
        try tables.update(row, ["replaced_by": source.id])
      } else if readsAgain {
        besides.append(old.id)
      }
    }
    return besides
  }

  /// How many of a source's moments are in packs; `nil` for a source without facts.
  private func share(
    of source: Int64, in packs: [StoredPack], _ tables: SealedTables
  ) throws -> Double? {
    var (shared, all) = (0, 0)
    do {
      let moments = try SharedMoments(packs)
      let places = try tables.some(
        .packSources, where: "source = ? AND is_superseded = 0", [source])
      for place in places {
        let number = try place.count("number")
        for row in try tables.some(.segments, where: "pack = ?", [try place.integer("pack")]) {
          let content = [UInt8](try tables.content(.segments, id: try row.integer("id")))
          guard
            Int64(bitPattern: StoredBytes.checksum(of: content)) == (try row.integer("checksum"))
          else { throw row.damage }
          let found = try moments.count(
            in: content.withUnsafeBytes { StoredBytes($0) }, ofSource: number)
          shared += found.shared
          all += found.all
        }
      }
    } catch is StoredDamage {
      throw StoreError.damaged(path, "the facts of source \(source) make no sense")
    }
    return all == 0 ? nil : Double(shared) / Double(all)
  }

  /// Takes the facts of a source away.
  ///
  /// - Parameter successor: what counts in its place; itself where nothing does.
  private func drop(_ row: StoredRow, for successor: Int64, _ tables: SealedTables) throws {
    try supersede(try row.integer("id"), tables)
    try tables.update(row, ["replaced_by": successor, "facts": 0])
  }

  /// Takes the facts of sources away, wholly or not at all. Their bytes stay known: they are passed
  /// over if they are ingested once more, unless they are read again on purpose.
  ///
  /// - Returns: the sources as they were.
  /// - Throws: `StoreError.other` for a number that no source has, or one that counts no longer.
  package func drop(sources numbers: [Int64]) throws -> [StoredSource] {
    let dropped = try write { tables in
      try numbers.map { number in
        guard let row = try tables.some(.sources, where: "id = ?", [number]).first else {
          throw StoreError.other(
            path, "no source has the number \(number): `firstmile store info --sources` lists them")
        }
        let source = try StoredSource(row)
        if let successor = source.replacedBy {
          throw StoreError.other(
            path,
            "source \(number) counts no longer: it was "
              + (successor == number ? "dropped" : "replaced by source \(successor)"))
        }
        try drop(row, for: number, tables)
        return source
      }
    }
    for source in dropped { RejectsFolder(beside: path).remove(digest: source.digest) }
    return dropped
  }
}
