public import EventInput
internal import Foundation
internal import GRDB
internal import Timelines

/// A source as the store knows it: a row of `sources`.
public struct StoredSource: Sendable, Hashable {
  /// The order of arrival; an earlier source has a smaller number.
  public var id: Int64
  /// The figures of its reading; `name` is the path it was read from.
  public var summary: SourceSummary
  /// Device, inode, size and times of the file, to know it again without reading it.
  public var stamp: String
  public var eventsWithoutUser: Int
  public var eventsWithoutDevice: Int
  /// Kept facts, repetitions too.
  public var facts: Int
  /// Facts left out because their person was forgotten.
  public var factsForgotten: Int
  /// The first and the last moment; `nil` without facts.
  public var milliseconds: ClosedRange<Int64>?
  public var programVersion: String
  /// A later, whole source from the same path, where this one was damaged.
  public var replacedBy: Int64?

  /// - Throws: `StoredDamage` if the row is not what was written.
  init(_ row: Row) throws {
    id = row["id"]
    var summary = SourceSummary(name: row["path"])
    summary.compressedBytes = row["compressed_bytes"]
    summary.uncompressedBytes = row["uncompressed_bytes"]
    summary.lines = row["lines"]
    summary.blankLines = row["blank_lines"]
    summary.events = row["events"]
    summary.timestampsWithoutOffset = row["timestamps_without_offset"]
    summary.compression = Compression(rawValue: row["compression"]) ?? .plain
    summary.format = EventFormat.Name(rawValue: row["format"]) ?? .canonical
    summary.digest = row["digest"]
    let decoder = JSONDecoder()
    let rejects: String = row["rejects"]
    let damages: String = row["damages"]
    guard
      let reasons = try? decoder.decode([String: Int].self, from: Data(rejects.utf8)),
      let places = try? decoder.decode([Damage].self, from: Data(damages.utf8))
    else { throw StoredDamage() }
    for (reason, count) in reasons {
      guard let reason = RejectReason(rawValue: reason) else { throw StoredDamage() }
      summary.rejectsByReason[reason] = count
    }
    summary.damages = places.map { InputDamage(byteOffset: $0.offset, message: $0.message) }
    self.summary = summary
    stamp = row["stamp"]
    eventsWithoutUser = row["events_without_user"]
    eventsWithoutDevice = row["events_without_device"]
    facts = row["facts"]
    factsForgotten = row["facts_forgotten"]
    let first: Int64? = row["first_milliseconds"]
    let last: Int64? = row["last_milliseconds"]
    if let first, let last, first <= last { milliseconds = first...last }
    programVersion = row["program_version"]
    replacedBy = row["replaced_by"]
    guard row["checksum"] == checksum else { throw StoredDamage() }
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
    let spans = packs.compactMap(\.milliseconds)
    if let first = spans.map(\.lowerBound).min(), let last = spans.map(\.upperBound).max() {
      milliseconds = first...last
    }
    self.programVersion = programVersion
  }

  private struct Damage: Codable {
    var offset: Int
    var message: String
  }

  /// The columns of the row but `id`, by name.
  var columns: [(name: String, value: (any DatabaseValueConvertible)?)] {
    values + [("replaced_by", replacedBy), ("checksum", checksum)]
  }

  private var values: [(name: String, value: (any DatabaseValueConvertible)?)] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    func text(_ value: some Encodable) -> String {
      (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
    let rejects = Dictionary(
      summary.rejectsByReason.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: +)
    return [
      ("path", summary.name), ("stamp", stamp), ("digest", summary.digest),
      ("compressed_bytes", summary.compressedBytes),
      ("uncompressed_bytes", summary.uncompressedBytes),
      ("compression", summary.compression.rawValue), ("format", summary.format.rawValue),
      ("lines", summary.lines),
      ("blank_lines", summary.blankLines), ("events", summary.events),
      ("events_without_user", eventsWithoutUser),
      ("events_without_device", eventsWithoutDevice),
      ("timestamps_without_offset", summary.timestampsWithoutOffset), ("rejects", text(rejects)),
      (
        "damages",
        text(summary.damages.map { Damage(offset: $0.byteOffset, message: $0.message) })
      ),
      ("facts", facts), ("facts_forgotten", factsForgotten),
      ("first_milliseconds", milliseconds?.lowerBound),
      ("last_milliseconds", milliseconds?.upperBound), ("program_version", programVersion),
    ]
  }

  /// Of all that doesn't change once the source is in.
  private var checksum: Int64 {
    let text = values.map { "\($0.name)=\($0.value.map { "\($0)" } ?? "")" }
    return Int64(
      bitPattern: StoredBytes.checksum(of: Array(text.joined(separator: "\n").utf8)))
  }
}
