package import EventInput
internal import Foundation
internal import GRDB
internal import Timelines

/// A source as the store knows it: a row of `sources`.
package struct StoredSource: Sendable, Hashable {
  /// The order of arrival; an earlier source has a smaller number.
  package var id: Int64
  /// The figures of its reading; `name` is the path it was read from.
  package var summary: SourceSummary
  /// Device, inode, size and times of the file, to know it again without reading it.
  package var stamp: String
  package var eventsWithoutUser: Int
  package var eventsWithoutDevice: Int
  /// Kept facts, repetitions too.
  package var facts: Int
  /// Facts left out because their person was forgotten.
  package var factsForgotten: Int
  /// Users whose facts were kept, and who are one person with somebody forgotten; known right after
  /// the reading, and not stored.
  package var usersOfForgotten = 0
  /// The first and the last moment; `nil` without facts.
  package var milliseconds: ClosedRange<Int64>?
  package var programVersion: String
  /// A later source from the same path that took its place: a whole one where this one was damaged,
  /// or what was read again there. Its own number where it was dropped.
  package var replacedBy: Int64?
  /// Whether its facts went, too.
  package var isGone: Bool { replacedBy != nil && facts == 0 }

  /// - Throws: `TableDamage` if the row is no source's.
  init(_ row: StoredRow) throws {
    id = try row.integer("id")
    var summary = SourceSummary(name: try row.text("path"))
    summary.compressedBytes = try row.count("compressed_bytes")
    summary.uncompressedBytes = try row.count("uncompressed_bytes")
    summary.lines = try row.count("lines")
    summary.blankLines = try row.count("blank_lines")
    summary.events = try row.count("events")
    summary.timestampsWithoutOffset = try row.count("timestamps_without_offset")
    summary.digest = SourceDigest(
      StoredSource.digestKind, hexadecimal: try row.text("digest"))
    let decoder = JSONDecoder()
    let (rejects, damages) = (try row.text("rejects"), try row.text("damages"))
    let placeholders = try row.text("placeholders")
    guard
      let compression = Compression(rawValue: try row.text("compression")),
      let format = EventFormat.Name(rawValue: try row.text("format")),
      let reasons = try? decoder.decode([String: Int].self, from: Data(rejects.utf8)),
      let missing = try? decoder.decode([String: Int].self, from: Data(placeholders.utf8)),
      PlaceholderIdentifier.areSound(missing),
      let places = try? decoder.decode([Damage].self, from: Data(damages.utf8))
    else { throw row.damage }
    summary.compression = compression
    summary.format = format
    for (reason, count) in reasons {
      guard let reason = RejectReason(rawValue: reason) else { throw row.damage }
      summary.rejectsByReason[reason] = count
    }
    summary.placeholders = missing
    summary.damages = places.map { InputDamage(byteOffset: $0.offset, message: $0.message) }
    self.summary = summary
    stamp = try row.text("stamp")
    eventsWithoutUser = try row.count("events_without_user")
    eventsWithoutDevice = try row.count("events_without_device")
    facts = try row.count("facts")
    factsForgotten = try row.count("facts_forgotten")
    let first = try row.optional("first_milliseconds", StoredRow.integer)
    let last = try row.optional("last_milliseconds", StoredRow.integer)
    if let first, let last, first <= last { milliseconds = first...last }
    programVersion = try row.text("program_version")
    replacedBy = try row.optional("replaced_by", StoredRow.integer)
  }

  init(
    id: Int64 = 0, summary: SourceSummary, stamp: String, eventsWithoutUser: Int,
    eventsWithoutDevice: Int, packs: [StoredPack], programVersion: String
  ) {
    self.id = id
    self.summary = summary
    self.stamp = stamp
    self.eventsWithoutUser = eventsWithoutUser
    self.eventsWithoutDevice = eventsWithoutDevice
    facts = packs.reduce(0) { $0 + $1.factCount }
    factsForgotten = packs.reduce(0) { $0 + $1.forgottenCount }
    usersOfForgotten =
      packs.reduce(into: Set<IdentifierHash>()) {
        $0.formUnion($1.usersOfForgotten)
      }.count
    let spans = packs.compactMap(\.milliseconds)
    if let first = spans.map(\.lowerBound).min(), let last = spans.map(\.upperBound).max() {
      milliseconds = first...last
    }
    self.programVersion = programVersion
  }

  /// A digest decides which bytes are in already, and two files of one XXH3 can be made.
  static let digestKind = SourceDigest.Kind.sha256

  /// SHA-256 of the source's bytes, in hexadecimal.
  var digest: String { summary.digest?.hexadecimal ?? "" }

  private struct Damage: Codable {
    var offset: Int
    var message: String
  }

  /// Values by the columns of `StoreTable.sources`.
  var values: [(any DatabaseValueConvertible)?] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    func text(_ value: some Encodable) -> String {
      (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
    let rejects = Dictionary(
      summary.rejectsByReason.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: +)
    let damages = summary.damages.map { Damage(offset: $0.byteOffset, message: $0.message) }
    return [
      id, summary.name, stamp, digest, summary.compressedBytes,
      summary.uncompressedBytes, summary.compression.rawValue, summary.format.rawValue,
      summary.lines, summary.blankLines, summary.events, eventsWithoutUser, eventsWithoutDevice,
      summary.timestampsWithoutOffset, text(summary.placeholders), text(rejects), text(damages),
      facts, factsForgotten,
      milliseconds?.lowerBound, milliseconds?.upperBound, programVersion, replacedBy,
    ]
  }
}
