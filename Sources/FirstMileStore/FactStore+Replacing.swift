internal import EventInput
internal import Foundation
internal import Timelines

extension FactStore {
  /// Earlier contents of the path of a source that was read again.
  package struct EarlierContents: Sendable, Hashable {
    /// Those whose facts it took the place of, as they were.
    package var replaced: [StoredSource] = []
    /// How many facts of those have a person and a time that the new content does not have.
    package var missingFacts = 0
    /// Whether all facts were counted; of very many some are looked at.
    package var isMissingExact = true
    /// The numbers of those that count as well.
    package var kept: [Int64] = []
    /// Sources of other paths that may be the same file: most of theirs is in the new content.
    package var alike: [StoredSource] = []
  }

  /// How much of a damaged file the whole one has.
  private static let shareOfWhole = 0.9
  /// How much of an earlier export a corrected one has, by people's moments.
  private static let shareOfCorrected = 0.5
  /// How many sources of other paths are looked at.
  private static let mostAlike = 50

  /// Settles what earlier contents of a source's path still count for.
  ///
  /// A path may be used for one day after the other, or for the last days of each night, so that
  /// alone says nothing: what counts is how many of the moments at which people had events are in
  /// the new content, too. A damaged file of which that has nearly all counts no longer among the
  /// inputs; its facts stay. With `readsAgain` the facts go of a content of which at least half is
  /// there again, and whose rest isn't of other days, and of one that had none.
  ///
  /// - Parameter isNew: whether these bytes were never in.
  func replaceEarlier(
    _ source: StoredSource, _ packs: [StoredPack], readsAgain: Bool, isNew: Bool,
    _ tables: SealedTables
  ) throws -> EarlierContents {
    var found = EarlierContents()
    guard source.summary.name != "-", source.replacedBy == nil else { return found }
    var later: SharedMoments?
    for (row, isSamePath) in try earlier(than: source, tables) {
      let old = try StoredSource(row)
      let isMended = !old.summary.damages.isEmpty && source.summary.damages.isEmpty
      guard readsAgain || isMended else { continue }
      // Most of the earlier contents of a path that is used night after night are of other days.
      if let span = old.milliseconds, let own = source.milliseconds, !span.overlaps(own) {
        if readsAgain && isSamePath { found.kept.append(old.id) }
        continue
      }
      let known = try later ?? sharedMoments(packs)
      later = known
      let moments = try earlierMoments(of: old, against: known, tables)
      let (all, shared) = (Double(moments.count), Double(moments.shared))
      let isKnown = isSamePath || all > 0
      if readsAgain && isKnown && shared >= all * Self.shareOfCorrected
        && !moments.isOfOtherTimes
      {
        found.replaced += try drop(row, for: source.id, tables)
        found.missingFacts += moments.missing
        found.isMissingExact = found.isMissingExact && moments.isExact
      } else if isMended, isKnown,
        all > 0 ? shared >= all * Self.shareOfWhole : begins(source, like: old)
      {
        try tables.update(row, ["replaced_by": source.id])
      } else if readsAgain && isSamePath {
        found.kept.append(old.id)
      }
    }
    if readsAgain && isNew && found.replaced.isEmpty && found.kept.isEmpty {
      // Only to be said: what is damaged elsewhere is no reason to take nothing in.
      found.alike = (try? alike(source, packs, later, tables)) ?? []
    }
    return found
  }

  /// Sources of other paths of which a source could take the place, were they of its own: a copy of
  /// the file, which was passed over, or the file before it was moved.
  ///
  /// All sources may be of its days, so that of each only one partition's people are looked at
  /// first.
  private func alike(
    _ source: StoredSource, _ packs: [StoredPack], _ later: SharedMoments?, _ tables: SealedTables
  ) throws -> [StoredSource] {
    guard let span = source.milliseconds,
      let largest = packs.flatMap(\.segments).max(by: { $0.factCount < $1.factCount })
    else { return [] }
    let rows = try tables.some(.sources, where: "replaced_by IS NULL AND id <> ?", [source.id])
    let others = try rows.map(StoredSource.init).filter { $0.milliseconds?.overlaps(span) ?? false }
    if others.isEmpty { return [] }
    let later = try later ?? sharedMoments(packs)
    func hasMost(_ moments: EarlierMoments) -> Bool {
      moments.count > 0
        && Double(moments.shared) >= Double(moments.count) * Self.shareOfCorrected
    }
    // A night's files are many, and most are no copy: those of about as many facts, the newest.
    let own = Double(packs.flatMap(\.segments).reduce(0) { $0 + $1.factCount })
    let sizes = own / 2...own * 2
    let near = others.filter { sizes.contains(Double($0.facts)) }.suffix(Self.mostAlike)
    return try near.filter { other in
      let some = try earlierMoments(
        of: other, against: later, inPartition: largest.partition, tables)
      guard hasMost(some) else { return false }
      let all = try earlierMoments(of: other, against: later, tables)
      return hasMost(all) && !all.isOfOtherTimes
    }
  }

