/// How many columns text takes on a terminal: two for ideographs and most emoji, none for marks.
package enum TextWidth {
  package static func of(_ text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + of($1) }
  }

  package static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    // The emoji form of an older character, and regions' flags.
    if scalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
    switch first.value {
    case 0x0300...0x036F, 0x1AB0...0x1AFF, 0x20D0...0x20FF, 0xFE00...0xFE0F: return 0
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x1F000...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default:
      return first.properties.isEmojiPresentation ? 2 : 1
    }
  }

  /// The beginning that fits in so many columns, with `…` where something is missing.
  package static func fit(_ text: String, _ columns: Int) -> String {
    guard of(text) > columns else { return text }
    var result = ""
    var used = 1
    for character in text {
      used += of(character)
      if used > columns { break }
      result.append(character)
    }
    return columns > 0 ? result + "…" : ""
  }

  /// Cut and filled up to exactly so many columns.
  package static func left(_ text: String, _ columns: Int) -> String {
    let fitting = fit(text, columns)
    return fitting + String(repeating: " ", count: max(0, columns - of(fitting)))
  }

  /// As above, aligned to the right.
  package static func right(_ text: String, _ columns: Int) -> String {
    let fitting = fit(text, columns)
    return String(repeating: " ", count: max(0, columns - of(fitting))) + fitting
  }

  /// A number, aligned to the right and never cut: a part of it would be another number.
  package static func whole(_ text: String, _ columns: Int) -> String {
    String(repeating: " ", count: max(0, columns - of(text))) + text
  }
}
