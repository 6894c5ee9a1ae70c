/// An event in a vendor's shape: a canonical line, taken apart and written again.
///
/// Every fact of the canonical line is in the vendor's, at the place where that vendor's own
/// libraries put it, or else among the event's properties.
struct VendorLine {
  let format: DumpFormat
  let parts: LineParts
  /// What the line says, in milliseconds since 1970.
  let time: Int64
  let isWholeSeconds: Bool
  /// Whether the line's time is one that can't be read, and stands as it is.
  let hasBadTime: Bool
  /// Something that differs from person to person, to choose between ways of saying the same.
  let person: UInt32

  private let context: LineParts
  private let own: LineParts

  init(
    _ format: DumpFormat, _ line: [UInt8], time: Int64, isWholeSeconds: Bool, hasBadTime: Bool,
    person: UInt32
  ) {
    self.format = format
    self.time = time
    self.isWholeSeconds = isWholeSeconds
    self.hasBadTime = hasBadTime
    self.person = person
    parts = LineParts(line)
    context = LineParts(parts["context"] ?? [])
    own = LineParts(parts["properties"] ?? [])
  }

  var bytes: [UInt8] {
    switch format {
    case .canonical: []
    case .segment, .rudderstack: segment
    case .amplitude: amplitude
    case .mixpanel: mixpanel
    case .posthog: posthog
    case .ga4: ga4
    }
  }

  private static let known = ["app_version", "os", "locale", "device_model"]

  /// The event's own properties, and what has no other place.
  private func properties(withContext: Bool = true) -> ObjectText {
    var object = ObjectText()
    for name in ["flow", "flow_version", "experiment", "variant"] { object.add(name, parts[name]) }
    if let experiments = parts["experiments"] {
      if format == .posthog {
        for member in LineParts(experiments).members {
          object.add("$feature/\(member.name)", member.value)
        }
      } else {
        object.add("experiments", experiments)
      }
    }
    for member in own.members { object.add(member.name, member.value) }
    guard withContext else { return object }
    for member in context.members where !Self.known.contains(member.name) {
      object.add(member.name, context[member.name])
    }
    return object
  }

  /// "iOS 26.1" as "iOS" and "26.1".
  private var system: (name: [UInt8]?, version: [UInt8]?) {
    guard let os = context["os"], let space = os.lastIndex(of: UInt8(ascii: " ")) else {
      return (context["os"], nil)
    }
    let quote = [UInt8(ascii: "\"")]
    return (Array(os[..<space]) + quote, quote + Array(os[(space + 1)...]))
  }

  /// The time in the vendor's way, or the bad one as it is.
  private func moment(_ good: String) -> [UInt8]? {
    hasBadTime ? parts["timestamp"] : Array(good.utf8)
  }

  private func quoted(_ text: String) -> String { "\"\(text)\"" }

  private var hasUser: Bool { parts["user_id"].map { $0.count > 2 } ?? false }
}

extension VendorLine {
  private var segment: [UInt8] {
    var line = ObjectText()
    line.add("type", text: "track")
    line.add("event", parts["event"])
    line.add("messageId", parts["message_id"])
    line.add("userId", parts["user_id"] ?? Array("null".utf8))
    line.add("anonymousId", parts["device_id"])
    if format == .rudderstack {
      line.add("channel", text: "mobile")
      line.add("rudderId", parts["message_id"])
    }
    if hasBadTime {
      line.add("timestamp", parts["timestamp"])
    } else {
      // Some devices' clocks are wrong; a part of the lines has only what the clock said.
      let skew: Int64 = person % 8 < 2 ? -90_000 : 0
      if person % 8 != 0 { line.add("timestamp", json: quoted(TimeText.zulu(time))) }
      line.add("originalTimestamp", json: quoted(TimeText.zulu(time + skew)))
      line.add("sentAt", json: quoted(TimeText.zulu(time + skew + 4_000)))
      line.add("receivedAt", json: quoted(TimeText.zulu(time + 4_000)))
    }
    var properties = properties(withContext: false)
    properties.add("session_id", parts["session_id"])
    line.add("properties", properties.bytes)
    line.add("context", segmentContext)
    return line.bytes
  }

  private var segmentContext: [UInt8] {
    var object = ObjectText()
    var app = ObjectText()
    app.add("version", context["app_version"])
    object.add("app", app.bytes)
    var os = ObjectText()
    os.add("name", system.name)
    os.add("version", system.version)
    object.add("os", os.bytes)
    var device = ObjectText()
    device.add("model", context["device_model"])
    object.add("device", device.bytes)
    object.add("locale", context["locale"])
    for member in context.members where !Self.known.contains(member.name) {
      object.add(member.name, context[member.name])
    }
    return object.bytes
  }

