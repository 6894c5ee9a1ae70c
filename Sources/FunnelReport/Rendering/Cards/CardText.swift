internal import ReportText

/// How wide text may be in a font that nobody knows yet, and where its lines end.
///
/// An SVG can't wrap text, and is drawn with whatever font the reader has. So each scalar is taken
/// to be as wide as in the widest of the usual fonts (DejaVu Sans and Verdana): lines end early in
/// others, and none runs out of its card.
enum CardText {
  /// In thousandths of the font's size, from the space to the tilde.
  private static let widths: [Double] = [
    352, 401, 460, 838, 636, 1076, 780, 275, 454, 454, 636, 838, 364, 454, 364, 454,
    636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 454, 454, 838, 838, 838, 545,
    1000, 684, 686, 698, 771, 632, 575, 775, 752, 421, 455, 693, 557, 863, 748, 787, 603, 787, 695,
    684, 616, 732, 684, 989, 685, 615, 685, 454, 454, 454, 838, 636, 636,
    613, 635, 550, 635, 615, 352, 635, 634, 278, 344, 592, 278, 974, 634, 612, 635, 635, 427, 521,
    394, 634, 592, 818, 592, 592, 525, 636, 454, 636, 838,
  ]

  /// How wide a text may get, in the unit of `size`.
  static func width(_ text: some StringProtocol, size: Double, isBold: Bool = false) -> Double {
    var sum = 0.0
    for scalar in text.unicodeScalars {
      let em = width(of: scalar)
      sum += isBold && em > 0 ? em * 1.07 + 0.05 : em
    }
    return sum * size
  }

  private static func width(of scalar: Unicode.Scalar) -> Double {
    let value = scalar.value
    if (0x20...0x7E).contains(value) { return widths[Int(value - 0x20)] / 1000 }
    switch value {
    // What joins, varies or stands on top of another.
    case 0x0300...0x036F, 0x200B...0x200F, 0x2060, 0xFE00...0xFE0F: return 0
    case 0xA0, 0x2009, 0x202F: return 0.352
    case 0x2010...0x2013, 0x2018...0x201F, 0xB7: return 0.55
    case 0x2014, 0x2026, 0x2190...0x2193, 0x2212, 0x2248: return 1
    case 0x00A1...0x024F, 0x0370...0x03FF: return 0.85
    case 0x0400...0x052F: return 1.05
    case 0x0590...0x05FF: return 0.75
    default: break
    }
    if isWide(value) { return value >= 0x1F000 && value < 0x20000 ? 1.4 : 1.05 }
    // Letters of most other scripts; such lines state their width to the renderer.
    return 0.75
  }

  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x4DBF, 0x4E00...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE4F, 0xFF00...0xFFEF, 0x1F000...0x1FAFF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }

  /// Whether a line has scripts whose widths nobody can guess (ligatures, clusters, signs as wide
  /// as a word): the card then states how wide the line is.
  static func isUnsure(_ line: String) -> Bool {
    line.unicodeScalars.contains { scalar in
      let value = scalar.value
      let isUsual =
        value < 0x0590 || (0x2000...0x2BFF).contains(value) || isWide(value)
        || (0xFE00...0xFE0F).contains(value) || (0x0590...0x05FF).contains(value)
      return !isUsual
    }
  }

  /// The lines of a text, broken at spaces, and within words that are wider than a line. Where
  /// there are more than `limit` the last one ends in `…`.
  static func lines(
    _ text: String, width limitWidth: Double, size: Double, isBold: Bool = false, limit: Int
  ) -> [String] {
    var lines: [String] = []
    var line = ""
    func fits(_ text: String) -> Bool { width(text, size: size, isBold: isBold) <= limitWidth }
    for word in text.split(separator: " ") {
      let longer = line.isEmpty ? String(word) : "\(line) \(word)"
      if fits(longer) {
        line = longer
        continue
      }
      if !line.isEmpty { lines.append(line) }
      line = ""
      for character in word {
        if !line.isEmpty && !fits(line + String(character)) {
          lines.append(line)
          line = ""
        }
        line.append(character)
      }
    }
    if !line.isEmpty { lines.append(line) }
    guard lines.count > limit, limit > 0 else { return lines }
    let last = fitting(lines[limit - 1] + " …", width: limitWidth, size: size, isBold: isBold)
    return lines.prefix(limit - 1) + [last]
  }

  /// The beginning that is not wider, with `…` where something is missing.
  static func fitting(
    _ text: String, width limit: Double, size: Double, isBold: Bool = false
  ) -> String {
    if width(text, size: size, isBold: isBold) <= limit { return text }
    var kept = text.hasSuffix("…") ? String(text.dropLast()) : text
    while !kept.isEmpty && width(kept + "…", size: size, isBold: isBold) > limit {
      kept.removeLast()
    }
    while kept.last == " " { kept.removeLast() }
    return kept + "…"
  }

  /// Words with what XML doesn't allow left out, and with spaces that don't part a number from its
  /// unit.
  static func shown(_ text: String, limit: Int) -> String {
    let sentence = DisplayText.sentence(SafeText.name(text, limit: limit))
    var scalars = String.UnicodeScalarView()
    for scalar in sentence.unicodeScalars {
      let isNoCharacter =
        scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value)
      if !isNoCharacter && scalar != "\u{2060}" { scalars.append(scalar) }
    }
    return String(scalars)
  }
}
