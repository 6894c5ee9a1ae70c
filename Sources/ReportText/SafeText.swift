internal import FlowDefinition

/// Names that came in events, made fit for people's screens: no control characters, no escape
/// codes, nothing that turns the direction of the text around, not longer than a limit.
public enum SafeText {
  /// The longest name in a spreadsheet.
  public static let maximumCharacters = 120

  /// The name on one line: line breaks and tabs become spaces, escape sequences and invisible
  /// controls go, what is over the limit is cut and ends in `…`.
  public static func name(_ raw: String, limit: Int = maximumCharacters) -> String {
    // Nearly every name is short and plain.
    if raw.utf8.count <= limit && raw.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return raw }
    var scalars = String.UnicodeScalarView()
    var iterator = raw.unicodeScalars.makeIterator()
    while let scalar = iterator.next() {
      switch scalar.value {
      case 0x1B: skipSequence(&iterator, &scalars)
      case 0x9B: skipParameters(&iterator)
      case 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029:
        scalars.append(" ")
      default:
        if !HiddenScalars.contains(scalar) { scalars.append(scalar) }
      }
    }
    return cut(String(scalars), to: limit)
  }

  /// The first `limit` characters; where some are missing the last of them is `…`.
  public static func cut(_ text: String, to limit: Int) -> String {
    guard text.count > limit else { return boundedScalars(text, limit) }
    return boundedScalars(String(text.prefix(max(0, limit - 1))), limit) + "…"
  }

  /// One character can be made of thousands of combining marks: at most eight are kept of each.
  private static func boundedScalars(_ text: String, _ limit: Int) -> String {
    guard text.unicodeScalars.count > limit else { return text }
    var result = String.UnicodeScalarView()
    for character in text {
      // Families of emoji are up to 7 scalars, flags of regions as well.
      result.append(contentsOf: character.unicodeScalars.prefix(8))
    }
    return String(result)
  }

  /// After ESC: a control sequence up to its final byte, a string up to its end, or one letter.
  private static func skipSequence(
    _ iterator: inout String.UnicodeScalarView.Iterator,
    _ kept: inout String.UnicodeScalarView
  ) {
    guard let kind = iterator.next() else { return }
    switch kind.value {
    case 0x5B: skipParameters(&iterator)
    case 0x5D, 0x50, 0x58, 0x5E, 0x5F:
      while let scalar = iterator.next() {
        if scalar.value == 0x07 || scalar.value == 0x9C { return }
        if scalar.value == 0x1B {
          _ = iterator.next()
          return
        }
      }
    default:
      if kind.value >= 0x80 { kept.append(kind) }
    }
  }

  private static func skipParameters(_ iterator: inout String.UnicodeScalarView.Iterator) {
    while let scalar = iterator.next() {
      if (0x40...0x7E).contains(scalar.value) { return }
    }
  }
}
