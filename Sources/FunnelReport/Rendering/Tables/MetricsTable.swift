internal import FlowDefinition
internal import FunnelMetrics
internal import ReportText

/// `metrics.csv`: the recorded numbers, one a row, in the order of the analysis.
struct MetricsTable {
  static let columns = [
    "flow", "version", "experiment", "variant", "cohort", "breakdown", "metric", "step",
    "numerator", "denominator", "value", "ci_low", "ci_high", "unit",
  ]
  let analysis: Analysis

  init(_ analysis: Analysis) { self.analysis = analysis }

  func table() -> CSVTable {
    var table = CSVTable(MetricsTable.columns)
    table.reserve(rows: analysis.recorded.count)
    var slice = Slice.all
    var beginning = CSVTable.Beginning([.text(analysis.flow.id)] + slice.cells)
    for row in analysis.recordedRows {
      if row.slice != slice {
        slice = row.slice
        beginning = CSVTable.Beginning([.text(analysis.flow.id)] + slice.cells)
      }
      let digits = row.significantDigits
      table.add(
        beginning,
        [
          .text(row.metric.rawValue), .text(row.step), .count(row.numerator),
          .count(row.denominator),
          .number(row.value, digits: digits), .number(row.low, digits: digits),
          .number(row.high, digits: digits), .text(row.unit.rawValue),
        ])
    }
    return table
  }
}

extension Slice {
  static let columns = ["version", "experiment", "variant", "cohort", "breakdown"]

  /// The first columns of every table for spreadsheets: a cohort with its first and last date.
  static let datedColumns = [
    "version", "experiment", "variant", "cohort", "cohort_from", "cohort_to", "breakdown",
  ]

  var datedCells: [CSVTable.Cell] {
    let dates = CohortDates(cohort)
    return [
      .text(version), .text(experiment), .text(variant), .text(cohort),
      .text(dates?.firstText ?? ""), .text(dates?.lastText ?? ""), .text(breakdownText),
    ]
  }

  /// The first columns of `metrics.csv`, which name a row for programs.
  var cells: [CSVTable.Cell] {
    [.text(version), .text(experiment), .text(variant), .text(cohort), .text(breakdownText)]
  }
}

extension MetricRow {
  /// Numerator, denominator, rate and interval; where there is no row, all are empty.
  static func rateCells(_ row: MetricRow?) -> [CSVTable.Cell] {
    [.count(row?.numerator), .count(row?.denominator)] + intervalCells(row)
  }

  static func intervalCells(_ row: MetricRow?) -> [CSVTable.Cell] {
    let digits = row?.significantDigits ?? 6
    return [
      .number(row?.value, digits: digits), .number(row?.low, digits: digits),
      .number(row?.high, digits: digits),
    ]
  }
}
