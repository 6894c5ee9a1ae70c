internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelMetrics
internal import ReportText

/// `changes.csv`: each rate beside that of the earlier numbers; no rows where there are none.
struct ChangesTable {
  private let earlier: EarlierNumbers?

  init(_ earlier: EarlierNumbers?) { self.earlier = earlier }

  func table() -> CSVTable {
    var table = CSVTable([
      "metric", "step", "before_numerator", "before_denominator", "before", "numerator",
      "denominator", "value", "difference", "ci_low", "ci_high", "p", "p_adjusted", "changed",
      "same_definition",
    ])
    guard let comparison = earlier?.comparison else { return table }
    for change in comparison.changes {
      let difference = change.isLike ? change.difference.value : nil
      table.add(
        [.text(change.metric.rawValue), .text(change.step)]
          + [change.before, change.after].flatMap { side -> [CSVTable.Cell] in
            [.count(side.successes), .count(side.trials), .number(side.estimate)]
          } + [
            .number(difference?.estimate), .number(difference?.interval.lower),
            .number(difference?.interval.upper), .number(change.isLike ? change.p : nil),
            .number(change.pAdjusted),
            .count(change.pAdjusted == nil ? nil : comparison.isShown(change) ? 1 : 0),
            .count(change.isLike ? 1 : 0),
          ])
    }
    return table
  }
}
