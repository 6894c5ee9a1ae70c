internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

/// `overview.csv`: a row for everyone, each version and each variant, with the numbers that are
/// asked for first.
struct OverviewTable {
  private let report: Report
  private var analysis: Analysis { report.analysis }
  private var flow: Flow { analysis.flow }

  init(_ report: Report) { self.report = report }

  private static let rates: [MetricName] = [
    .completionRate, .skipRate, .abandonRate, .usedSkipRate,
  ]

  func table() -> CSVTable {
    var table = CSVTable(columns)
    for slice in analysis.slices.uncut { table.add(cells(slice)) }
    return table
  }

  private var columns: [String] {
    var names = ["flow", "version", "experiment", "variant", "is_control"]
    names += ["started_from", "started_to", "entered", "too_recent", "people", "finished"]
    for rate in OverviewTable.rates {
      names += [rate.rawValue, "\(rate)_ci_low", "\(rate)_ci_high"]
    }
    names += ["median_seconds_to_finish", "p90_seconds_to_finish"]
    for measure in flow.retention {
      let rate = MetricName.retention(measure)
      names += [rate.rawValue, "\(rate)_of"]
    }
    names += flow.permissions.map { "opt_in_\($0)" }
    let difference = "completion_difference"
    return names + [difference, "\(difference)_ci_low", "\(difference)_ci_high"]
      + ["completion_verdict"]
  }

  private func cells(_ slice: Slice) -> [CSVTable.Cell] {
    func count(_ metric: MetricName) -> CSVTable.Cell {
      .count(analysis.row(metric, in: slice)?.numerator)
    }
    func value(_ metric: MetricName, step: String = "all") -> CSVTable.Cell {
      .number(analysis.row(metric, step: step, in: slice)?.value)
    }
    let days = report.startDays(of: slice)
    func date(_ day: Int?) -> CSVTable.Cell {
      .text(day.map { CivilCalendar.label(ofDay: $0, unit: .day) } ?? "")
    }
    var cells: [CSVTable.Cell] = [
      .text(flow.id), .text(slice.version), .text(slice.experiment), .text(slice.variant),
      .text(isControl(slice) ? "yes" : ""), date(days?.lowerBound), date(days?.upperBound),
      count(.entered), count(.immature), count(.persons),
      // With a skip before or without, as the completion rate counts them.
      count(.completionRate),
    ]
    for rate in OverviewTable.rates {
      cells += MetricRow.intervalCells(analysis.row(rate, in: slice))
    }
    cells += [value(.timeToComplete.percentile(50)), value(.timeToComplete.percentile(90))]
    for measure in flow.retention {
      let row = analysis.row(.retention(measure), in: slice)
      cells += [.number(row?.value), .count(row?.denominator)]
    }
    cells += flow.permissions.map { value(.permissionOptIn, step: $0) }
    return cells + comparison(slice)
  }

  private func isControl(_ slice: Slice) -> Bool {
    flow.experiments.contains { $0.id == slice.experiment && $0.controlID == slice.variant }
  }

  /// Against the control, in rate points at the level that decides.
  private func comparison(_ slice: Slice) -> [CSVTable.Cell] {
    let found = analysis.experiments.first { $0.id == slice.experiment }?.comparisons.first {
      $0.variant == slice.variant && $0.metric == .completionRate
    }
    let difference = analysis.row(.completionRate.compared(by: .difference), in: slice)
    return MetricRow.intervalCells(difference)
      + [.text(found.map { VerdictText($0).word } ?? "")]
  }
}
