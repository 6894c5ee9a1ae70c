/// Lists and dictionaries as Python prints them: pandas and the csv module write a cell that holds
/// one with `str`, in single quotes and with `None` and `True`, which is no JSON.
///
/// The grammar is that of `repr` (docs.python.org/3/library/stdtypes.html,
/// docs.python.org/3/reference/lexical_analysis.html#escape-sequences). numpy writes no commas
/// between items, and `array(…, dtype=object)` about a list in a list. Of other objects, such as
/// `Decimal('1.5')` and `UUID('…')`, the text or number between the brackets is meant.
struct PythonLiteral {
  private static let maximumDepth = 32
  private let text: ArraySlice<UInt8>
  private var place: Int
  private var json: [UInt8] = []

  private init(_ text: ArraySlice<UInt8>) {
    self.text = text
    place = text.startIndex
  }

  /// A value as JSON; `nil` where it isn't written as Python writes it, or is JSON as it stands.
  static func json(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard let first = text.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      text.contains(UInt8(ascii: "'")), !isJSON(text)
    else { return nil }
    var literal = PythonLiteral(text)
    guard literal.value(depth: 0) else { return nil }
    literal.skipSpace()
    return literal.place == text.endIndex && isJSON(literal.json[...]) ? literal.json : nil
  }

  private static func isJSON(_ value: ArraySlice<UInt8>) -> Bool {
    JSONText.isValid(Array("{\"\":".utf8) + value + [UInt8(ascii: "}")])
  }

  private static let words: [(python: [UInt8], json: [UInt8])] = [
    ("None", "null"), ("True", "true"), ("False", "false"), ("nan", "null"), ("-inf", "null"),
    ("inf", "null"), ("NaT", "null"), ("<NA>", "null"),
  ].map { (Array($0.0.utf8), Array($0.1.utf8)) }

  private mutating func value(depth: Int) -> Bool {
    skipSpace()
    guard depth < Self.maximumDepth, let byte = next else { return false }
    switch byte {
    case UInt8(ascii: "{"): return members(depth: depth)
    case UInt8(ascii: "["), UInt8(ascii: "("): return items(depth: depth)
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return string(byte)
    default: return word() || number() || object(depth: depth)
    }
  }

  private mutating func members(depth: Int) -> Bool {
    place += 1
    json.append(UInt8(ascii: "{"))
    skipSpace()
    if take("}") { return end("}") }
    while true {
      skipSpace()
      guard key() else { return false }
      skipSpace()
      guard take(":") else { return false }
      json.append(UInt8(ascii: ":"))
      guard value(depth: depth + 1) else { return false }
      skipSpace()
      if take("}") { return end("}") }
      guard take(",") else { return false }
      json.append(UInt8(ascii: ","))
    }
  }

