internal import ReportText
internal import ReportFindings

/// A sentence as the page writes it: made fit for screens, with spaces that don't break between a
/// number and its unit, wherever the two meet.
struct DisplaySentence {
  /// Words are parts without a mark.
  let parts: [Shown]

  init(_ sentence: Sentence) {
    let texts = sentence.parts.map { part -> [Character] in
      switch part {
      case .words(let words): Array(SafeText.name(words, limit: 2000))
      case .number, .quality: Array(part.text)
      }
    }
    var spaced = DisplayText.spaced(texts.flatMap { $0 })[...]
    parts = zip(sentence.parts, texts).map { part, text in
      let shown = spaced.prefix(text.count).joined()
      spaced = spaced.dropFirst(text.count)
      switch part {
      case .words: return Shown(shown)
      case .number(_, let datum, let field): return Shown(shown, DataMark(datum, field))
      case .quality(let count, let key): return Shown(shown, DataMark(quality: count, key))
      }
    }
  }
}
