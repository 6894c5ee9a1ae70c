/// Text that Markdown takes for nothing but text.
package enum MarkdownText {
  /// One line, with what could be markup escaped.
  package static func plain(_ raw: String, limit: Int = 120) -> String {
    var result = ""
    let characters = Array(SafeText.name(raw, limit: limit))
    for (index, character) in characters.enumerated() {
      // By the first scalar: a mark on top of it changes nothing for Markdown.
      if let first = character.unicodeScalars.first, special.contains(first) {
        // An underscore inside a word means nothing: `priming_order` stays as it is.
        let isInside =
          first == "_" && index > 0 && index + 1 < characters.count
          && isWord(characters[index - 1]) && isWord(characters[index + 1])
        // So does a bracket before a space: `p < 0.0001`.
        let isLess = first == "<" && index + 1 < characters.count && characters[index + 1] == " "
        if !isInside && !isLess { result += "\\" }
      }
      result.append(character)
    }
    return
      result
      .split(separator: "&", omittingEmptySubsequences: false).joined(separator: "&amp;")
      .split(separator: "\\<", omittingEmptySubsequences: false).joined(separator: "&lt;")
  }

  private static func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber
  }

  /// A cell of a table; short, so that the table stays narrow.
  package static func cell(_ raw: String) -> String { plain(raw, limit: 100) }

  package static func table(_ head: [String], _ rows: [[String]]) -> String {
    let rule = head.indices.map { $0 == 0 ? "---" : "---:" }
    return ([head, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
      .joined(separator: "\n")
  }

  /// Emphasis, code, links, images, tables, HTML, mentions of people and of issues.
  private static let special: Set<Unicode.Scalar> = [
    "\\", "`", "*", "_", "[", "]", "<", "|", "#", "@", "~", "!",
  ]
}
