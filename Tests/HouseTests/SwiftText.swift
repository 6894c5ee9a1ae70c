/// Swift code with its comments and the text of its strings blanked out, line by line, so that
/// braces and words can be counted without a parser.
struct SwiftText {
  let lines: [String]

  init(_ text: String) {
    var reader = Blanker(Array(text.utf8))
    lines = String(decoding: reader.blanked(), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// A function, initialiser or the like that has a body.
  struct Function {
    /// From 1.
    var line: Int
    /// From the line of its keyword to the line of its closing brace.
    var length: Int
  }

  /// Functions by a rough count of braces.
  var functions: [Function] {
    lines.indices.compactMap { start in
      guard SwiftText.declaresFunction(lines[start]), let end = endOfBody(from: start) else {
        return nil
      }
      return Function(line: start + 1, length: end - start + 1)
    }
  }

  private static func declaresFunction(_ line: String) -> Bool {
    for word in line.split(whereSeparator: { $0 == " " || $0 == "(" || $0 == "<" }) {
      switch word {
      case "func", "init", "init?", "deinit", "subscript": return true
      case "public", "private", "internal", "package", "fileprivate", "static", "mutating",
        "consuming", "borrowing", "override", "final", "convenience", "required", "nonisolated":
        continue
      case let word where word.hasPrefix("@"): continue
      default: return false
      }
    }
    return false
  }

  /// The line with the brace that closes the body; `nil` for a requirement of a protocol.
  private func endOfBody(from start: Int) -> Int? {
    var braces = 0
    var brackets = 0
    for index in start..<lines.count {
      if braces == 0 && index > start && SwiftText.declaresFunction(lines[index]) { return nil }
      for character in lines[index].utf8 {
        switch character {
        case UInt8(ascii: "("): brackets += 1
        case UInt8(ascii: ")"): brackets -= 1
        case UInt8(ascii: "{"): braces += 1
        case UInt8(ascii: "}"):
          if braces == 0 { return nil }
          braces -= 1
          if braces == 0 && brackets == 0 { return index }
        default: break
        }
      }
    }
    return nil
  }
}

/// Walks through Swift code and blanks what is no code. Interpolations are blanked with their
/// string; regular expression literals are not known.
private struct Blanker {
  private let source: [UInt8]
  private var position = 0
  private var result: [UInt8] = []

  init(_ source: [UInt8]) {
    self.source = source
  }

  mutating func blanked() -> [UInt8] {
    while position < source.count {
      if starts("//") {
        while position < source.count && source[position] != 10 { blank() }
      } else if starts("/*") {
        while position < source.count && !starts("*/") { blank() }
        blank(2)
      } else if starts("\"\"\"") {
        blankString(until: "\"\"\"")
      } else if starts("\"") {
        blankString(until: "\"")
      } else {
        result.append(source[position])
        position += 1
      }
    }
    return result
  }

  private mutating func blankString(until end: String) {
    blank(end.utf8.count)
    while position < source.count && !starts(end) {
      if starts("\\(") {
        blankInterpolation()
      } else {
        blank(starts("\\") ? 2 : 1)
      }
    }
    blank(end.utf8.count)
  }

  private mutating func blankInterpolation() {
    blank(2)
    var depth = 1
    while position < source.count && depth > 0 {
      if starts("\"") {
        blankString(until: "\"")
        continue
      }
      if starts("(") { depth += 1 }
      if starts(")") { depth -= 1 }
      blank()
    }
  }

  private func starts(_ text: String) -> Bool {
    source[position...].starts(with: text.utf8)
  }

  private mutating func blank(_ count: Int = 1) {
    for _ in 0..<count where position < source.count {
      result.append(source[position] == 10 ? 10 : 32)
      position += 1
    }
  }
}
