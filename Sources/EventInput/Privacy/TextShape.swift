/// What a text is built like, in any script: as somebody's name, as an address, as a sentence.
struct TextShape: Sendable {
  /// Words of two letters or more.
  let words: Int
  /// Whether most of it is letters, so that it is not a date, a version or a list of numbers.
  let isLetters: Bool
  /// Whether it could be a person's name: a few words, without digits and signs.
  let isLikeName: Bool
  /// Whether it could be a first and a last name: a few words, none with a small first letter.
  let isLikeFullName: Bool
  /// Whether it has a number and the word for a street.
  let isLikeStreet: Bool
  let isLong: Bool
  let hasDigit: Bool

  static let longBytes = 80

  init(_ text: String) {
    var letters = 0
    var others = 0
    var signs = 0
    var digits = 0
    var denseLetters = 0
    // An array: walking through a string costs more than what is done on the way.
    let scalars = Array(text.unicodeScalars.prefix(1000))
    for scalar in scalars {
      if Self.isLetter(scalar) {
        letters += 1
        if Self.isDense(scalar) { denseLetters += 1 }
      } else if ("0"..."9").contains(scalar) {
        digits += 1
      } else if !Self.isSpace(scalar) {
        others += 1
        if !Self.isNameSign(scalar) && !scalar.properties.isDiacritic { signs += 1 }
      }
    }
    let parts = scalars.split(whereSeparator: Self.isSpace)
    // Scripts without spaces have a word in every two or three letters, a name has two words.
    words =
      parts.filter { Self.hasTwoLetters($0) }.count
      + (denseLetters < 2 ? 0 : max(1, denseLetters / 3))
    isLetters = letters * 10 >= (letters + digits + others) * 6
    hasDigit = digits > 0
    isLong = text.utf8.count >= Self.longBytes
    isLikeName =
      digits == 0 && signs == 0 && (letters >= 2 || denseLetters == 1) && letters <= 48
      && parts.count <= 6
    // Scripts without capital letters have none that are small either.
    let capitals = parts.filter { $0.first.map { !Self.isSmall($0) } ?? false }.count
    isLikeFullName =
      isLikeName
      && ((capitals == parts.count && (2...4).contains(capitals))
        || (denseLetters == letters && (2...5).contains(letters)))
    isLikeStreet = digits > 0 && parts.count >= 2 && Self.hasStreetWord(text)
  }

  // Most texts are ASCII, and tables of properties are slow.
  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      ? (UInt8(truncatingIfNeeded: scalar.value) | 32) &- 97 < 26 : scalar.properties.isAlphabetic
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      ? scalar.value == 32 || (9...13).contains(scalar.value) : scalar.properties.isWhitespace
  }

  private static func isSmall(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII ? (97...122).contains(scalar.value) : scalar.properties.isLowercase
  }

  private static func hasTwoLetters(_ word: some Collection<Unicode.Scalar>) -> Bool {
    var letters = 0
    for scalar in word where isLetter(scalar) {
      letters += 1
      if letters == 2 { return true }
    }
    return false
  }

  private static func isNameSign(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "'", "’", ".", "-", ",", "·", "ー": true
    default: false
    }
  }

  private static func isDense(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0E00...0x0E7F, 0x3040...0x30FF, 0x3400...0x9FFF, 0xAC00...0xD7AF: true
    default: false
    }
  }

  private static func hasStreetWord(_ text: String) -> Bool {
    let words = PropertyName.words(of: text.lowercased())
    return words.contains { word in
      streetWords.contains(word) || streetEndings.contains { word.hasSuffix($0) && word != $0 }
    }
  }

  private static let streetWords: Set<String> = [
    "street", "st", "avenue", "ave", "road", "rd", "lane", "ln", "drive", "boulevard", "blvd",
    "court", "highway", "parkway", "terrace", "rue", "chemin", "impasse", "calle", "avenida",
    "paseo", "via", "viale", "piazza", "rua", "travessa", "straße", "strasse", "str", "platz",
    "allee", "weg", "gasse", "laan", "straat", "plein", "ulica", "utca", "улица", "ул", "apt",
    "suite",
  ]
  private static let streetEndings = [
    "straße", "strasse", "str", "platz", "allee", "weg", "gasse", "straat", "laan", "gatan",
    "vägen",
  ]
}
