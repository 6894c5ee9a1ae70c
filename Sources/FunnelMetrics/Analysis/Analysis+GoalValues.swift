package import FlowDefinition
internal import ReportText

extension Analysis {
  /// A goal's values over everybody, the commonest first; equals in the order of their bytes.
  package func values(of goal: Goal) -> [MetricRow] {
    guard goal.by != nil else { return [] }
    let beginning = goal.id + ":"
    // By their places: there are many rows, and a copy of each is dear.
    return rows.indices.filter {
      rows[$0].metric == .goalRate && rows[$0].slice == .all && rows[$0].step.hasPrefix(beginning)
    }.sorted { left, right in
      let counts = [left, right].map { rows[$0].numerator ?? 0 }
      return counts[0] != counts[1] ? counts[0] > counts[1] : left < right
    }.map { rows[$0] }
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
