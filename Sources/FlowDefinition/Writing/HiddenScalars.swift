/// Scalars that a terminal, an editor or a browser acts on instead of showing them: controls, what
/// turns the direction of the text around it, and what can't be seen.
package enum HiddenScalars {
  package static func contains(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029: true
    // Marks, embeddings, overrides and isolates of direction; the byte-order mark.
    case 0x061C, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF: true
    case 0xFFF9...0xFFFB, 0xE0000...0xE0001: true
    default: false
    }
  }

  /// The text with each of them as `\u{202E}`, for messages: what was found must be seen.
  ///
  /// - Parameter keepsLines: whether line feeds stay.
  package static func escaped(_ text: String, keepsLines: Bool = false) -> String {
    guard text.unicodeScalars.contains(where: contains) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      if contains(scalar) && !(keepsLines && scalar == "\n") {
        shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}
