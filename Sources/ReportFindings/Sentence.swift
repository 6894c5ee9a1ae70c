internal import ReportText
package import FunnelMetrics

/// Words with numbers between them, each number with the row that it is from.
///
/// Terminals and Markdown take the text; the page marks the numbers, so that programs can hold
/// them against `metrics.json`. Numbers that no row has (sums, shares of sums, bounds) are words.
package struct Sentence: Sendable, Hashable {
  package enum Part: Sendable, Hashable {
    case words(String)
    case number(String, Datum, Datum.Field)
    /// A count of the `quality` object of `metrics.json`, by its key.
    case quality(Int, String)

    package var text: String {
      switch self {
      case .words(let text): text
      case .number(let text, _, _): text
      case .quality(let count, _): NumberText.grouped(count)
      }
    }
  }

  package private(set) var parts: [Part]

  /// Words that stand beside one another become one part.
  package init(_ parts: [Part]) {
    self.parts = []
    for part in parts {
      if case .words(let more) = part, case .words(let before) = self.parts.last {
        self.parts[self.parts.count - 1] = .words(before + more)
      } else if part.text != "" {
        self.parts.append(part)
      }
    }
  }

  package init(words: String) { parts = [.words(words)] }

  /// A number as it is written, of a row if there is one.
  package init(_ text: String, _ datum: Datum?, _ field: Datum.Field) {
    parts = [datum.map { .number(text, $0, field) } ?? .words(text)]
  }

  /// A count of the `quality` object of `metrics.json`.
  package init(quality count: Int, _ key: String) { parts = [.quality(count, key)] }

  package var text: String { parts.map(\.text).joined() }

  /// This sentence with a capital first letter.
  package var capitalizedFirst: Sentence {
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
  package var description: String { text }
}

extension Sentence: ExpressibleByStringInterpolation {
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      parts.reserveCapacity(2 * interpolationCount + 1)
    }

    package mutating func appendLiteral(_ literal: String) { parts.append(.words(literal)) }

    package mutating func appendInterpolation(_ words: some StringProtocol) {
      parts.append(.words(String(words)))
    }

    package mutating func appendInterpolation(_ sentence: Sentence) { parts += sentence.parts }
  }

  package init(stringLiteral text: String) { parts = [.words(text)] }

  package init(stringInterpolation: StringInterpolation) { self.init(stringInterpolation.parts) }
}

extension Array<Sentence> {
  package func joined(separator: String) -> Sentence {
    var whole = Sentence([])
    for (index, sentence) in enumerated() {
      if index > 0 { whole += Sentence(words: separator) }
      whole += sentence
    }
    return whole
  }
}
