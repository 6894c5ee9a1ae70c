import EventInput
import Foundation
import Testing

/// The scanner against its slow twin on random and broken lines, and the twin against Foundation.
///
/// Foundation's `JSONSerialization` differs from RFC 8259 and so from us in known ways, which
/// `foundationDiffers` lists; everywhere else the two must agree.
struct DifferentialTests {
  static let lineCount = SlowRuns.areWanted ? 240_000 : 15_000

  struct LineMaker {
    var generator: SeededGenerator

    mutating func pick<Element>(_ list: [Element], or fallback: Element) -> Element {
      list.randomElement(using: &generator) ?? fallback
    }

    mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &generator) == 0 }

    mutating func space() -> String { chance(12) ? pick([" ", "\t", "  ", "\r"], or: "") : "" }

    mutating func string() -> String {
      let pieces = [
        "a", "plan", "B", "ü", "😀", "\\n", "\\\"", "\\\\", "\\u00e4", "\\ud83d\\ude00", "\\/",
        "value proposition", "{", "}", ",", ":", "[", "\u{7F}", "\u{2028}", "0", "-",
        "welcome_page",
      ]
      return (0..<Int.random(in: 0...4, using: &generator)).map { _ in pick(pieces, or: "") }
        .joined()
    }

    mutating func number() -> String {
      pick(
        [
          "0", "-0", "1", "-1", "42", "42.0", "4.2e1", "1e2", "1E+2", "5e-1", "0.5", "-12.250",
          "9007199254740993", "123456789012345678901234567890", "1.0", "100e-2", "1e30", "12e-7",
        ], or: "0")
    }

    mutating func value(_ depth: Int) -> String {
      switch Int.random(in: 0..<(depth > 3 ? 6 : 9), using: &generator) {
      case 0, 1, 2: "\"\(string())\""
      case 3: number()
      case 4: pick(["true", "false"], or: "true")
      case 5: "null"
      case 6:
        "["
          + (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            space() + value(depth + 1) + space()
          }.joined(separator: ",") + "]"
      default:
        object(
          ["page_name", "page_number", "os", "device", "screen", "size", "copy", "x"], depth + 1)
      }
    }

    mutating func object(_ keys: [String], _ depth: Int) -> String {
      let members = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
        var key = pick(keys, or: "x")
        if chance(30) { key = key.replacing("e", with: "\\u0065") }
        return "\(space())\"\(key)\"\(space()):\(space())\(value(depth))\(space())"
      }
      return "{\(members.joined(separator: ","))}"
    }

    mutating func event() -> String {
      var members = [
        "\"event\":\"\(pick(["started", "page"], or: ""))\"",
        "\"user_id\":\(chance(3) ? number() : "\"u\(Int.random(in: 0..<9, using: &generator))\"")",
        "\"device_id\":\(chance(3) ? value(4) : "\"\(string())\"")",
        "\"timestamp\":\(chance(9) ? value(3) : "\"2026-01-2\(pick([1, 2], or: 1))T10:00:00.5Z\"")",
        "\"properties\":\(object(["page_name", "page_number", "item"], 1))",
        "\"context\":\(chance(2) ? value(0) : "{\"os\":\"iOS\",\"device\":{\"screen\":{\"size\":\(value(3))}}}")",
        "\"experiments\":\(value(1))", "\"message_id\":\(value(2))",
      ]
      if chance(4) { members.append(members[Int.random(in: 0..<members.count, using: &generator)]) }
      if chance(3) { members.shuffle(using: &generator) }
      if chance(9) { members.removeLast() }
      return "{" + members.map { space() + $0 }.joined(separator: ",") + "}" + space()
    }

    mutating func line() -> [UInt8] {
      var bytes = Array(event().utf8)
      guard chance(2) else { return bytes }
      for _ in 0..<Int.random(in: 1...2, using: &generator) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        let wild = Array("\"\\{}[]:,0159.eE+-tn \u{1}u/".utf8) + [0x80, 0xC3, 0xFF]
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: bytes.remove(at: place)
        case 1: bytes[place] = pick(wild, or: 0)
        case 2: bytes.insert(pick(wild, or: 0), at: place)
        case 3: bytes.removeSubrange(place...)
        default: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &generator))
        }
      }
      return bytes.filter { $0 != 10 }
    }
  }

  /// Where Foundation is known to read JSON otherwise.
  static func foundationDiffers(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    // Half of a surrogate pair, which the RFC's grammar allows.
    if text.lowercased().contains("\\ud") { return true }
    // A number too large for a Double; to us it is digits.
    if text.contains(#/[eE]\+?[0-9]{3,}/#) { return true }
    // A comma after the last member, which Foundation lets pass.
    return text.contains(#/,[ \t\r]*[}\]]/#)
  }

  @Test func scannerAgreesWithItsTwinAndTheTwinWithFoundation() throws {
    var maker = LineMaker(generator: SeededGenerator(seed: 20_260_121))
    let lines = (0..<Self.lineCount).map { _ in maker.line() }
    let outcome = try scan(Array(lines.joined(separator: [10])))
    var events = outcome.events[...]
    var rejects = outcome.rejects[...]
    var accepted = 0
    for (index, bytes) in lines.enumerated() {
      if bytes.allSatisfy({ $0 == 32 || $0 == 9 || $0 == 13 }) { continue }
      let json = ReferenceReader.read(bytes)
      // Made only for a failure: it would take most of the test's time.
      func fail(_ what: String) {
        Issue.record("\(what): \(String(decoding: bytes, as: UTF8.self).debugDescription)")
      }
      let object = try? JSONSerialization.jsonObject(
        with: Data(bytes), options: .fragmentsAllowed)
      let isAgreed = (object != nil) == (json != nil) || Self.foundationDiffers(bytes)
      if !isAgreed { fail("Foundation") }
      let expected = ReferenceEvent.of(
        json, isUTF8: String(validating: bytes, as: UTF8.self) != nil)
      if rejects.first?["line"] == "\(index + 1)" {
        let reason = rejects.popFirst()?["reason"]
        if expected != .reject(reason ?? "") { fail("rejected as \(reason ?? "")") }
      } else {
        guard let event = events.popFirst() else { break }
        accepted += 1
        if expected != .event(event) { fail("read as \(event)") }
      }
    }
    #expect(events.isEmpty && rejects.isEmpty)
    #expect(accepted > Self.lineCount / 4)
    #expect(outcome.summary.rejects > Self.lineCount / 10)
  }
}

/// What a line should become, by the words of the SPEC.
enum ReferenceEvent: Equatable {
  case event(ScannedEvent)
  case reject(String)

  static func of(_ json: ReferenceJSON?, isUTF8: Bool) -> ReferenceEvent {
    guard isUTF8 else { return .reject("invalid_utf8") }
    guard let json else { return .reject("malformed_json") }
    guard case .object = json else { return .reject("not_an_object") }
    // A list of anything but one object, in the place of the properties.
    if case .array(let items)? = json["properties"], !items.isEmpty {
      guard items.count == 1, case .object = items[0] else { return .reject("malformed_json") }
    }
    // A text that begins like an object of JSON and is none was cut off.
    for name in ["context", "experiments"] {
      if case .string(let text)? = json[name], beginsLikeObject(text),
        ReferenceReader.read(Array(text.utf8)) == nil
      {
        return .reject("malformed_json")
      }
    }
    guard json["event"]?.text != nil else { return .reject("missing_event") }
    let time: Int64
    switch json["timestamp"].map(withoutBlanks) {
    case nil, .null, .string(""): return .reject("missing_timestamp")
    // None of the made numbers is a time of this century.
    case .number: return .reject("timestamp_out_of_range")
    case .string(let text)
    where text.wholeMatch(of: #/-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/#) != nil:
      return .reject("timestamp_out_of_range")
    case .string(let text):
      guard let read = date(text) else { return .reject("bad_timestamp") }
      time = read
      if time < 946_684_800_000 || time >= 4_102_444_800_000 {
        return .reject("timestamp_out_of_range")
      }
    default: return .reject("bad_timestamp")
    }
    func hash(_ field: String, _ domain: IdentifierDomain) -> IdentifierHash {
      guard let value = json[field], let text = value.text else { return .missing }
      if case .boolean = value { return .missing }
      if case .number(let written) = value, written.contains(where: { ".eE".contains($0) }),
        (Double(written) ?? 0).magnitude >= 9_007_199_254_740_992
      {
        return .missing
      }
      return IdentifierKey.fixed.hash(of: text, domain: domain)
    }
    let (user, device) = (hash("user_id", .user), hash("device_id", .device))
    if user.isMissing && device.isMissing { return .reject("missing_id") }
    return .event(
      ScannedEvent(
        user: user, device: device, session: 0, time: time,
        values: TestPlan.paths.map { path in
          (json.value(at: path)?.text ?? besides(json, path)) ?? "(none)"
        }))
  }

  private static func beginsLikeObject(_ text: String) -> Bool {
    let marks = String(text.unicodeScalars.filter { $0.value > 32 }.prefix(3).map(Character.init))
    return ["{\"", "{'", "[{\"", "[{'"].contains { marks.hasPrefix($0) }
  }

  /// A text without blanks around it.
  private static func withoutBlanks(_ value: ReferenceJSON) -> ReferenceJSON {
    guard case .string(let text) = value, !text.isEmpty else { return value }
    let blanks = CharacterSet(charactersIn: " \t\u{A0}\u{202F}")
    let trimmed = text.trimmingCharacters(in: blanks)
    return .string(trimmed.isEmpty ? text : trimmed)
  }

  /// What stands beside the event's name though it belongs into its properties or context, or
  /// in its properties though it belongs beside the name.
  private static func besides(_ json: ReferenceJSON, _ path: [String]) -> String? {
    if path[0] == "experiments" { return json.value(at: ["properties"] + path)?.text }
    guard path.count > 1, ["properties", "context"].contains(path[0]) else { return nil }
    return json.value(at: Array(path.dropFirst()))?.text
  }

  /// Kept, for a literal is compiled whenever it is met; it is only ever read.
  nonisolated(unsafe) private static let datePattern =
    #/(\d{4})[-\/](\d\d?)[-\/](\d\d?)[Tt ](\d\d?):(\d\d)(?::(\d\d)([.,]\d{1,9})?)?([Zz]|[+-]\d\d(:?\d\d)?)?/#
    .asciiOnlyDigits()

  /// RFC 3339, its fraction also behind ISO 8601's comma, and with less digits, by a pattern and Foundation's calendar.
  private static func date(_ text: String) -> Int64? {
    guard let match = text.wholeMatch(of: datePattern)?.output else { return nil }
    let marks = Set(text.prefix { $0 != ":" }.filter { $0 == "-" || $0 == "/" })
    guard marks.count == 1 else { return nil }
    let numbers =
      [match.1, match.2, match.3, match.4, match.5].compactMap { Int($0) }
      + [match.6.flatMap { Int($0) } ?? 0]
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = DateComponents(
      calendar: calendar, year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3],
      minute: numbers[4], second: numbers[5])
    guard parts.isValidDate, let date = parts.date else { return nil }
    let fraction =
      Int64(
        (match.7.map(String.init) ?? ".0").dropFirst().prefix(3)
          .padding(toLength: 3, withPad: "0", startingAt: 0)) ?? 0
    let sign = match.8 ?? "Z"
    var offset = 0
    if let mark = sign.first, mark == "+" || mark == "-" {
      let digits = sign.filter(\.isNumber)
      let (hours, minutes) = (Int(digits.prefix(2)) ?? 0, Int(digits.dropFirst(2)) ?? 0)
      guard hours < 24 && minutes < 60 else { return nil }
      offset = (hours * 60 + minutes) * (mark == "-" ? -60 : 60)
    }
    return (Int64(date.timeIntervalSince1970) - Int64(offset)) * 1000 + fraction
  }
}
