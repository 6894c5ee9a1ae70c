/// Words with numbers between them, each number with the row that it is from.
///
/// Terminals and Markdown take the text; the page marks the numbers, so that programs can hold
/// them against `metrics.json`. Numbers that no row has (sums, shares of sums, bounds) are words.
struct Sentence: Sendable, Hashable {
  enum Part: Sendable, Hashable {
    case words(String)
    case number(String, Datum, DataMark.Field)
    /// A count of the `quality` object of `metrics.json`, by its key.
    case quality(Int, String)

    var text: String {
      switch self {
      case .words(let text): text
      case .number(let text, _, _): text
      case .quality(let count, _): NumberText.grouped(count)
      }
    }
  }

  private(set) var parts: [Part]

  /// Words that stand beside one another become one part.
  init(_ parts: [Part]) {
    self.parts = []
    for part in parts {
      if case .words(let more) = part, case .words(let before) = self.parts.last {
        self.parts[self.parts.count - 1] = .words(before + more)
      } else if part.text != "" {
        self.parts.append(part)
      }
    }
  }

  init(words: String) { parts = [.words(words)] }

  /// A number as it is written, of a row if there is one.
  init(_ text: String, _ datum: Datum?, _ field: DataMark.Field) {
    parts = [datum.map { .number(text, $0, field) } ?? .words(text)]
  }

  /// A count of the `quality` object of `metrics.json`.
  init(quality count: Int, _ key: String) { parts = [.quality(count, key)] }

  var text: String { parts.map(\.text).joined() }

  /// This sentence with a capital first letter.
  var capitalizedFirst: Sentence {
    guard case .words(let words) = parts.first else { return self }
    return Sentence([.words(words.capitalizedFirst)] + parts.dropFirst())
  }

  static func + (left: Sentence, right: Sentence) -> Sentence {
    Sentence(left.parts + right.parts)
  }

  static func += (left: inout Sentence, right: Sentence) { left = left + right }
}

extension Sentence: CustomStringConvertible {
  /// The plain text, so that a sentence can stand in a string.
  var description: String { text }
}

extension Sentence: ExpressibleByStringInterpolation {
  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    init(literalCapacity: Int, interpolationCount: Int) {
      parts.reserveCapacity(2 * interpolationCount + 1)
    }

    mutating func appendLiteral(_ literal: String) { parts.append(.words(literal)) }

    mutating func appendInterpolation(_ words: some StringProtocol) {
      parts.append(.words(String(words)))
    }

    mutating func appendInterpolation(_ sentence: Sentence) { parts += sentence.parts }
  }

  init(stringLiteral text: String) { parts = [.words(text)] }

  init(stringInterpolation: StringInterpolation) { self.init(stringInterpolation.parts) }
}

extension Array<Sentence> {
  func joined(separator: String) -> Sentence {
    var whole = Sentence([])
    for (index, sentence) in enumerated() {
      if index > 0 { whole += Sentence(words: separator) }
      whole += sentence
    }
    return whole
  }
}
