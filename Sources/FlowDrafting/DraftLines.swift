/// Parts of a flow file that stand on one line where it stays readable, and on several otherwise.
enum DraftLines {
  /// No line of a flow file is longer than 2,000 bytes.
  private static let mostBytes = 300

  /// `key: [one, another]`.
  static func list(_ key: String, _ items: [String], indent: String = "") -> [String] {
    let line = "\(indent)\(key): [\(items.joined(separator: ", "))]"
    return line.utf8.count <= mostBytes
      ? [line] : ["\(indent)\(key):"] + items.map { "\(indent)  - \($0)" }
  }

  /// `key: {path: event, values: {"one": another}}`.
  static func values(_ key: String, path: String, _ pairs: [(String, String)]) -> [String] {
    let values = pairs.map { "\($0.0): \($0.1)" }
    let line = "  \(key): {path: \(path), values: {\(values.joined(separator: ", "))}}"
    return line.utf8.count <= mostBytes
      ? [line]
      : ["  \(key):", "    path: \(path)", "    values:"] + values.map { "      \($0)" }
  }
}
