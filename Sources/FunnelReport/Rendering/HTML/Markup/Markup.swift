internal import FlowDefinition

/// Text that is markup already. It is only made by ``MarkupWriter``, which escapes what it is
/// given, and by filled templates, so a name from an event can't become markup on its way to the
/// page.
struct Markup: Sendable {
  let text: String

  /// Escapes plain text.
  init(escaping raw: String) { text = Markup.escaped(raw) }

  init(_ writer: MarkupWriter) { text = writer.markup }

  /// A template filled with markup, or the program's own style sheet.
  init(trusted text: String) { self.text = text }

  /// By scalars, not characters: `<` followed by a combining mark is one character, but a browser
  /// still sees the `<`. What would hide in a name is left out, but for the page's own word joiner.
  static func escaped(_ raw: String) -> String {
    let special = raw.utf8.contains {
      $0 == 0x26 || $0 == 0x3C || $0 == 0x3E || $0 == 0x22 || $0 == 0x27 || $0 < 0x20
        // DEL, and the bytes that scalars begin with of which some hide.
        || $0 == 0x7F || $0 == 0xC2 || $0 == 0xD8 || $0 == 0xE2 || $0 == 0xEF || $0 == 0xF3
    }
    guard special else { return raw }
    var result = String.UnicodeScalarView()
    for scalar in raw.unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
      case "'": result.append(contentsOf: "&#39;".unicodeScalars)
      default:
        // What HTML does not allow in text at all.
        if scalar.value < 0x20 || scalar.value == 0x7F {
          result.append(" ")
        } else if scalar == "\u{2060}" || !HiddenScalars.contains(scalar) {
          result.append(scalar)
        }
      }
    }
    return String(result)
  }
}
