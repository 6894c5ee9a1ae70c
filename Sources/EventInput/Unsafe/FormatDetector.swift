/// What a file's first lines show.
struct DetectedFormat: Hashable {
  var name: EventFormat.Name
  /// The properties of some of them are a text of JSON.
  var hasTexts = false

  var format: EventFormat {
    let format = EventFormat.named(name)
    return hasTexts ? format.withTexts() : format
  }
}

/// Recognises a file's format by the fields that its first lines have.
final class FormatDetector {
  /// Lines that are looked at.
  private static let lineCount = 20

  private enum Field: Int, CaseIterable {
    case event, type, messageId, anonymousId, userId, originalTimestamp, rudderId, channel
    case requestIP, eventType, eventTime, amplitudeId, insertId, eventProperties
    case time, innerDistinctId, distinctId, uuid, personId, properties, timestamp
    case eventName, eventTimestamp, eventParams, userPseudoId

    var path: [String] {
      switch self {
      case .event: ["event"]
      case .type: ["type"]
      case .messageId: ["messageId"]
      case .anonymousId: ["anonymousId"]
      case .userId: ["userId"]
      case .originalTimestamp: ["originalTimestamp"]
      case .rudderId: ["rudderId"]
      case .channel: ["channel"]
      case .requestIP: ["request_ip"]
      case .eventType: ["event_type"]
      case .eventTime: ["event_time"]
      case .amplitudeId: ["amplitude_id"]
      case .insertId: ["$insert_id"]
      case .eventProperties: ["event_properties"]
      case .time: ["properties", "time"]
      case .innerDistinctId: ["properties", "distinct_id"]
      case .distinctId: ["distinct_id"]
      case .uuid: ["uuid"]
      case .personId: ["person_id"]
      case .properties: ["properties"]
      case .timestamp: ["timestamp"]
      case .eventName: ["event_name"]
      case .eventTimestamp: ["event_timestamp"]
      case .eventParams: ["event_params"]
      case .userPseudoId: ["user_pseudo_id"]
      }
    }
  }

  private let memory: ScanMemory
  private let leaves: [Int]

  init() {
    let paths = Field.allCases.map(\.path)
    let plan = ScanPlan(
      fields: paths.map { FieldRule(path: $0, role: .session) }, tables: [], slotTables: [],
      eventSlot: 0)
    memory = ScanMemory(plan: plan, key: .fixed)
    leaves = memory.leaves(of: paths)
  }

  /// The format that most of the block's first lines look like; of equals, and without any, the
  /// one that comes first in the list of names.
  ///
  /// - Parameter asked: the format that the lines are in, whatever they look like.
  func format(of block: LineBlock, asked: EventFormat.Name? = nil) -> DetectedFormat {
    guard case .lines = block.kind else { return DetectedFormat(name: asked ?? .canonical) }
    let lines = memory.scanner.lines
    let end = block.start + block.count
    var votes: [EventFormat.Name: Int] = [:]
    var hasTexts = false
    var line = block.start
    for _ in 0..<Self.lineCount where line < end {
      let first = lines.lexer.skipSpace(line)
      if first.pointee == UInt8(ascii: "{"), lines.scanObject(first, node: 0, depth: 1) != nil {
        if let name = look() { votes[name, default: 0] += 1 }
        hasTexts = hasTexts || holdsObject(.properties) || holdsObject(.eventProperties)
      }
      line = LineScanner.lineFeed(line, end) + 1
    }
    let most = votes.values.max() ?? 0
    let name = EventFormat.Name.allCases.first { votes[$0] == most && most > 0 } ?? .canonical
    return DetectedFormat(name: asked ?? name, hasTexts: hasTexts)
  }

  /// Whether a field is a text that begins like an object.
  private func holdsObject(_ field: Field) -> Bool {
    let leaf = leaves[field.rawValue]
    let kind = memory.scanner.lines.kinds[leaf]
    guard kind == ValueKind.string || kind == ValueKind.escapedString else { return false }
    let text = memory.scanner.lines.starts[leaf]
    return memory.scanner.lines.ends[leaf] > text && text.pointee == UInt8(ascii: "{")
  }

  /// What the line that was just walked looks like.
  private func look() -> EventFormat.Name? {
    if has(.eventName) && has(.eventTimestamp) { return .ga4 }
    if has(.eventType), has(.eventTime) || has(.amplitudeId) || has(.insertId) {
      return .amplitude
    }
    let isCall = has(.type) || has(.event)
    if isCall, has(.messageId) || has(.anonymousId) || has(.userId) || has(.originalTimestamp) {
      return has(.rudderId) || has(.channel) || has(.requestIP) ? .rudderstack : .segment
    }
    guard has(.event) else { return nil }
    if has(.distinctId), has(.timestamp) || has(.uuid) { return .posthog }
    // Only Mixpanel has the time in the properties, which may be a text.
    if !has(.timestamp), has(.time) || has(.innerDistinctId) || holdsObject(.properties) {
      return .mixpanel
    }
    return has(.timestamp) ? .canonical : nil
  }

  private func has(_ field: Field) -> Bool {
    memory.scanner.lines.kinds[leaves[field.rawValue]] != ValueKind.missing
  }
}
