public import EventInput
public import FlowDefinition
internal import Foundation

/// What the header of every segment begins with.
struct SegmentOrigin: Codable, Sendable, Hashable {
  /// The name of the key that ids are hashed with (`IdentifierKey.name`).
  var key: String
  /// The task that wrote it.
  var task: String
}

/// The header of what a task read.
struct TaskHeader: Codable, Sendable, Hashable {
  var origin: SegmentOrigin
  /// Of this program.
  var version: String
  var source: SourceRecord
  /// By partition: facts, repetitions too.
  var facts: [Int]
  /// By partition of the device: pairs of a device and a user. `nil` where no flow is stitched.
  var sightings: [Int]?
  /// How many pairs of users the body holds.
  var links: Int
  /// How many events its sample holds; `nil` of a task that took none.
  var sampled: Int?

  /// Whether it has a count for each partition.
  func isSound(of partitionCount: Int) -> Bool {
    facts.count == partitionCount && sightings?.count ?? partitionCount == partitionCount
      && WrittenNumbers.areSound(facts + (sightings ?? []) + [links, sampled ?? 0])
      && WrittenNumbers.areSound(in: source)
  }

  /// The partition whose survey reports the task, so that each task is reported once.
  func partition(of count: Int) -> Int {
    PersonPartition.number(
      of: IdentifierHash(high: 0, low: NameTable.stableHash(of: origin.task)), of: count)
  }
}

/// The header of facts, by a task or by stitching.
struct FactsHeader: Codable, Sendable, Hashable {
  var origin: SegmentOrigin
  var layout: StoredLayout
  /// Repetitions too.
  var facts: Int
  /// So many bytes of the body explain the codes; the facts follow.
  var tableBytes: Int
  /// By which rule facts found their people; `nil` of a task's.
  var rule: StitchingRule?
}

/// The header of sightings.
struct SightingsHeader: Codable, Sendable, Hashable {
  var origin: SegmentOrigin
  var pairs: Int
}

/// By which rule facts find their people: what stitching needs to know of a flow and a run.
public struct StitchingRule: Codable, Sendable, Hashable {
  var identity: String
  var withinMilliseconds: Int64
  /// Facts after that moment show nobody; `nil` for all.
  var asOfMilliseconds: Int64?

  init(_ schema: FactSchema, latestMilliseconds: Int64) {
    identity = schema.identity.rawValue
    withinMilliseconds = schema.stitchWithinMilliseconds
    asOfMilliseconds = latestMilliseconds == .max ? nil : latestMilliseconds
  }
}

/// What stitching a partition came to.
struct StitchingRecord: Codable, Sendable, Hashable {
  var origin: SegmentOrigin
  var partition: Int
  var rule: StitchingRule
  /// By partition: facts that were given to people there.
  var sent: [Int]
  /// By task: facts and pairs that were read.
  var facts: [String: Int]
  var pairs: [String: Int]
  var heads: HeadsRecord
  var sharedDevices = 0
  var devicesWithSeveralUsers = 0
  var devicesWithUsers = 0
  var stitchedFacts = 0

  /// Without what only the check of all partitions needs.
  var checked: StitchingRecord {
    var record = self
    (record.facts, record.pairs, record.sent) = ([:], [:], [])
    return record
  }
}

/// Of which tasks a step knew the heads: what they read, and which users are one person. All steps
/// of a run must have known the same, or some would count what others never saw.
struct HeadsRecord: Codable, Sendable, Hashable {
  var tasks = 0
  /// Pairs of users who are one person.
  var links = 0
  /// A sum over all heads and pairs. A head has its input's digest, so that an input that was read
  /// again with other content is another task.
  var digest: UInt64 = 0

  mutating func add(_ header: [UInt8]) {
    tasks += 1
    digest &+= NameTable.stableHash(of: String(decoding: header, as: UTF8.self))
  }

  mutating func add(_ link: UserLink) {
    links += 1
    digest &+= link.user.low ^ link.other.high &* 0x9E37_79B9_7F4A_7C15
  }
}

