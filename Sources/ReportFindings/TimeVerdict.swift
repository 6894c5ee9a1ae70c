/// A median against the time that the design expects: a glyph and a word, as for other targets.
///
/// A median has no interval here, so it is taken as it is.
package struct TimeVerdict {
  let isMet: Bool

  package init(_ seconds: Double, _ expected: ClosedRange<Int64>) {
    let milliseconds = seconds * 1000
    isMet =
      milliseconds >= Double(expected.lowerBound) && milliseconds <= Double(expected.upperBound)
  }

  package var glyph: String { isMet ? "✓" : "✕" }

  /// `✓ Met`
  package var words: String { isMet ? "✓ met" : "✕ missed" }
}
