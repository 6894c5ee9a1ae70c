internal import ReportText

/// A median against the time that the design expects. It is no target of the flow file's `targets`,
/// whose verdicts are *met* and *missed*, and so has words of its own.
///
/// A median has no interval here, so it is taken as it is.
package struct TimeVerdict {
  private let milliseconds: Double
  private let expected: ClosedRange<Int64>

  package init(_ seconds: Double, _ expected: ClosedRange<Int64>) {
    milliseconds = seconds * 1000
    self.expected = expected
  }

  package var glyph: String { words == "as expected" ? "✓" : "✕" }

  /// `as expected`, `longer than expected`
  package var words: String {
    milliseconds > Double(expected.upperBound)
      ? "longer than expected"
      : milliseconds < Double(expected.lowerBound) ? "shorter than expected" : "as expected"
  }
}
