/// The order of an app's releases by their names: `1.9` comes before `1.10`, `2.0-beta` before
/// `2.0`.
enum ReleaseOrder {
  private enum Part: Equatable {
    /// Digits without leading zeros, of any length.
    case number(String)
    case word(String)
  }

  static func precedes(_ left: String, _ right: String) -> Bool {
    let (leftParts, rightParts) = (parts(left), parts(right))
    for (one, other) in zip(leftParts, rightParts) where one != other {
      return precedes(one, other)
    }
    guard leftParts.count != rightParts.count else { return left < right }
    let isLeftShorter = leftParts.count < rightParts.count
    let next =
      isLeftShorter ? rightParts[leftParts.count] : leftParts[rightParts.count]
    // A word behind the numbers names what comes before the release itself.
    if case .word = next { return !isLeftShorter }
    return isLeftShorter
  }

  private static func precedes(_ left: Part, _ right: Part) -> Bool {
    switch (left, right) {
    case (.number(let one), .number(let other)):
      one.count != other.count ? one.count < other.count : one < other
    case (.word(let one), .word(let other)): one < other
    case (.word, .number): true
    case (.number, .word): false
    }
  }

  private static func parts(_ name: String) -> [Part] {
    var parts: [Part] = []
    var rest = Substring(name)
    while let first = rest.first {
      let isDigit = isDigit(first)
      let run = rest.prefix { isDigit ? self.isDigit($0) : $0.isLetter }
      if run.isEmpty {
        rest.removeFirst()
      } else {
        let digits = String(run.drop { $0 == "0" })
        parts.append(isDigit ? .number(digits) : .word(run.lowercased()))
        rest.removeFirst(run.count)
      }
    }
    return parts
  }

  private static func isDigit(_ character: Character) -> Bool {
    character.isASCII && character.isNumber
  }
}
