/// Tells a file's format by the fields that its first lines have.
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
  func format(of block: LineBlock) -> EventFormat.Name {
    guard case .lines = block.kind else { return .canonical }
    let lines = memory.scanner.lines
    let end = block.start + block.count
    var votes: [EventFormat.Name: Int] = [:]
    var line = block.start
    for _ in 0..<Self.lineCount where line < end {
      let first = lines.lexer.skipSpace(line)
      if first.pointee == UInt8(ascii: "{"), lines.scanObject(first, node: 0, depth: 1) != nil {
        if let name = look() { votes[name, default: 0] += 1 }
      }
      line = LineScanner.lineFeed(line, end) + 1
    }
    let most = votes.values.max() ?? 0
    return EventFormat.Name.allCases.first { votes[$0] == most && most > 0 } ?? .canonical
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
    if !has(.timestamp), has(.time) || has(.innerDistinctId) { return .mixpanel }
    return has(.timestamp) ? .canonical : nil
  }

  private func has(_ field: Field) -> Bool {
    memory.scanner.lines.kinds[leaves[field.rawValue]] != ValueKind.missing
  }
}
