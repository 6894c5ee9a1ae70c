package import FlowDefinition
internal import ReportText

extension RetentionMeasure {
  /// The measure that says most: day 7 if anybody is mature for it, else the longest single day
  /// that somebody is mature for, else the first measure that has anybody.
  package static func telling(_ analysis: Analysis) -> RetentionMeasure? {
    let known = analysis.flow.retention.filter {
      (analysis.row(.retention($0))?.denominator ?? 0) > 0
    }
    let days = known.filter { measure in
      if case .day = measure.window { return measure.pattern == nil && measure.anchor == .entry }
      return false
    }
    return days.first { $0.window == .day(7) }
      ?? days.max { $0.window.days.start < $1.window.days.start } ?? known.first
  }

  /// `day 7 retention`
  package var words: String {
    let window =
      switch self.window {
      case .day(let day): "day \(day)"
      case .bracket(let first, let last): "day \(first) to \(last)"
      case .onOrAfter(let first, let until): "from day \(first) to \(until - 1)"
      }
    let names = [ownName, pattern?.event].compactMap { $0.map { PlainName.of($0) } }
    return window + " retention" + (names.isEmpty ? "" : " (\(names.joined(separator: ", ")))")
  }
}
