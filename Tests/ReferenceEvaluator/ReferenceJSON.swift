/// A JSON value that keeps numbers as they were written: SPEC compares texts, not floats.
enum ReferenceJSON {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([ReferenceJSON])
  case object([String: ReferenceJSON])

  /// The value of a whole line; `nil` where the line is not one JSON value.
  static func parse(_ line: String) -> ReferenceJSON? {
    var reader = JSONReader(line)
    guard let value = reader.value() else { return nil }
    reader.skipSpace()
    return reader.isAtEnd ? value : nil
  }

  /// The text of a scalar; `nil` for null, "", arrays and objects: they are missing values.
  var text: String? {
    switch self {
    case .null, .array, .object: nil
    case .bool(let flag): flag ? "true" : "false"
    case .number(let digits): digits
    case .string(let text): text.isEmpty ? nil : text
    }
  }

  /// The value at a dotted path from here.
  func at(_ path: String) -> ReferenceJSON? {
    var value = self
    for key in path.split(separator: ".") {
      guard case .object(let members) = value, let next = members[String(key)] else { return nil }
      value = next
    }
    return value
  }
}

/// Reads JSON character by character; the last of two equal keys wins.
private struct JSONReader {
  private let characters: [Unicode.Scalar]
  private var position = 0

  init(_ line: String) {
    characters = Array(line.unicodeScalars)
  }

  var isAtEnd: Bool { position == characters.count }

  mutating func skipSpace() {
    while position < characters.count, " \t\r\n".unicodeScalars.contains(characters[position]) {
      position += 1
    }
  }

  private mutating func take(_ text: String) -> Bool {
    let wanted = Array(text.unicodeScalars)
    guard position + wanted.count <= characters.count,
      Array(characters[position..<position + wanted.count]) == wanted
    else { return false }
    position += wanted.count
    return true
  }

  mutating func value() -> ReferenceJSON? {
    skipSpace()
    guard position < characters.count else { return nil }
    switch characters[position] {
    case "{": return object()
    case "[": return array()
    case "\"": return string().map { .string($0) }
    case "t": return take("true") ? .bool(true) : nil
    case "f": return take("false") ? .bool(false) : nil
    case "n": return take("null") ? .null : nil
    default: return number()
    }
  }

  private mutating func object() -> ReferenceJSON? {
    position += 1
    var members: [String: ReferenceJSON] = [:]
    skipSpace()
    if take("}") { return .object(members) }
    while true {
      skipSpace()
      guard let key = string() else { return nil }
      skipSpace()
      guard take(":"), let member = value() else { return nil }
      members[key] = member
      skipSpace()
      if take("}") { return .object(members) }
      guard take(",") else { return nil }
    }
  }

  private mutating func array() -> ReferenceJSON? {
    position += 1
    var elements: [ReferenceJSON] = []
    skipSpace()
    if take("]") { return .array(elements) }
    while true {
      guard let element = value() else { return nil }
      elements.append(element)
      skipSpace()
      if take("]") { return .array(elements) }
      guard take(",") else { return nil }
    }
  }

  private mutating func string() -> String? {
    guard take("\"") else { return nil }
    var units: [UInt16] = []
    while position < characters.count {
      let character = characters[position]
      position += 1
      if character == "\"" { return String(decoding: units, as: UTF16.self) }
      if character.value < 0x20 { return nil }
      guard character == "\\" else {
        units.append(contentsOf: String(Character(character)).utf16)
        continue
      }
      guard let unit = escape() else { return nil }
      units.append(unit)
    }
    return nil
  }

  private mutating func escape() -> UInt16? {
    guard position < characters.count else { return nil }
    let character = characters[position]
    position += 1
    let plain: [Unicode.Scalar: UInt16] = [
      "\"": 0x22, "\\": 0x5C, "/": 0x2F, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9,
    ]
    if let unit = plain[character] { return unit }
    guard character == "u", position + 4 <= characters.count else { return nil }
    let digits = String(String.UnicodeScalarView(characters[position..<position + 4]))
    position += 4
    return UInt16(digits, radix: 16)
  }

  private mutating func number() -> ReferenceJSON? {
    let start = position
    let allowed = "+-.0123456789eE".unicodeScalars
    while position < characters.count, allowed.contains(characters[position]) {
      position += 1
    }
    let text = String(String.UnicodeScalarView(characters[start..<position]))
    return Double(text) == nil ? nil : .number(text)
  }
}
