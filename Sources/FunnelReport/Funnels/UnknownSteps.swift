internal import FunnelEngine
internal import ReportText

/// What a question about events can't know, in words and cells (definitions 15).
struct UnknownSteps {
  /// Of the question's steps, those whose numbers are unknown.
  let steps: Range<Int>
  /// Why, a sentence for each event that is missing.
  let reasons: [String]

  /// `nil` where all is known.
  init?(_ unknown: (steps: Range<Int>, missing: [UnseenName])?) {
    guard let unknown else { return nil }
    steps = unknown.steps
    reasons = unknown.missing.map { UnseenSentence.of($0, candidates: $0.seen) }
  }

  /// For the terminal, a line each.
  func lines(_ subject: String) -> [String] { reasons.map { "\(subject) unknown: \($0)" } }

  /// For a cell of a table.
  var note: String { reasons.joined(separator: "; ") }
}
