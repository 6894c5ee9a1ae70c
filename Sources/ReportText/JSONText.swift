/// JSON as text with the keys in the order they are given.
package enum JSONText {
  /// A string in quotes. What a terminal could take for a command, or a reader could not see, is
  /// escaped, so that the file can be printed.
  package static func string(_ text: String) -> String {
    if isPlain(text) { return "\"" + text + "\"" }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22: result += "\\\""
      case 0x5C: result += "\\\\"
      case 0x0A: result += "\\n"
      case 0x0D: result += "\\r"
      case 0x09: result += "\\t"
      case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E,
        0x2060...0x2069, 0xFEFF:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// As above, at the end of a text.
  package static func write(string: String, to text: inout TextBytes) {
    guard isPlain(string) else { return text.add(self.string(string)) }
    text.add("\"")
    text.add(string)
    text.add("\"")
  }

  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
  }

  package static func string(_ text: String?) -> String { text.map { string($0) } ?? "null" }

  package static func number(_ value: Double?) -> String {
    value.flatMap(NumberText.format) ?? "null"
  }

  package static func number(_ count: Int?) -> String { count.map(String.init) ?? "null" }

  package static func truth(_ isTrue: Bool?) -> String { isTrue.map { "\($0)" } ?? "null" }

  /// An object on one line.
  package static func object(_ members: [(String, String)]) -> String {
    var result = "{"
    for (name, value) in members {
      if result.utf8.count > 1 { result += ", " }
      result += string(name)
      result += ": "
      result += value
    }
    return result + "}"
  }

  /// An object without any blanks, for lists that no person reads.
  package static func compact(_ members: [(String, String)]) -> String {
    "{" + members.map { string($0.0) + ":" + $0.1 }.joined(separator: ",") + "}"
  }

  /// An array without any blanks.
  package static func compact(_ values: [String]) -> String {
    "[" + values.joined(separator: ",") + "]"
  }

  /// An array of compact values, one a line without indentation.
  package static func compactLines(_ values: [String]) -> String {
    values.isEmpty ? "[]" : "[\n" + values.joined(separator: ",\n") + "\n]"
  }

  /// An array on one line.
  package static func array(_ values: [String]) -> String {
    "[" + values.joined(separator: ", ") + "]"
  }

  /// An array with one value a line, so that a change of one value is a change of one line.
  package static func lines(_ values: [String], indent: String) -> String {
    if values.isEmpty { return "[]" }
    return "[\n" + values.map { indent + "  " + $0 }.joined(separator: ",\n") + "\n\(indent)]"
  }

  /// An object with one member a line.
  package static func block(_ members: [(String, String)], indent: String) -> String {
    var text = TextBytes()
    write(block: members.map(member), indent: indent, to: &text)
    return text.text
  }

  /// A member of a block whose value is a text already.
  package static func member(
    _ name: String, _ value: String
  ) -> (String, (inout TextBytes) -> Void) {
    (name, { $0.add(value) })
  }

  /// As above, at the end of a text; the values write themselves.
  package static func write(
    block members: [(String, (inout TextBytes) -> Void)], indent: String,
    to text: inout TextBytes
  ) {
    if members.isEmpty { return text.add("{}") }
    text.add("{\n")
    for (index, (name, value)) in members.enumerated() {
      if index > 0 { text.add(",\n") }
      text.add("\(indent)  \(string(name)): ")
      value(&text)
    }
    text.add("\n\(indent)}")
  }

  /// Counts by name, in the order of the names' bytes.
  package static func counts(_ counts: [String: Int]) -> String {
    object(ByteOrder.sorted(counts.keys).map { ($0, number(counts[$0])) })
  }
}
