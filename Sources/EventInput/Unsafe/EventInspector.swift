/// Takes notes of the events that pass, for `validate`; other runs have none.
///
/// Invariants: the leaves are valid for the tree that the scanner walks.
final class EventInspector {
  private let arrival: [Int]
  private let sent: Int?
  private let hash = SipHash(key0: 0x6D65_7373_6167_6573, key1: 0x6669_7273_746D_696C)
  var inspection = SourceInspection()

  /// Where each format says when an event arrived.
  static func arrivalPaths(_ format: EventFormat) -> [[String]] {
    switch format.name {
    case .canonical: [["received_at"], ["server_timestamp"]]
    case .segment, .rudderstack: [["receivedAt"]]
    case .amplitude: [["server_received_time"], ["server_upload_time"]]
    case .mixpanel: [["properties", "mp_processing_time_ms"]]
    case .posthog: [["created_at"], ["_inserted_at"]]
    case .segmentTables, .table: [["received_at"]]
    case .mixpanelTable: [["mp_processing_time_ms"]]
    case .snowplow: [["collector_tstamp"]]
    case .mparticle: [["batch", "timestamp_unixtime_ms"]]
    case .ga4, .braze: []
    }
  }

  init(_ format: EventFormat, tree: PathTree) {
    arrival = Self.arrivalPaths(format).compactMap { tree.leaf(of: $0).map(Int.init) }
    sent = format.clock.flatMap { tree.leaf(of: $0.sent) }.map(Int.init)
  }

  func note(_ scanner: EventScanner, time: Int64) {
    let arrived = arrival.lazy.compactMap { scanner.time(at: $0) }.first
    let sentAt = sent.flatMap { scanner.time(at: $0) }
    var clockError: Int64?
    if let arrived, let sentAt { clockError = sentAt - arrived }
    inspection.note(time: time, arrival: arrived, clockError: clockError)
    guard let id = unsafe scanner.identifier(scanner.state.pointee.messageLeaves)?.bytes else {
      return
    }
    let idHash = unsafe hash.hash(id).low
    let name = unsafe scanner.eventNameText().map { unsafe hash.hash($0).low }
    inspection.messages.note(id: idHash, name: name ?? 0, time: time)
  }
}

extension EventScanner {
  /// The event's name as it stands in the line.
  func eventNameText() -> UnsafeRawBufferPointer? {
    for index in unsafe 0..<state.pointee.eventRuleCount {
      let leaf = unsafe state.pointee.slotRules[index].pointee.leaf
      if let text = unsafe scalarText(leaf), unsafe !text.isEmpty { return unsafe text }
    }
    return nil
  }
}
