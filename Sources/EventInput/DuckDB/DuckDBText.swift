/// Texts in DuckDB's SQL and in commands of a shell.
enum DuckDBText {
  static func literal(_ text: String) -> String { quoted(text, "'") }

  static func identifier(_ name: String) -> String { quoted(name, "\"") }

  /// One word of a shell's command line.
  ///
  /// - Parameter isPlain: whether to leave it without quotes if it needs none.
  static func shellWord(_ text: String, isPlain: Bool = false) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+=:@%,")
    if isPlain && !text.isEmpty && text.first != "-" && text.allSatisfy(plain.contains) {
      return text
    }
    let isSafe = !text.utf8.contains { "\"$`\\!".utf8.contains($0) || $0 < 0x20 }
    if isSafe { return "\"\(text)\"" }
    let parts = text.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: "'\\''") + "'"
  }

  private static func quoted(_ text: String, _ quote: Character) -> String {
    let parts = text.split(separator: quote, omittingEmptySubsequences: false)
    return "\(quote)\(parts.joined(separator: "\(quote)\(quote)"))\(quote)"
  }
}
