package import FunnelMetrics

/// How far the data of a report can be trusted: the worst of what the report itself knows decides,
/// by the conditions of definitions 16.
package struct ReportGrade {
  package struct Reason {
    var letter: DataGrade
    package var text: String
  }

  package let letter: DataGrade
  /// What kept it from an A, the worst first.
  package let reasons: [Reason]

  package var verdict: String { letter.meaning }

  package init(_ report: Report) {
    let faults = DataChecks(report).all.compactMap { check in
      check.grade.flatMap { $0 > .a ? Reason(letter: $0, text: check.sentence) : nil }
    }
    reasons = faults.enumerated().sorted { left, right in
      left.element.letter != right.element.letter
        ? left.element.letter > right.element.letter : left.offset < right.offset
    }.map(\.element)
    letter = reasons.first?.letter ?? .a
  }
}
