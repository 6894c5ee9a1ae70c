/// Texts as YAML that reads back as the same text.
enum YAMLWriting {
  /// A text, in quotes unless it can't be taken for anything else.
  static func text(_ text: String) -> String {
    let words = ["true", "false", "null", "all", ""]
    let isPlain = text.unicodeScalars.allSatisfy { scalar in
      ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
        || ("0"..."9").contains(scalar) || scalar == "_" || scalar == "." || scalar == "/"
    }
    let startsWithLetter = text.unicodeScalars.first.map {
      ("a"..."z").contains($0) || ("A"..."Z").contains($0) || $0 == "_"
    }
    if isPlain, startsWithLetter == true, !words.contains(text.lowercased()) { return text }
    // YAML's double quotes read every escape that JSON writes.
    return CanonicalValue.text(text).json
  }

  static func list(_ texts: [String]) -> String {
    "[" + texts.map(text).joined(separator: ", ") + "]"
  }

  /// A list, or its only text alone.
  static func oneOrList(_ texts: [String]) -> String {
    texts.count == 1 ? text(texts[0]) : list(texts)
  }

  /// Entries whose values are YAML already; those without a value are left out.
  static func mapping(_ entries: [(key: String, value: String?)]) -> String {
    let parts = entries.compactMap { entry in
      entry.value.map { "\(text(entry.key)): \($0)" }
    }
    return "{" + parts.joined(separator: ", ") + "}"
  }
}