  /// A text, or a number, which is a text in JSON.
  private mutating func key() -> Bool {
    if let quote = next, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") {
      return string(quote)
    }
    json.append(UInt8(ascii: "\""))
    guard number() else { return false }
    json.append(UInt8(ascii: "\""))
    return true
  }

  /// A list or a tuple, which may end with a comma; numpy writes spaces between its items.
  private mutating func items(depth: Int) -> Bool {
    let close: Unicode.Scalar = next == UInt8(ascii: "[") ? "]" : ")"
    place += 1
    json.append(UInt8(ascii: "["))
    skipSpace()
    if take(close) { return end("]") }
    while true {
      guard value(depth: depth + 1) else { return false }
      let end = place
      skipSpace()
      _ = take(",")
      skipSpace()
      if take(close) { return self.end("]") }
      guard place > end else { return false }
      json.append(UInt8(ascii: ","))
    }
  }

  /// `array([…], dtype=object)`, `Decimal('1.5')`, `Timestamp('2026-01-05 10:00:00')`,
  /// `np.int64(5)`; of one with several parts, `datetime.date(2026, 1, 5)`, what stands between the
  /// brackets is a text.
  private mutating func object(depth: Int) -> Bool {
    let name = text[place...].prefix { byte in
      (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- 0x30 < 10 || "_.".utf8.contains(byte)
    }
    guard !name.isEmpty, name.endIndex < text.endIndex, text[name.endIndex] == UInt8(ascii: "(")
    else { return false }
    place = name.endIndex + 1
    let (start, written) = (place, json.count)
    if value(depth: depth + 1) {
      skipSpace()
      if take(")") { return true }
      let bracket = text[place...].firstIndex(of: UInt8(ascii: ")"))
      if name.elementsEqual("array".utf8), take(","), let end = bracket {
        place = end + 1
        return true
      }
    }
    json.removeSubrange(written...)
    let parts = text[start...].prefix { $0 >= 0x20 && !"()\"\\".utf8.contains($0) }
    place = parts.endIndex
    json += [UInt8(ascii: "\"")] + parts + [UInt8(ascii: "\"")]
    return take(")")
  }

  private mutating func string(_ quote: UInt8) -> Bool {
    place += 1
    json.append(UInt8(ascii: "\""))
    while let byte = next {
      place += 1
      switch byte {
      case quote:
        json.append(UInt8(ascii: "\""))
        return true
      case UInt8(ascii: "\\"):
        guard escape() else { return false }
      case UInt8(ascii: "\""): json += Array("\\\"".utf8)
      case 0..<0x20: return false
      default: json.append(byte)
      }
    }
    return false
  }

  /// What stands behind a backslash. `repr` writes no others than these.
  private mutating func escape() -> Bool {
    guard let byte = next else { return false }
    place += 1
    switch byte {
    case UInt8(ascii: "'"): json.append(byte)
    case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "n"), UInt8(ascii: "r"),
      UInt8(ascii: "t"):
      json += [UInt8(ascii: "\\"), byte]
    case UInt8(ascii: "x"): return codePoint(digits: 2)
    case UInt8(ascii: "u"): return codePoint(digits: 4)
    case UInt8(ascii: "U"): return codePoint(digits: 8)
    default: return false
    }
    return true
  }

  private mutating func codePoint(digits: Int) -> Bool {
    let text = text[place...].prefix(digits)
    let values = text.compactMap { JSONText.hexDigit($0) }
    guard text.count == digits, values.count == digits, values[0] == 0 || digits < 8 else {
      return false
    }
    place += digits
    let code = values.reduce(0) { $0 << 4 | $1 }
    guard let scalar = Unicode.Scalar(code) else { return false }
    if code < 0x20 || scalar == "\"" || scalar == "\\" {
      json += Array("\\u00".utf8)
      json += [code >> 4, code & 15].map { Array("0123456789abcdef".utf8)[Int($0)] }
    } else {
      json += Array(String(Character(scalar)).utf8)
    }
    return true
  }

  private mutating func word() -> Bool {
    for word in Self.words where text[place...].starts(with: word.python) {
      place += word.python.count
      json += word.json
      return true
    }
    return false
  }

  private mutating func number() -> Bool {
    let number = text[place...].prefix { $0 &- 0x30 < 10 || "+-.eE".utf8.contains($0) }
    guard let first = number.first, first &- 0x30 < 10 || first == UInt8(ascii: "-"),
      number.last.map({ $0 &- 0x30 < 10 || $0 == UInt8(ascii: ".") }) == true
    else { return false }
    place += number.count
    // numpy writes 2.0 as `2.`.
    json += number.last == UInt8(ascii: ".") ? number.dropLast() : number
    return true
  }

  private var next: UInt8? { place < text.endIndex ? text[place] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") { place += 1 }
  }

  private mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: mark) else { return false }
    place += 1
    return true
  }

  private mutating func end(_ bracket: Unicode.Scalar) -> Bool {
    json.append(UInt8(ascii: bracket))
    return true
  }
}