  private var amplitude: [UInt8] {
    var line = ObjectText()
    line.add("$insert_id", parts["message_id"])
    line.add("amplitude_id", json: "\(100_000_000 + Int64(person))")
    line.add("event_type", parts["event"])
    line.add("user_id", parts["user_id"] ?? Array("null".utf8))
    line.add("device_id", parts["device_id"])
    line.add("session_id", parts["session_id"])
    line.add("event_time", moment(quoted(TimeText.spaced(time))))
    if !hasBadTime {
      line.add("server_received_time", json: quoted(TimeText.spaced(time + 4_000)))
    }
    line.add("version_name", context["app_version"])
    line.add("os_name", system.name)
    line.add("os_version", system.version)
    line.add("language", context["locale"])
    line.add("device_type", context["device_model"])
    line.add("event_properties", properties().bytes)
    line.add("user_properties", json: "{}")
    return line.bytes
  }

  private var mixpanel: [UInt8] {
    var inner = ObjectText()
    inner.add("time", moment(isWholeSeconds ? "\(time / 1_000)" : "\(time)"))
    if hasUser {
      inner.add("distinct_id", parts["user_id"])
      inner.add("$user_id", parts["user_id"])
    } else if let device = parts["device_id"] {
      inner.add("distinct_id", Array("\"$device:".utf8) + device.dropFirst())
    }
    inner.add("$device_id", parts["device_id"])
    inner.add("$insert_id", parts["message_id"])
    inner.add("session_id", parts["session_id"])
    inner.add("$app_version_string", context["app_version"])
    inner.add("$os", system.name)
    inner.add("$os_version", system.version)
    inner.add("$model", context["device_model"])
    inner.add("locale", context["locale"])
    for member in LineParts(properties().bytes).members { inner.add(member.name, member.value) }
    var line = ObjectText()
    line.add("event", parts["event"])
    line.add("properties", inner.bytes)
    return line.bytes
  }

  private var posthog: [UInt8] {
    var inner = properties()
    inner.add("$device_id", parts["device_id"])
    if hasUser { inner.add("$user_id", parts["user_id"]) }
    inner.add("$is_identified", json: hasUser ? "true" : "false")
    inner.add("$session_id", parts["session_id"])
    inner.add("$app_version", context["app_version"])
    inner.add("$os_name", system.name)
    inner.add("$os_version", system.version)
    inner.add("$device_model", context["device_model"])
    inner.add("$locale", context["locale"])
    var line = ObjectText()
    line.add("uuid", parts["message_id"])
    line.add("event", parts["event"])
    line.add("distinct_id", hasUser ? parts["user_id"] : parts["device_id"] ?? Array("\"\"".utf8))
    line.add("timestamp", moment(quoted(TimeText.spaced(time))))
    // An object, or a text of JSON: exports have both.
    let isText = person % 2 == 0
    line.add("properties", isText ? VendorLine.embedded(inner.bytes) : inner.bytes)
    return line.bytes
  }

  /// JSON as a text inside JSON.
  private static func embedded(_ json: [UInt8]) -> [UInt8] {
    var text: [UInt8] = [UInt8(ascii: "\"")]
    for byte in json {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        text.append(UInt8(ascii: "\\"))
      }
      text.append(byte)
    }
    return text + [UInt8(ascii: "\"")]
  }
}

extension VendorLine {
  private var ga4: [UInt8] {
    var line = ObjectText()
    let seconds = DayClock.floor(time, 1_000)
    line.add("event_date", text: String(TimeText.zulu(seconds * 1_000).prefix(10)))
    line.add("event_timestamp", moment(quoted("\(time)000")))
    line.add("event_name", parts["event"])
    line.add("event_params", parameters)
    line.add("user_id", parts["user_id"])
    line.add("user_pseudo_id", parts["device_id"])
    var device = ObjectText()
    device.add("operating_system", system.name)
    device.add("operating_system_version", system.version)
    device.add("language", context["locale"])
    device.add("mobile_model_name", context["device_model"])
    line.add("device", device.bytes)
    var app = ObjectText()
    app.add("version", context["app_version"])
    line.add("app_info", app.bytes)
    line.add("platform", text: "IOS")
    return line.bytes
  }

  /// An array of key and typed value, inner names joined to one.
  private var parameters: [UInt8] {
    var entries: [[UInt8]] = []
    func add(_ name: String, _ value: [UInt8]) {
      if value == Array("null".utf8) { return }
      if value.first == UInt8(ascii: "{") {
        for member in LineParts(value).members { add("\(name)_\(member.name)", member.value) }
        return
      }
      let isNumber = value.first.map { $0 == UInt8(ascii: "-") || (48...57).contains($0) } ?? false
      let isText = value.first == UInt8(ascii: "\"")
      var typed = ObjectText()
      let quote = [UInt8(ascii: "\"")]
      typed.add(
        isNumber ? "int_value" : "string_value", isText ? value : quote + value + quote)
      var entry = ObjectText()
      entry.add("key", text: name)
      entry.add("value", typed.bytes)
      entries.append(entry.bytes)
    }
    for member in LineParts(properties().bytes).members { add(member.name, member.value) }
    if let session = parts["session_id"] { add("session_id", session) }
    return [UInt8(ascii: "[")] + Array(entries.joined(separator: [UInt8(ascii: ",")]))
      + [UInt8(ascii: "]")]
  }
}
