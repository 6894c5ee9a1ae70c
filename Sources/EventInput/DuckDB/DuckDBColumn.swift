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
    return Self.value(name, DuckDBType(type), depth: 0) ?? name
  }

  /// ``value`` where the query would be too long: structures, lists and maps are read unchanged.
  var plainValue: String {
    let name = DuckDBText.identifier(name)
    return Self.scalar(name, type) ?? name
  }

  /// What is read of an expression; `nil` where that is the expression itself.
  private static func value(_ expression: String, _ type: DuckDBType, depth: Int) -> String? {
    let item = "item\(depth)"
    switch type {
    case .scalar(let name): return scalar(expression, name)
    case .structure(let members):
      let values = members.map { member in
        let inner = "struct_extract(\(expression), \(DuckDBText.literal(member.name)))"
        return (member.name, inner, value(inner, member.type, depth: depth))
      }
      guard values.contains(where: { $0.2 != nil }) else { return nil }
      let texts = values.map { "\(DuckDBText.literal($0.0)): \($0.2 ?? $0.1)" }
      return "CASE WHEN \(expression) IS NOT NULL THEN {\(texts.joined(separator: ", "))} END"
    case .list(let inner):
      return value(item, inner, depth: depth + 1).map { "[\($0) FOR \(item) IN \(expression)]" }
    case .map(let keyType, let valueType):
      let (key, value) = ("struct_extract(\(item), 'key')", "struct_extract(\(item), 'value')")
      // A key may not become a missing value.
      let newKey = keyType == .scalar("BLOB") ? scalar(key, "BLOB") : nil
      let newValue = Self.value(value, valueType, depth: depth + 1)
      if newKey == nil && newValue == nil { return nil }
      return "map_from_entries([{'key': \(newKey ?? key), 'value': \(newValue ?? value)} "
        + "FOR \(item) IN map_entries(\(expression))])"
    }
  }

  private static func scalar(_ expression: String, _ type: String) -> String? {
    switch type {
    // Texts that were written without a mark that they are such.
    case "BLOB": "coalesce(try(decode(\(expression))), \(expression)::VARCHAR)"
    // JSON has no word for infinity and what is not a number: a missing value.
    case "DOUBLE": "CASE WHEN isfinite(\(expression)) THEN \(expression) END"
    // As a number of twice the bits, 0.1 is 0.10000000149011612.
    case "FLOAT": "CASE WHEN isfinite(\(expression)) THEN \(expression)::VARCHAR::JSON END"
    // Whole numbers beyond 64 bits would go through a floating one, and ids with them. As texts of
    // JSON they keep all digits.
    case "HUGEINT", "UHUGEINT", "BIGNUM", "VARINT": "\(expression)::VARCHAR::JSON"
    case _ where type.hasPrefix("DECIMAL(") && type.hasSuffix(",0)"):
      "\(expression)::VARCHAR::JSON"
    default: nil
    }
  }
}
