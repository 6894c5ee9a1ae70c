/// The profiles of AWS's two files: sections in brackets with `name = value` lines. Indented lines
/// belong to the line above them, and are passed over.
struct ProfileFile {
  private var sections: [String: [String: String]] = [:]

  init(_ text: String) {
    var section: String?
    for line in text.split(whereSeparator: \.isNewline) {
      if line.first?.isWhitespace == true || line.first == "#" || line.first == ";" { continue }
      if line.first == "[" {
        section = Self.trimmed(line.dropFirst().prefix { $0 != "]" })
        continue
      }
      guard let section, let equals = line.firstIndex(of: "=") else { continue }
      let name = Self.trimmed(line[..<equals]).lowercased()
      sections[section, default: [:]][name] = Self.trimmed(line[line.index(after: equals)...])
    }
  }

  /// What is set in a section; `nil` where there is none.
  func section(_ name: String) -> [String: String]? { sections[name] }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text = text.dropLast() }
    return String(text)
  }
}
