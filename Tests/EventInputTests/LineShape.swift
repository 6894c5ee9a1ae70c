/// How a line is built: what its keys are and what kinds of values they have. Lines of one shape
/// differ in nothing but values, as those of a dump do.
indirect enum LineShape {
  case text, number, scalar, time, name
  case literal(String)
  case object([(key: String, value: LineShape)])
  case array([LineShape])

  /// White space behind commas and colons.
  struct Style {
    var afterComma = ""
    var afterColon = ""
    var lineStart = ""
    var lineEnd = ""
  }
}

/// Makes shapes, and lines of them.
struct ShapeMaker {
  var generator: SeededGenerator
  /// How many of a hundred strings are not plain ASCII.
  var specialStrings = 4
  /// One string of so many is very long.
  var longStrings = 1500

  mutating func pick<Element>(_ list: [Element], or fallback: Element) -> Element {
    list.randomElement(using: &generator) ?? fallback
  }

  mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

  mutating func style() -> LineShape.Style {
    switch below(8) {
    case 0: .init(afterComma: " ", afterColon: " ")
    case 1: .init(afterComma: "", afterColon: "  ", lineStart: "  ", lineEnd: " ")
    case 2: .init(lineEnd: "\r")
    case 3: .init(afterComma: "\t", lineEnd: "\t\r")
    default: .init()
    }
  }

  /// The shape of an event, most often one that is taken.
  mutating func event() -> LineShape {
    var members: [(key: String, value: LineShape)] = [
      ("event", .name), ("user_id", pick([.text, .scalar, .number], or: .text)),
      ("device_id", pick([.text, .text, .scalar], or: .text)), ("timestamp", .time),
      ("properties", object(["page_name", "page_number", "item"], 1)),
      ("context", below(4) == 0 ? value(1) : context()),
      ("experiments", pick([.object([("copy", .text)]), .scalar, value(1)], or: .text)),
      (key(), value(1)), (key(), value(1)),
    ]
    if below(3) == 0 { members.append(members[below(members.count)]) }
    if below(4) == 0 { members.append(("properties", .object([("page_number", .scalar)]))) }
    if below(2) == 0 { members.shuffle(using: &generator) }
    if below(3) == 0 { members.remove(at: below(members.count)) }
    return .object(members)
  }

  private mutating func context() -> LineShape {
    .object([
      ("os", .text),
      ("device", .object([("w", .number), ("screen", .object([("size", .scalar)]))])),
    ])
  }

  /// Some are longer than what is predicted.
  private mutating func key() -> String {
    let long = "a key that is longer than the thirty-two bytes of a part"
    switch below(6) {
    case 0: return long
    case 1: return long + long
    case 2: return ""
    default: return "key\(below(400))"
    }
  }

  private mutating func object(_ keys: [String], _ depth: Int) -> LineShape {
    .object(
      (0..<below(5)).map { _ in
        (below(3) == 0 ? key() : pick(keys, or: "x"), value(depth + 1))
      })
  }

  private mutating func value(_ depth: Int) -> LineShape {
    switch below(depth > 3 ? 8 : 11) {
    case 0, 1, 2: .text
    case 3: .number
    case 4, 5: .scalar
    case 6: .literal(pick(["null", "true", "{}", "[]", "[null,{\"a\":[]}]"], or: "null"))
    case 7: .literal("[" + String(repeating: "{\"a\":null},", count: below(12)) + "true]")
    case 8: .array((0..<below(4)).map { _ in value(depth + 1) })
    default: object(["page_name", "page_number", "size", "copy", "os"], depth)
    }
  }
}

// Lines of a shape.
extension ShapeMaker {
  mutating func line(_ shape: LineShape, _ style: LineShape.Style) -> [UInt8] {
    Array((style.lineStart + render(shape, style) + style.lineEnd).utf8)
  }

  /// The same, broken in most cases; may be several lines.
  mutating func brokenLine(_ shape: LineShape, _ style: LineShape.Style) -> [UInt8] {
    var bytes = line(shape, style)
    for _ in 0...below(2) where bytes.count > 2 {
      let place = below(bytes.count)
      let quotes = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\"") }
      let wild = Array("\"\"\\{}[]:,0159.eE+-tn \u{1}\n\r\t".utf8) + [0, 0x80, 0xC3, 0xFF]
      switch below(8) {
      case 0: bytes.remove(at: place)
      case 1: bytes[place] = pick(wild, or: 0)
      case 2: bytes.insert(pick(wild, or: 0), at: place)
      case 3: bytes.removeSubrange(place...)
      case 4: bytes.swapAt(place, below(bytes.count))
      case 5: bytes.removeSubrange(..<place)
      case 6: bytes.insert(UInt8(ascii: "\""), at: place)
      default: bytes.remove(at: pick(quotes, or: 0))
      }
    }
    return bytes
  }

  private mutating func render(_ shape: LineShape, _ style: LineShape.Style) -> String {
    switch shape {
    case .text: return "\"\(string())\""
    case .number: return number()
    case .scalar:
      return below(3) == 0
        ? pick(["null", "true", "false"], or: "null")
        : below(2) == 0 ? number() : "\"\(string())\""
    case .time:
      let good = "\"2026-01-2\(below(9))T10:0\(below(9)):00.\(below(1000))Z\""
      return below(30) == 0 ? pick(["null", "\"\"", "7", "{}"], or: "") : good
    case .name: return below(40) == 0 ? "\"\"" : "\"\(pick(["started", "page", "a"], or: ""))\""
    case .literal(let text): return text
    case .object(let members):
      var texts: [String] = []
      for member in members {
        texts.append("\"\(member.key)\":\(style.afterColon)\(render(member.value, style))")
      }
      return "{" + texts.joined(separator: "," + style.afterComma) + "}"
    case .array(let elements):
      var texts: [String] = []
      for element in elements { texts.append(render(element, style)) }
      return "[" + texts.joined(separator: "," + style.afterComma) + "]"
    }
  }

  private mutating func string() -> String {
    if below(longStrings) == 0 {
      return String(repeating: "long ", count: pick([1700, 5000, 9000], or: 1))
    }
    var text = String("plan value proposition {} : [], true -1".prefix(below(40)))
    if below(100) < specialStrings {
      text += pick(
        ["\\n", "\\\"", "ü", "\\u00e4", "😀", "\\\\", "\u{7F}", "\\/\\/", "日本"],
        or: "")
    }
    return text
  }

  private mutating func number() -> String {
    pick(
      ["0", "-0", "1", "-1", "42", "42.0", "4.2e1", "1E+2", "5e-1", "-12.250", "\(below(99_999))"],
      or: "0")
  }
}
