internal import FlowDefinition
internal import FunnelMetrics
internal import ReportText

/// `goals.csv`: goals and their values, friction, and custom funnels.
struct GoalsTable {
  private let analysis: Analysis

  init(_ analysis: Analysis) { self.analysis = analysis }

  func table() -> CSVTable {
    var table = CSVTable(
      Slice.datedColumns + [
        "kind", "id", "value", "within", "persons_with", "of", "rate", "ci_low", "ci_high",
      ])
    for row in analysis.rowsForReaders {
      guard let (kind, id, value, within) = parts(row) else { continue }
      table.add(
        row.slice.datedCells + [.text(kind), .text(id), .text(value), .text(within)]
          + MetricRow.rateCells(row))
    }
    return table
  }

  private func parts(
    _ row: MetricRow
  ) -> (kind: String, id: String, value: String, within: String)? {
    let flow = analysis.flow
    switch row.metric {
    case .goalRate:
      let goal =
        flow.goals.first { $0.id == row.step }
        ?? flow.goals.first { row.step.hasPrefix($0.id + ":") }
      guard let goal else { return nil }
      let within = DurationText.format(goal.withinMilliseconds)
      if goal.id == row.step { return ("goal", goal.id, "all", within) }
      return ("goal_value", goal.id, String(row.step.dropFirst(goal.id.count + 1)), within)
    case .goalRateOverall:
      guard let goal = flow.goals.first(where: { $0.id == row.step }) else { return nil }
      return ("goal_overall", goal.id, "all", DurationText.format(goal.withinMilliseconds))
    case .frictionRate:
      return ("friction", row.step, "all", "attempt")
    case .funnelStep:
      guard let funnel = flow.funnels.first(where: { row.step.hasPrefix($0.id + ":") }) else {
        return nil
      }
      return (
        "funnel_step", funnel.id, String(row.step.dropFirst(funnel.id.count + 1)),
        DurationText.format(funnel.windowMilliseconds)
      )
    default: return nil
    }
  }
}
