/// A column of a table as DuckDB describes it.
struct DuckDBColumn: Decodable, Equatable {
  var schema: String?
  var table: String?
  var name: String
  var type: String

  /// What is read of it, as SQL: itself, but for types whose values would lose something on their
  /// way through JSON.
  var value: String {
    let name = DuckDBText.identifier(name)
    switch type {
    // JSON has no word for infinity and what is not a number: a missing value.
    case "DOUBLE": return "CASE WHEN isfinite(\(name)) THEN \(name) END"
    // As a number of twice the bits, 0.1 is 0.10000000149011612.
    case "FLOAT": return "CASE WHEN isfinite(\(name)) THEN \(name)::VARCHAR::JSON END"
    // Texts that were written without a mark that they are such.
    case "BLOB": return "coalesce(try(decode(\(name))), \(name)::VARCHAR)"
    default: break
    }
    let asText = Self.replacingLargeIntegers(in: type, by: "VARCHAR")
    if asText == type { return name }
    return "\(name)::\(asText)::\(Self.replacingLargeIntegers(in: type, by: "JSON"))"
  }

  /// Whole numbers beyond 64 bits would go through a floating one, and ids with them. As texts of
  /// JSON they keep all digits.
  private static func replacingLargeIntegers(in type: String, by other: String) -> String {
    var text = ""
    var rest = type[...]
    while let first = rest.first {
      let word = Self.word(of: rest)
      let after = rest.dropFirst(word.count).first
      // A name in a structure has a type behind it.
      let isType = after == nil || after == ")" || after == "," || after == "["
      if isType && isLargeInteger(word) {
        text += other
      } else {
        text += word.isEmpty ? String(first) : word
      }
      rest = rest.dropFirst(max(1, word.count))
    }
    return text
  }

  /// A name in quotes, or a word with the figures in brackets behind it.
  private static func word(of text: Substring) -> String {
    if text.first == "\"" {
      var word = "\""
      var rest = text.dropFirst()
      while let end = rest.firstIndex(of: "\"") {
        word += rest[...end]
        rest = rest[rest.index(after: end)...]
        guard rest.first == "\"" else { return word }
        word.append(rest.removeFirst())
      }
      return word + rest
    }
    let word = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    guard word == "DECIMAL", let close = text.firstIndex(of: ")") else { return String(word) }
    return String(text[...close])
  }

  private static func isLargeInteger(_ type: String) -> Bool {
    ["HUGEINT", "UHUGEINT", "BIGNUM", "VARINT"].contains(type)
      || (type.hasPrefix("DECIMAL(") && type.hasSuffix(",0)"))
  }
}
