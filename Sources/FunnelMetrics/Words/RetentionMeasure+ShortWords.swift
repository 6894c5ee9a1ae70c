internal import FlowDefinition
internal import ReportText

extension RetentionMeasure {
  /// `day 7`, `day 80–110`, `days 7 to 30`
  package var shortWords: String {
    let window =
      switch self.window {
      case .day(let day): "day \(day)"
      case .bracket(let first, let last): "day \(first)–\(last)"
      case .onOrAfter(let first, let until): "days \(first) to \(until - 1)"
      }
    return window + (pattern == nil ? "" : " *")
  }

  /// With the measure's own name, where there is room for it: `day 7 (inviter)`.
  package var namedShortWords: String {
    shortWords + (ownName.map { " (\(PlainName.of($0)))" } ?? "")
  }
}
