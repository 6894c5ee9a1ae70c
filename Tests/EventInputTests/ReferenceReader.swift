import EventInput
import Foundation

/// JSON as plain as it can be read: the slow twin of the scanner. Numbers keep their text.
indirect enum ReferenceJSON: Equatable {
  case object([(key: String, value: ReferenceJSON)])
  case array([ReferenceJSON])
  case string(String)
  case number(String)
  case boolean(Bool)
  case null

  static func == (left: ReferenceJSON, right: ReferenceJSON) -> Bool {
    "\(left)" == "\(right)"
  }

  /// The last value of a key.
  subscript(key: String) -> ReferenceJSON? {
    guard case .object(let members) = self else { return nil }
    return members.last { Array($0.key.utf8) == Array(key.utf8) }?.value
  }

  func value(at path: [String]) -> ReferenceJSON? {
    guard let first = path.first else { return self }
    return path.dropFirst().reduce(self[first]) { $0?.alone[$1] }
  }

  /// The one object that a list holds in the place of an object.
  private var alone: ReferenceJSON {
    guard case .array(let items) = self, items.count == 1, case .object = items[0] else {
      return self
    }
    return items[0]
  }

  /// What the value is as text: nil for what has none.
  var text: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .boolean(let value): "\(value)"
    case .number(let text): Self.plain(text)
    case .null, .array, .object: nil
    }
  }

  /// The plain digits of a number, by shifting the point one place at a time.
  static func plain(_ text: String) -> String {
    let isNegative = text.hasPrefix("-")
    let parts = text.drop { $0 == "-" }.lowercased().split(separator: "e")
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 1_000_000 : 0
    let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    var whole = Array(mantissa[0])
    var fraction = mantissa.count > 1 ? Array(mantissa[1]) : []
    while whole.first == "0" { whole.removeFirst() }
    while fraction.last == "0" { fraction.removeLast() }
    if whole.isEmpty && fraction.isEmpty { return "0" }
    if abs(exponent) > 1000 { return text }
    for _ in 0..<abs(exponent) {
      if exponent > 0 {
        whole.append(fraction.isEmpty ? "0" : fraction.removeFirst())
        if whole == ["0"] { whole = [] }
      } else {
        fraction.insert(whole.popLast() ?? "0", at: 0)
      }
    }
    while fraction.last == "0" { fraction.removeLast() }
    let digits = (whole + fraction).drop { $0 == "0" }
    let zerosAfter = fraction.isEmpty ? whole.reversed().prefix { $0 == "0" }.count : 0
    let zerosBefore = whole.isEmpty ? fraction.prefix { $0 == "0" }.count : 0
    let isShifted = exponent != 0 || text.contains(".")
    if isShifted && (zerosBefore > 64 || zerosAfter > 64) || digits.isEmpty { return text }
    let sign = isNegative ? "-" : ""
    return sign + (whole.isEmpty ? "0" : String(whole))
      + (fraction.isEmpty ? "" : "." + String(fraction))
  }
}

/// Recursive descent over unicode scalars; nil for anything that is not JSON or too deep.
struct ReferenceReader {
  private let scalars: [Unicode.Scalar]
  private var index = 0

  static func read(_ bytes: [UInt8]) -> ReferenceJSON? {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    var reader = ReferenceReader(scalars: Array(text.unicodeScalars))
    reader.skipSpace()
    guard let value = reader.value(depth: 1) else { return nil }
    reader.skipSpace()
    return reader.index == reader.scalars.count ? value : nil
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    index += 1
    return true
  }

  private mutating func skipSpace() {
    while let scalar = next, scalar == " " || scalar == "\t" || scalar == "\r" { index += 1 }
  }

  private mutating func value(depth: Int) -> ReferenceJSON? {
    switch next {
    case "{": return depth > 128 ? nil : object(depth)
    case "[": return depth > 128 ? nil : array(depth)
    case "\"": return string().map { .string($0) }
    case "t": return word("true", .boolean(true))
    case "f": return word("false", .boolean(false))
    case "n": return word("null", .null)
    default: return number()
    }
  }

  private mutating func word(_ word: String, _ value: ReferenceJSON) -> ReferenceJSON? {
    for scalar in word.unicodeScalars where !take(scalar) { return nil }
    return value
  }

  private mutating func object(_ depth: Int) -> ReferenceJSON? {
    index += 1
    var members: [(key: String, value: ReferenceJSON)] = []
    skipSpace()
    if take("}") { return .object(members) }
    while true {
      skipSpace()
      guard next == "\"", let key = string() else { return nil }
      skipSpace()
      guard take(":") else { return nil }
      skipSpace()
      guard let value = value(depth: depth + 1) else { return nil }
      members.append((key, value))
      skipSpace()
      if take("}") { return .object(members) }
      guard take(",") else { return nil }
    }
  }

  private mutating func array(_ depth: Int) -> ReferenceJSON? {
    index += 1
    var elements: [ReferenceJSON] = []
    skipSpace()
    if take("]") { return .array(elements) }
    while true {
      skipSpace()
      guard let value = value(depth: depth + 1) else { return nil }
      elements.append(value)
      skipSpace()
      if take("]") { return .array(elements) }
      guard take(",") else { return nil }
    }
  }

  private mutating func string() -> String? {
    index += 1
    var units: [UInt16] = []
    while let scalar = next {
      index += 1
      switch scalar {
      case "\"": return String(decoding: units, as: UTF16.self)
      case "\\":
        guard let escape = next else { return nil }
        index += 1
        let plain: [Unicode.Scalar: UInt16] = [
          "\"": 34, "\\": 92, "/": 47, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9,
        ]
        if let unit = plain[escape] {
          units.append(unit)
        } else {
          guard escape == "u", index + 4 <= scalars.count else { return nil }
          let digits = String(String.UnicodeScalarView(scalars[index..<index + 4]))
          guard digits.allSatisfy(\.isHexDigit), digits.utf8.count == 4,
            let unit = UInt16(digits, radix: 16)
          else { return nil }
          units.append(unit)
          index += 4
        }
      case "\0"..<" ": return nil
      default: units += Array(String(scalar).utf16)
      }
    }
    return nil
  }

  private mutating func digits() -> Bool {
    let start = index
    while let scalar = next, "0" <= scalar && scalar <= "9" { index += 1 }
    return index > start
  }

  private mutating func number() -> ReferenceJSON? {
    let start = index
    _ = take("-")
    if !take("0") { guard digits() else { return nil } }
    if take(".") { guard digits() else { return nil } }
    if next == "e" || next == "E" {
      index += 1
      if next == "+" || next == "-" { index += 1 }
      guard digits() else { return nil }
    }
    return .number(String(String.UnicodeScalarView(scalars[start..<index])))
  }
}
