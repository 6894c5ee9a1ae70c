/// Events as JSON, with keys in order: equal events are equal bytes.
enum EventText {
  static func bytes(of value: EventValue) -> [UInt8] {
    var bytes: [UInt8] = []
    append(value, to: &bytes)
    return bytes
  }

  static func append(_ value: EventValue, to bytes: inout [UInt8]) {
    switch value {
    case .string(let text): append(text: text, to: &bytes)
    case .integer(let number): bytes += String(number).utf8
    // What is not finite never gets here; null if it does.
    case .number(let number): bytes += (number.isFinite ? "\(number)" : "null").utf8
    case .boolean(let value): bytes += (value ? "true" : "false").utf8
    case .null: bytes += "null".utf8
    case .list(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(value, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let values):
      append(members: values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, to: &bytes)
    }
  }

  static func append(members: [(String, EventValue)], to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    for (index, (key, value)) in members.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      append(text: key, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      append(value, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private static func append(text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): bytes += "\\n".utf8
      case 0..<32:
        let digits = Array("0123456789abcdef".utf8)
        bytes += "\\u00".utf8
        bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

extension OnboardingEvent {
  /// The event as one line of a dump (NDJSON), with its line feed: UTF-8 without a byte-order mark.
  ///
  /// - Throws: ``EventMistake`` where ``validate()`` does.
  public func line() throws(EventMistake) -> [UInt8] {
    try validate()
    var members: [(String, EventValue)] = [
      ("event", .string(name)), ("timestamp", .string(time.description)),
    ]
    let texts = [
      ("user_id", userID), ("device_id", deviceID), ("session_id", sessionID),
      ("message_id", messageID), ("flow", flow), ("flow_version", flowVersion),
    ]
    members += texts.compactMap { key, text in text.map { (key, .string($0)) } }
    if !experiments.isEmpty {
      members.append(("experiments", .object(experiments.mapValues { .string($0) })))
    }
    if !properties.isEmpty { members.append(("properties", .object(properties))) }
    if !context.isEmpty { members.append(("context", .object(context))) }
    var bytes: [UInt8] = []
    EventText.append(members: members, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}
