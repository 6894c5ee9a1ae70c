/// Sentences cut down to a size, without losing who or where: first the statistics go, then
/// sentences from the end.
package struct ShortText {
  private let whole: String
  /// What stays, whatever goes: whom a step loses most of, or that people weren't randomised.
  private let kept: String

  /// - Parameter kept: what is put in the place of the sentences that were cut.
  package init(_ whole: String, kept: String = "") {
    self.whole = whole
    self.kept = kept
  }

  /// The longest of its forms that fits; the shortest one if none does.
  package func fitting(_ fits: (String) -> Bool) -> String {
    let bare = Self.withoutStatistics(whole)
    for form in [whole, Self.withoutIntervals(whole), bare] where fits(form) { return form }
    let sentences = Self.sentences(bare)
    for count in stride(from: sentences.count - 1, to: 1, by: -1) {
      let form = keeping(sentences.prefix(count).joined(separator: " "))
      if fits(form) { return form }
    }
    return keeping(sentences.first ?? bare)
  }

  /// With what stays, unless it is there at its full length.
  private func keeping(_ text: String) -> String {
    let begin = kept.prefix(12).lowercased()
    return kept.isEmpty || text.lowercased().contains(begin) ? text : "\(text) \(kept)"
  }

  /// Without `; 95 % CI 16–24 %` and `, 95 % CI 16–24 %`.
  static func withoutIntervals(_ text: String) -> String {
    var rest = Substring(text)
    var kept = ""
    while let mark = rest.firstRange(of: " % CI ") {
      let before = rest[..<mark.lowerBound]
      // The level's number, and what divides it from the words before.
      let number = before.lastIndex { !$0.isNumber && $0 != "." }
      guard let number, before[number] == " ", number > before.startIndex else {
        kept += rest[..<mark.upperBound]
        rest = rest[mark.upperBound...]
        continue
      }
      let comma = before.index(before: number)
      guard before[comma] == ";" || before[comma] == "," else {
        kept += rest[..<mark.upperBound]
        rest = rest[mark.upperBound...]
        continue
      }
      kept += rest[..<comma]
      rest = rest[mark.upperBound...]
      rest = rest[Self.endOfInterval(rest)...]
    }
    return kept + rest
  }

  /// Behind `16–24 %` or `−1.3 to +2.0`: what may stand in the bounds of an interval.
  private static func endOfInterval(_ text: Substring) -> Substring.Index {
    var end = text.startIndex
    while end < text.endIndex {
      let character = text[end]
      let rest = text[end...]
      if character.isNumber || "–−+%".contains(character) {
        end = text.index(after: end)
      } else if rest.hasPrefix(" to ") {
        end = text.index(end, offsetBy: 4)
      } else if rest.hasPrefix(" %") {
        end = text.index(end, offsetBy: 2)
      } else if character == ".", text.index(after: end) < text.endIndex,
        text[text.index(after: end)].isNumber
      {
        end = text.index(after: end)
      } else {
        break
      }
    }
    return end
  }

  /// Also without brackets that hold nothing but counts and statistics. Those of names stay:
  /// `Profile (2/3)`.
  static func withoutStatistics(_ text: String) -> String {
    var rest = Substring(text)
    var kept = ""
    while let close = rest.firstIndex(of: ")") {
      // The one that it closes: that of a name which was cut has no end.
      guard let open = rest[..<close].lastIndex(of: "(") else {
        kept += rest[...close]
        rest = rest[rest.index(after: close)...]
        continue
      }
      kept += rest[..<open]
      if isStatistic(rest[rest.index(after: open)..<close], behind: kept) {
        while kept.hasSuffix(" ") { kept.removeLast() }
      } else {
        kept += rest[open...close]
      }
      rest = rest[rest.index(after: close)...]
    }
    return withoutIntervals(kept + rest)
  }

  /// Whether a bracket holds counts and statistics: it has what only these have, or stands directly
  /// behind a rate, as in `57.6 % (227 of 394)`.
  private static func isStatistic(_ inner: Substring, behind text: String) -> Bool {
    guard let first = inner.first, first.isNumber || "−+".contains(first) else { return false }
    if inner.contains(" CI ") || inner.contains("p =") { return true }
    guard inner.contains("/") || inner.contains(" of ") else { return false }
    return inner.contains(" %, ") || text.hasSuffix(" % ")
  }

  /// Sentences end with a full stop before a blank and a capital letter or a number.
  static func sentences(_ text: String) -> [String] {
    var sentences: [String] = []
    for piece in text.split(separator: ". ", omittingEmptySubsequences: true) {
      let piece = String(piece)
      if let last = sentences.last, let first = piece.first, !first.isUppercase, !first.isNumber {
        sentences[sentences.count - 1] = "\(last) \(piece)."
      } else {
        sentences.append("\(piece).")
      }
    }
    if let last = sentences.last, last.hasSuffix("..") || last.hasSuffix("?.") {
      sentences[sentences.count - 1] = String(last.dropLast())
    }
    return sentences
  }
}
