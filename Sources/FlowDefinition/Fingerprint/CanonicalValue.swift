/// A JSON value that has exactly one text: keys sorted by their UTF-8 bytes, no white space, no
/// absent values, numbers in their shortest form.
///
/// Keys are names in ASCII, which stand as they are and which `<` orders by their bytes.
enum CanonicalValue {
  /// An entry of an object: its key, and its text with it.
  struct Entry {
    let key: String
    let text: String
  }

  case object([String: CanonicalValue])
  case array([CanonicalValue])
  case text(String)
  case integer(Int64)
  case number(Double)
  case boolean(Bool)
  /// The text of a value that stands in many others.
  case written(String)

  /// An object without the entries that have no value.
  static func object(present entries: [String: CanonicalValue?]) -> CanonicalValue {
    .object(entries.compactMapValues { $0 })
  }

  static func texts(_ texts: [String]) -> CanonicalValue { .array(texts.map { .text($0) }) }

  /// The texts as a set: their order changes no number.
  static func textSet(_ texts: [String]) -> CanonicalValue {
    .texts(texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }

  /// Objects as a set, in the order of their texts.
  static func set(_ values: [CanonicalValue]) -> CanonicalValue {
    .array(
      values.map { (value: $0, text: $0.json) }
        .sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }.map(\.value))
  }

  /// The value as its text, which is then put together only once.
  var written: CanonicalValue { .written(json) }

  /// The entries of an object in their order.
  static func entries(_ values: [String: CanonicalValue]) -> [Entry] {
    values.map { Entry(key: $0.key, text: "\"\($0.key)\":\($0.value.json)") }
      .sorted { $0.key < $1.key }
  }

  var json: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .object(let entries):
      var separator = "{\""
      for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
        text += separator
        text += key
        text += "\":"
        value.write(to: &text)
        separator = ",\""
      }
      text += entries.isEmpty ? "{}" : "}"
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.write(to: &text)
      }
      text += "]"
    case .text(let string): Self.write(string, to: &text)
    case .integer(let integer): text += String(integer)
    case .number(let number): text += ScalarText.format(number)
    case .boolean(let boolean): text += boolean ? "true" : "false"
    case .written(let json): text += json
    }
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    defer { text += "\"" }
    // Nearly every text stands as it is; a scalar at a time would be most of a fingerprint's cost.
    guard
      string.utf8.contains(where: {
        $0 < 32 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")
      })
    else {
      text += string
      return
    }
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case _ where scalar.value < 32:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
