internal import FlowDefinition
internal import FunnelMetrics

/// The balance of each step of a slice as a table.
struct StepTable {
  let report: HTMLReport
  let slice: Slice
  let balances: [StepBalance]

  var markup: Markup {
    let hasSkip = report.analysis.endsBySkipping
    let hasDenied = !report.flow.permissions.isEmpty
    var columns: [DataTable.Column] = [
      .words("Step"), .number("should see it"), .number("viewed"), .number("went on"),
    ]
    if hasSkip { columns.append(.number("left skipping")) }
    columns.append(.number("abandoned"))
    if hasDenied { columns.append(.number("of these after denying")) }
    columns += [
      .number("passed over"), .number("went back"), .number("declined"), .number("left here"),
    ]
    var rows = [entry(columns.count, hasSkip: hasSkip, hasDenied: hasDenied)]
    for balance in balances where !balance.isAbsent {
      rows.append(row(balance, hasSkip: hasSkip, hasDenied: hasDenied))
    }
    return DataTable(
      caption: "Steps of \(report.analysis.label(slice)): viewed = went on + "
        + (hasSkip ? "left skipping + " : "") + "abandoned", columns: columns, rows: rows
    ).markup
  }

  private func row(
    _ balance: StepBalance, hasSkip: Bool, hasDenied: Bool
  ) -> [DataTable.Cell] {
    let step = report.flow.steps[balance.step]
    func datum(_ metric: MetricName) -> Datum? {
      report.analysis.datum(metric, step: step.id, in: slice)
    }
    var cells: [DataTable.Cell] = [
      .name(step.title), .number(datum(.stepReach)?.total), .number(datum(.stepReach)?.count),
      .number(datum(.stepConversion)?.count),
    ]
    if hasSkip { cells.append(.number(datum(.stepLeftSkipping)?.count)) }
    cells.append(.number(datum(.stepAbandoned)?.count))
    if hasDenied { cells.append(.number(datum(.stepAbandonedAfterDenial)?.count)) }
    return cells + [
      .number(datum(.stepBypassed)?.count), .number(datum(.stepWentBack)?.count),
      .number(datum(.stepDeclined)?.count), .number(datum(.stepDropOff)?.rate),
    ]
  }

  private func entry(
    _ width: Int, hasSkip: Bool, hasDenied: Bool
  ) -> [DataTable.Cell] {
    func datum(_ metric: MetricName) -> Datum? {
      report.analysis.datum(metric, step: "(entry)", in: slice)
    }
    var cells: [DataTable.Cell] = [
      .text("Before the first step"), .number(datum(.stepDropOff)?.total), .text(""), .text(""),
    ]
    if hasSkip { cells.append(.number(datum(.stepLeftSkipping)?.count)) }
    cells.append(.number(datum(.stepAbandoned)?.count))
    if hasDenied { cells.append(.number(datum(.stepAbandonedAfterDenial)?.count)) }
    return cells + [.text(""), .text(""), .text(""), .number(datum(.stepDropOff)?.rate)]
  }
}
