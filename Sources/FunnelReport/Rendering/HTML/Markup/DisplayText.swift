internal import ReportText

/// Numbers as the page writes them: `12 400`, `84.1 %`, `+1.3`, with spaces that don't break.
enum DisplayText {
  /// An amount of money or of whatever a goal's values are in, with two digits behind the point.
  static func amount(_ value: Double) -> String {
    RateText.amount(value)
  }

  static func count(_ count: Int) -> String { thin(NumberText.grouped(count)) }

  static func percent(_ rate: Double) -> String { solid(RateText.percent(rate)) }

  /// A rate as a percentage without its sign: `84.1`.
  static func percentNumber(_ rate: Double) -> String {
    String(RateText.percent(rate).dropLast(2))
  }

  static func signed(_ rate: Double) -> String { RateText.signedNumber(rate) }

  static func duration(_ seconds: Double) -> String { solid(RateText.duration(seconds)) }

  static func signedDuration(_ seconds: Double) -> String {
    solid(RateText.signedDuration(seconds))
  }

  /// A probability or p-value: `0.031`, `< 0.0001`.
  static func probability(_ value: Double) -> String {
    if value < 0.0001 { return "<\u{A0}0.0001" }
    if value >= 0.9995 { return ">\u{A0}0.999" }
    return NumberText.fixed(value, decimals: value < 0.01 ? 4 : 3) ?? "–"
  }

  /// Sentences made for all renderings, with the page's own spaces: a comma between thousands
  /// becomes a thin space, a number stays with its unit, and a range is not broken.
  static func sentence(_ text: String) -> String { spaced(Array(text)).joined() }

  /// What stands for each character of such a sentence.
  static func spaced(_ characters: [Character]) -> [String] {
    characters.enumerated().map { index, character in
      let before = index > 0 ? characters[index - 1] : " "
      let rest = characters[(index + 1)...]
      if character == ",", before.isNumber, isThousand(rest) { return "\u{202F}" }
      if character == " ", before.isNumber, beginsWithUnit(rest) { return "\u{A0}" }
      if character == "–", before.isNumber, rest.first?.isNumber == true { return "–\u{2060}" }
      return String(character)
    }
  }

  private static func beginsWithUnit(_ rest: ArraySlice<Character>) -> Bool {
    ["%", "s", "min", "h", "d"].contains { unit in
      guard rest.starts(with: unit) else { return false }
      guard let next = rest.dropFirst(unit.count).first else { return true }
      return !next.isLetter && !next.isNumber
    }
  }

  private static func isThousand(_ rest: ArraySlice<Character>) -> Bool {
    rest.count >= 3 && rest.prefix(3).allSatisfy(\.isNumber)
      && !(rest.dropFirst(3).first?.isNumber ?? false)
  }

  private static func thin(_ text: String) -> String {
    String(text.map { $0 == "," ? "\u{202F}" : $0 })
  }

  private static func solid(_ text: String) -> String {
    String(text.map { $0 == " " ? "\u{A0}" : $0 })
  }
}
