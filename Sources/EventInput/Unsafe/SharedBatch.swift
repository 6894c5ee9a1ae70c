/// A batch of mParticle's: events, and beside them what is true of all of them.
///
///     {"mpid":7,"user_identities":{…},"events":[{"event_type":…,"data":{…}},…]}
///     {"batch":{"mpid":7,"user_identities":{…}},"event_type":…,"data":{…}}      for each event
struct SharedBatch {
  /// Keys that stand beside the events of a batch and of no other list of events.
  static let keys: Set<String> = ["mpid", "mp_deviceid", "user_identities", "source_request_id"]
  /// Where its events stand.
  static let path: [EventContainer.Component] = [.member("events"), .each]

  private var cursor: JSONCursor
  private var shared: [UInt8] = []
  private var events: [Range<Int>] = []

  private init(_ piece: [UInt8]) { cursor = JSONCursor(piece) }

  /// The events of a batch as lines; `nil` where it is broken.
  static func lines(of piece: [UInt8]) -> [UInt8]? {
    var batch = SharedBatch(piece)
    return batch.read() ? batch.lines() : nil
  }

  private mutating func read() -> Bool {
    guard cursor.take(UInt8(ascii: "{")) else { return false }
    repeat {
      cursor.skipSpace()
      let start = cursor.place
      guard let key = cursor.string(), cursor.take(UInt8(ascii: ":")) else { return false }
      if key == "events" {
        guard readEvents() else { return false }
      } else {
        guard cursor.pass() else { return false }
        if !shared.isEmpty { shared.append(UInt8(ascii: ",")) }
        shared += cursor.bytes[start..<cursor.place]
      }
    } while cursor.take(UInt8(ascii: ","))
    guard cursor.take(UInt8(ascii: "}")) else { return false }
    cursor.skipSpace()
    return cursor.byte == nil
  }

  private mutating func readEvents() -> Bool {
    guard cursor.take(UInt8(ascii: "[")) else { return cursor.pass() }
    if cursor.take(UInt8(ascii: "]")) { return true }
    repeat {
      cursor.skipSpace()
      let start = cursor.place
      guard cursor.pass() else { return false }
      events.append(start..<cursor.place)
    } while cursor.take(UInt8(ascii: ","))
    return cursor.take(UInt8(ascii: "]"))
  }

  private func lines() -> [UInt8] {
    var lines: [UInt8] = []
    for range in events {
      let event = cursor.bytes[range]
      if event.first == UInt8(ascii: "{") {
        lines += Array("{\"batch\":{".utf8) + shared + Array("}".utf8)
        let inside = event.dropFirst()
        if inside.first(where: { $0 > 0x20 }) != UInt8(ascii: "}") {
          lines.append(UInt8(ascii: ","))
        }
        lines += inside
      } else {
        lines += event
      }
      lines.append(UInt8(ascii: "\n"))
    }
    return lines
  }
}
