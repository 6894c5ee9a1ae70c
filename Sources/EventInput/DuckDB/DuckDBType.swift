/// A type as DuckDB writes it, taken apart as far as values may have to be changed inside of it.
indirect enum DuckDBType: Equatable {
  case scalar(String)
  case structure([(name: String, type: DuckDBType)])
  case list(DuckDBType)
  case map(key: DuckDBType, value: DuckDBType)

  /// - Parameter text: such as `STRUCT(id DOUBLE, "a b" VARCHAR[])[]`; what is written in an
  ///   unknown way is a scalar.
  init(_ text: String) {
    var reader = Reader(rest: text[...])
    let type = reader.type()
    self = type.flatMap { reader.rest.isEmpty ? $0 : nil } ?? .scalar(text)
  }

  static func == (one: DuckDBType, other: DuckDBType) -> Bool {
    switch (one, other) {
    case (.scalar(let one), .scalar(let other)): one == other
    case (.list(let one), .list(let other)): one == other
    case (.map(let one, let value), .map(let other, let otherValue)):
      one == other && value == otherValue
    case (.structure(let one), .structure(let other)):
      one.elementsEqual(other) { $0.name == $1.name && $0.type == $1.type }
    default: false
    }
  }

  private struct Reader {
    var rest: Substring

    /// The type at the position, with the brackets of lists behind it.
    mutating func type() -> DuckDBType? {
      guard var type = plainType() else { return nil }
      while rest.first == "[", let end = rest.firstIndex(of: "]") {
        rest = rest[rest.index(after: end)...]
        type = .list(type)
      }
      return type
    }

    private mutating func plainType() -> DuckDBType? {
      if take("STRUCT(") {
        var members: [(name: String, type: DuckDBType)] = []
        repeat {
          guard let name = name(), take(" "), let type = type() else { return nil }
          members.append((name, type))
        } while take(", ")
        return take(")") ? .structure(members) : nil
      }
      if take("MAP(") {
        guard let key = type(), take(", "), let value = type(), take(")") else { return nil }
        return .map(key: key, value: value)
      }
      return scalar()
    }

    private mutating func take(_ text: String) -> Bool {
      guard rest.hasPrefix(text) else { return false }
      rest = rest.dropFirst(text.count)
      return true
    }

    /// A member's name, in quotes where it is no plain word.
    private mutating func name() -> String? {
      guard rest.first == "\"" else {
        let word = rest.prefix { $0 != " " }
        rest = rest.dropFirst(word.count)
        return word.isEmpty ? nil : String(word)
      }
      var name = ""
      rest = rest.dropFirst()
      while let end = rest.firstIndex(of: "\"") {
        name += rest[..<end]
        rest = rest[rest.index(after: end)...]
        guard rest.first == "\"" else { return name }
        name.append(rest.removeFirst())
      }
      return nil
    }

    /// A type without others inside, with what stands in brackets behind its name.
    private mutating func scalar() -> DuckDBType? {
      var (depth, quote): (Int, Character?) = (0, nil)
      let text = rest.prefix { letter in
        if let open = quote {
          if letter == open { quote = nil }
          return true
        }
        if depth == 0 && ",)[".contains(letter) { return false }
        if "'\"".contains(letter) { quote = letter }
        if letter == "(" { depth += 1 }
        if letter == ")" { depth -= 1 }
        return true
      }
      rest = rest.dropFirst(text.count)
      return text.isEmpty || depth > 0 || quote != nil ? nil : .scalar(String(text))
    }
  }
}