/// One input as a task read it: what reports say of it.
struct SourceRecord: Codable, Sendable, Hashable {
  struct DamageRecord: Codable, Sendable, Hashable {
    var offset: Int
    var message: String
  }

  var name: String
  var compressedBytes: Int
  var uncompressedBytes: Int
  var lines: Int
  var blankLines: Int
  var events: Int
  var rejects: [String: Int]
  var timestampsWithoutOffset: Int
  var placeholders: [String: Int]
  var compression: String
  var format: String
  /// `nil` where it could not be read to its end.
  var digest: String?
  var damages: [DamageRecord]
  /// Why it can't be read at all.
  var unreadable: String?
  /// Whether it could not even be looked at: nothing is known of it but its name.
  var isMissing = false
  var eventsWithoutUser: Int
  var eventsWithoutDevice: Int

  init(_ summary: SourceSummary, eventsWithoutUser: Int, eventsWithoutDevice: Int) {
    name = summary.name
    compressedBytes = summary.compressedBytes
    uncompressedBytes = summary.uncompressedBytes
    lines = summary.lines
    blankLines = summary.blankLines
    events = summary.events
    rejects = Dictionary(
      summary.rejectsByReason.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: +)
    timestampsWithoutOffset = summary.timestampsWithoutOffset
    placeholders = summary.placeholders
    compression = summary.compression.rawValue
    format = summary.format.rawValue
    digest = summary.digest?.description
    damages = summary.damages.map { DamageRecord(offset: $0.byteOffset, message: $0.message) }
    unreadable = summary.unreadable?.message
    self.eventsWithoutUser = eventsWithoutUser
    self.eventsWithoutDevice = eventsWithoutDevice
  }

  /// As a reading for flows with this identity would have given it; `nil` where a word is unknown.
  func summary(_ identity: IdentityRule) -> SourceSummary? {
    guard let compression = Compression(rawValue: compression),
      let format = EventFormat.Name(rawValue: format)
    else { return nil }
    var summary = SourceSummary(name: name)
    summary.compressedBytes = compressedBytes
    summary.uncompressedBytes = uncompressedBytes
    summary.lines = lines
    summary.blankLines = blankLines
    summary.events = events
    summary.timestampsWithoutOffset = timestampsWithoutOffset
    guard PlaceholderIdentifier.areSound(placeholders) else { return nil }
    summary.placeholders = placeholders
    summary.compression = compression
    summary.format = format
    summary.digest = digest.flatMap { SourceDigest($0) }
    summary.damages = damages.map { InputDamage(byteOffset: $0.offset, message: $0.message) }
    summary.unreadable = unreadable.map { InputProblem(name: name, message: $0) }
    for (reason, count) in rejects {
      guard let reason = RejectReason(rawValue: reason) else { return nil }
      summary.rejectsByReason[reason] = count
    }
    summary.require(
      identity, eventsWithoutUser: eventsWithoutUser, eventsWithoutDevice: eventsWithoutDevice)
    return summary
  }
}

extension SourceSummary {
  /// Counts events that lack the id which flows with this identity need among the rejects.
  public mutating func require(
    _ identity: IdentityRule, eventsWithoutUser: Int, eventsWithoutDevice: Int
  ) {
    let (lacking, reason): (Int, RejectReason)
    switch identity {
    case .stitched: return
    case .user: (lacking, reason) = (eventsWithoutUser, .missingUserID)
    case .device: (lacking, reason) = (eventsWithoutDevice, .missingDeviceID)
    }
    // What is kept for several flows has either id; for these flows one of them is needed.
    events -= lacking
    let without = lacking + (rejectsByReason.removeValue(forKey: .missingID) ?? 0)
    if without > 0 { rejectsByReason[reason] = without }
  }
}

/// JSON with its keys in order: the same bytes for the same values.
enum OrderedJSON {
  static func bytes(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value))
  }

  static func value<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
    try? JSONDecoder().decode(type, from: Data(bytes))
  }
}