  /// Other sources of the same file that count, however its path was written.
  ///
  /// A path that was written as seen from some folder may be that of this file where this one's
  /// ends like it. Then what both have has to decide.
  private func earlier(
    than source: StoredSource, _ tables: SealedTables
  ) throws -> [(row: StoredRow, isSamePath: Bool)] {
    let name = source.summary.name
    let last = String(name.drop { $0 == "/" }.split(separator: "/").last ?? "")
    let rows = try tables.some(
      .sources, where: "substr(path, -length(?)) = ? AND replaced_by IS NULL AND id <> ?",
      [last, last, source.id])
    let place = URL(fileURLWithPath: name).resolvingSymlinksInPath().path
    return try rows.compactMap { row in
      let path = try row.text("path")
      if path == name || URL(fileURLWithPath: path).resolvingSymlinksInPath().path == place {
        return (row, true)
      }
      // Seen from here it may be another file.
      let isOfElsewhere =
        !path.hasPrefix("/") && ![path, name].contains(where: RemoteAddress.isAddress)
        && !FileManager.default.fileExists(atPath: path)
      let end = URL(fileURLWithPath: "/\(path)").standardizedFileURL.path
      return isOfElsewhere && place.hasSuffix(end) ? (row, false) : nil
    }
  }

  /// Whether a source's file begins with all bytes of one of which nothing could be read: then that
  /// was an unfinished copy of it.
  private func begins(_ source: StoredSource, like old: StoredSource) -> Bool {
    let path = InputPath(source.summary.name)
    return FileStamp.digest(path, first: old.summary.compressedBytes) == old.digest
  }

  private func sharedMoments(_ packs: [StoredPack]) throws -> SharedMoments {
    do {
      return try SharedMoments(packs)
    } catch is StoredDamage {
      throw StoreError.damaged(path, "the facts of the source at hand make no sense")
    }
  }

  /// An earlier source's facts, held against the moments of a later one.
  ///
  /// - Parameter partition: looks at the people of one alone.
  private func earlierMoments(
    of source: StoredSource, against later: SharedMoments, inPartition partition: Int? = nil,
    _ tables: SealedTables
  ) throws -> EarlierMoments {
    var moments = EarlierMoments(against: later, facts: source.facts)
    do {
      let places = try tables.some(
        .packSources, where: "source = ? AND is_superseded = 0", [source.id])
      for place in places {
        let number = try place.count("number")
        let pack = try place.integer("pack")
        for row in try tables.some(.segments, where: "pack = ?", [pack]) {
          if let partition, try row.count("partition") != partition { continue }
          let content = [UInt8](try tables.content(.segments, id: try row.integer("id")))
          guard
            Int64(bitPattern: StoredBytes.checksum(of: content)) == (try row.integer("checksum"))
          else { throw row.damage }
          try moments.add(
            unsafe content.withUnsafeBytes { unsafe StoredBytes($0) }, ofSource: number)
        }
      }
    } catch is StoredDamage {
      throw StoreError.damaged(path, "the facts of source \(source.id) make no sense")
    }
    return moments
  }

  /// Takes the facts of a source away, and those of damaged contents in whose place it had come.
  ///
  /// - Parameter successor: what counts in its place; itself where nothing does.
  /// - Returns: the sources as they were.
  private func drop(
    _ row: StoredRow, for successor: Int64, _ tables: SealedTables
  ) throws -> [StoredSource] {
    let source = try StoredSource(row)
    try supersede(source.id, tables)
    try tables.update(row, ["replaced_by": successor, "facts": 0])
    let mended = try tables.some(
      .sources, where: "replaced_by = ? AND id <> ? AND facts > 0", [source.id, source.id])
    return [source]
      + (try mended.flatMap { row in
        try drop(row, for: successor == source.id ? try row.integer("id") : successor, tables)
      })
  }

  /// Takes the facts of sources away, wholly or not at all. Their bytes stay known: they are passed
  /// over if they are ingested once more, unless they are read again on purpose.
  ///
  /// - Returns: the sources as they were.
  /// - Throws: `StoreError.other` for a number that no source has, or one that counts no longer.
  package func drop(sources numbers: [Int64]) throws -> [StoredSource] {
    var dropped: [StoredSource] = []
    var gone: StoredSource?
    // A process may have been killed before its rejects went, too.
    defer {
      for source in dropped + [gone].compactMap(\.self) {
        RejectsFolder(beside: path).remove(digest: source.digest)
      }
    }
    dropped = try write { tables in
      var dropped: [StoredSource] = []
      for number in numbers where !dropped.contains(where: { $0.id == number }) {
        guard let row = try tables.some(.sources, where: "id = ?", [number]).first else {
          // Where rows are missing nobody knows what numbers there were.
          _ = try tables.all(.sources)
          throw StoreError.other(
            path, "no source has the number \(number): `firstmile store info --sources` lists them")
        }
        let source = try StoredSource(row)
        if let successor = source.replacedBy, source.isGone {
          gone = source
          throw StoreError.other(
            path,
            "source \(number) counts no longer: it was "
              + (successor == number ? "dropped" : "replaced by source \(successor)"))
        }
        dropped += try drop(row, for: number, tables)
      }
      return dropped
    }
    return dropped
  }
}
