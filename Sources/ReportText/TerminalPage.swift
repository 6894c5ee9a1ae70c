/// Lines for a terminal, laid out to a width; knows paint, bars and wrapping, and no metric.
package struct TerminalPage {
  package enum Paint: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
  }

  package let style: TerminalStyle
  package private(set) var lines: [String] = []
  package var width: Int { max(80, style.width) }

  package init(style: TerminalStyle) { self.style = style }

  package var text: String { lines.joined(separator: "\n") + "\n" }

  /// The text in a colour, or as it is.
  package func paint(_ text: String, _ paint: Paint?) -> String {
    guard style.color, let paint, !text.isEmpty else { return text }
    return "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m"
  }

  /// A line that is already laid out; blanks at its end go.
  package mutating func line(_ text: String = "") {
    var text = text
    while text.last == " " { text.removeLast() }
    lines.append(text)
  }

  package mutating func heading(_ text: String, note: String = "") {
    line()
    let fitting = TextWidth.fit(note, max(0, width - TextWidth.of(text) - 3))
    line(paint(text, .bold) + (fitting.isEmpty ? "" : "  " + paint(fitting, .dim)))
  }

  /// A text wrapped at words, its first line after `lead`, the others as far to the right.
  package mutating func paragraph(
    _ text: String, lead: String = "  ", leadPaint: Paint? = nil, paint color: Paint? = nil
  ) {
    let indent = TextWidth.of(lead)
    var rows: [String] = []
    var row = ""
    for word in TerminalPage.words(text) {
      var word = word
      while true {
        let room = width - indent - (row.isEmpty ? 0 : TextWidth.of(row) + 1)
        if TextWidth.of(word) <= room {
          row += (row.isEmpty ? "" : " ") + word
          break
        }
        if !row.isEmpty {
          rows.append(row)
          row = ""
          continue
        }
        // A word longer than the line is broken where the line ends.
        var head = ""
        while let first = word.first, TextWidth.of(head) + TextWidth.of(first) <= room {
          head.append(first)
          word.removeFirst()
        }
        rows.append(head)
      }
    }
    if !row.isEmpty { rows.append(row) }
    for (index, row) in rows.enumerated() {
      let before =
        index == 0 ? paint(lead, leadPaint) : String(repeating: " ", count: indent)
      line(before + paint(row, color))
    }
  }

  /// Words that stay on one line: a number with its per cent sign, both sides of `=`.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    for word in text.split(separator: " ") {
      if let last = words.last,
        ["%", "=", "<"].contains(word.first) || last.hasSuffix(" =") || last.hasSuffix(" <")
      {
        words[words.count - 1] = last + " " + word
      } else {
        words.append(String(word))
      }
    }
    return words
  }

  /// A bar of blocks, in eighths of a column; something above nothing always shows.
  package func bar(_ share: Double?, columns: Int, _ color: Paint? = .cyan) -> String {
    guard columns > 0 else { return "" }
    guard let share, share.isFinite else { return String(repeating: " ", count: columns) }
    let eighths = max(
      share > 0 ? 1 : 0, Int((min(1, max(0, share)) * Double(columns * 8)).rounded()))
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    let blocks = String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
    let rest = String(repeating: " ", count: columns - blocks.count)
    return paint(blocks, color) + rest
  }

  /// A rate in a column of numbers: `84.1 %`, `0.0 %`, `0.03 %`.
  package static func rate(_ value: Double?) -> String {
    value.map { RateText.column($0) + " %" } ?? "–"
  }

  /// A difference of rates in a column of points: `+3.4`, `−0.1`, `0.0`.
  package static func points(_ difference: Double) -> String {
    let text = RateText.signedNumber(difference)
    return text == "0" ? "0.0" : text
  }
}
