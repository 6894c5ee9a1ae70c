package import FlowDefinition
internal import ReportText

extension Analysis {
  /// A goal's values over everybody, the commonest first; equals in the order of their bytes.
  package func values(of goal: Goal) -> [MetricRow] {
    guard goal.by != nil else { return [] }
    return rows.filter {
      $0.slice == .all && $0.metric == .goalRate && $0.step.hasPrefix(goal.id + ":")
    }.enumerated().sorted { left, right in
      let counts = [left, right].map { $0.element.numerator ?? 0 }
      return counts[0] != counts[1] ? counts[0] > counts[1] : left.offset < right.offset
    }.map(\.element)
  }

  /// So many of the commonest values, in words.
  package func valuesInWords(of goal: Goal, first count: Int) -> [(words: String, row: MetricRow)] {
    let rows = values(of: goal).prefix(count)
    return Array(zip(PlainName.of(rows.map { $0.value(of: goal) }), rows)).map {
      (words: $0.0, row: $0.1)
    }
  }
}

extension MetricRow {
  /// Of a row about a goal's value: the value.
  package func value(of goal: Goal) -> String { String(step.dropFirst(goal.id.count + 1)) }
}
