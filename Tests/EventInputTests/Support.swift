import EventInput
import Foundation

/// One event as the tests see it: codes turned back into names.
struct ScannedEvent: Equatable, CustomStringConvertible {
  var user: IdentifierHash
  var device: IdentifierHash
  var session: UInt32
  var time: Int64
  var values: [String]

  var description: String { "\(time) \(values) user \(user.low) device \(device.low) \(session)" }
}

/// What came out of reading some bytes.
struct ScanOutcome {
  var events: [ScannedEvent] = []
  var links: [UserLink] = []
  var summary = SourceSummary(name: "")
  var tables: [NameTable] = []
  /// Parsed records of the rejects file.
  var rejects: [[String: String]] = []
  var reasons: [String] { rejects.map { $0["reason"] ?? "?" } }
}

/// The fields that the tests ask for: depth 1 to 4, and one that is both a value and an object.
enum TestPlan {
  static let paths: [[String]] = [
    ["event"], ["properties", "page_name"], ["properties", "page_number"], ["context", "os"],
    ["context", "device", "screen", "size"], ["experiments", "copy"], ["experiments"],
  ]

  static func plan(
    identifiers: RequiredIdentifiers = .any, maximumLineBytes: Int = 1 << 20
  ) -> ScanPlan {
    var fields = [
      FieldRule(path: ["timestamp"], role: .timestamp), FieldRule(path: ["user_id"], role: .user),
      FieldRule(path: ["device_id"], role: .device),
      FieldRule(path: ["session_id"], role: .session),
    ]
    for (slot, path) in paths.enumerated() {
      fields.append(FieldRule(path: path, role: .slot(slot)))
    }
    return ScanPlan(
      fields: fields,
      tables: [
        NameTablePlan(declared: ["started"]), NameTablePlan(declared: [], limit: 1_000_000),
      ],
      slotTables: [0] + Array(repeating: 1, count: paths.count - 1), eventSlot: 0,
      identifiers: identifiers, maximumLineBytes: maximumLineBytes)
  }
}

/// A fresh folder that goes away with the test.
final class TemporaryFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "input-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  @discardableResult
  func write(_ bytes: [UInt8], _ name: String) throws -> String {
    let url = URL(filePath: "\(path)/\(name)")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    return url.path
  }
}

/// Scans bytes as a file of their own.
func scan(
  _ bytes: [UInt8], plan: ScanPlan = TestPlan.plan(), overlap: Bool = false
) throws -> ScanOutcome {
  let folder = try TemporaryFolder()
  let path = try folder.write(bytes, "input")
  let source = InputSource.file(path)
  let scanner = SourceScanner(plan: plan, key: .fixed)
  let rejects = try RejectWriter(path: "\(folder.path)/rejects.ndjson")
  var outcome = ScanOutcome()
  var rows: [(ScannedEvent, [UInt32])] = []
  outcome.summary = try scanner.scan(source, rejects: rejects, overlap: overlap) { batch in
    outcome.links += batch.links
    for row in 0..<batch.count {
      let codes = Array(batch.values[row * batch.slotCount..<(row + 1) * batch.slotCount])
      let event = ScannedEvent(
        user: batch.users[row], device: batch.devices[row], session: batch.sessions[row],
        time: batch.timesMilliseconds[row], values: [])
      rows.append((event, codes))
    }
  }
  let tables = scanner.tables
  outcome.tables = tables
  outcome.events = rows.map { event, codes in
    var event = event
    event.values = codes.enumerated().map {
      tables[plan.slotTables[$0.offset]].name(of: $0.element)
    }
    return event
  }
  try rejects.finish(order: [source])
  let text = try Data(contentsOf: URL(filePath: "\(folder.path)/rejects.ndjson"))
  for line in text.split(separator: UInt8(ascii: "\n")) {
    let object = try JSONSerialization.jsonObject(with: line) as? [String: Any] ?? [:]
    outcome.rejects.append(object.mapValues { "\($0)" })
  }
  return outcome
}

func scan(_ text: String, plan: ScanPlan = TestPlan.plan()) throws -> ScanOutcome {
  try scan(Array(text.utf8), plan: plan)
}

/// A line that is an event, with more fields.
func line(_ more: String = "", event: String = "started", id: String = "u1") -> String {
  """
  {"event":"\(event)","user_id":"\(id)","timestamp":"2026-01-21T10:00:00Z"\
  \(more.isEmpty ? "" : "," + more)}
  """
}

/// xorshift: the same numbers on every machine.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state &* 0x2545_F491_4F6C_DD1D
  }
}
