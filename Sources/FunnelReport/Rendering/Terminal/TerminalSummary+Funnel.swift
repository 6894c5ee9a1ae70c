internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

extension TerminalSummary {
  /// At most so many tables; the rest is in `steps.csv`.
  private static let maximumTables = 8

  /// One table for each variant: how many reached each step, and how many left there.
  mutating func addFunnels() {
    let slices = analysis.funnelSlices
    page.heading("FUNNEL", note: "people who reach the step, of all who should see it · drop-off")
    for (index, slice) in slices.prefix(TerminalSummary.maximumTables).enumerated() {
      if index > 0 { page.line() }
      addFunnel(slice)
    }
    let more = slices.count - TerminalSummary.maximumTables
    if more > 0 { page.paragraph("… and \(more) more variants in steps.csv.") }
  }

  private var hasSkippers: Bool { analysis.endsBySkipping }
  private var barColumns: Int { page.width - 40 - (hasSkippers ? 28 : 14) }

  private mutating func addFunnel(_ slice: Slice) {
    let layout = analysis.slices.layout
    let persons = analysis.slices.count(slice, layout[.persons])
    let title = TextWidth.fit(
      "\(label(slice)) · \(ReportWords.people(persons))", page.width - 32)
    let columns =
      (hasSkippers ? TextWidth.right("skipped here", 14) : "") + TextWidth.right("dropped off", 14)
    page.line(
      "  " + page.paint(TextWidth.left(title, page.width - 2 - columns.count), .bold)
        + page.paint(columns, .dim))
    let places = StepPlaces(slice, flow)
    for step in places.order {
      let listed = analysis.slices.count(slice, layout[.listed, step])
      // What no table shows is of no interest here.
      if places.position(step) == nil, listed == 0, !isShownToSome(step) { continue }
      addStep(step, places.position(step), in: slice, isAbsent: listed == 0 && persons > 0)
    }
    let entry = analysis.row(.stepDropOff, step: "(entry)", in: slice)
    if (entry?.numerator ?? 0) > 0 { addEntry(slice) }
  }

  private func isShownToSome(_ step: Int) -> Bool {
    let listed = analysis.slices.layout[.listed, step]
    return comparedSlices.contains { analysis.slices.count($0, listed) > 0 }
  }

  private mutating func addStep(_ step: Int, _ position: Int?, in slice: Slice, isAbsent: Bool) {
    let declared = flow.steps[step]
    let mark = declared.branchOf != nil ? "└ " : declared.isOptional ? "○ " : ""
    let name = TextWidth.left(mark + SafeText.name(declared.title, limit: 60), 24)
    let place = TextWidth.right(position.map(String.init) ?? "", 3)
    if isAbsent {
      page.line("  \(place) " + page.paint("\(name) –  not shown here", .dim))
      return
    }
    let reach = analysis.row(.stepReach, step: declared.id, in: slice)
    page.line(
      "  \(place) \(name) \(page.bar(reach?.value, columns: barColumns)) "
        + TextWidth.whole(TerminalPage.rate(reach?.value), 8) + leavers(declared.id, slice))
  }

  private mutating func addEntry(_ slice: Slice) {
    let name = TextWidth.left("(left before a step)", 24)
    let blank = String(repeating: " ", count: barColumns + 9)
    page.line("      \(name) \(blank)\(leavers("(entry)", slice))")
  }

  private func leavers(_ step: String, _ slice: Slice) -> String {
    func cell(_ metric: MetricName, _ color: TerminalPage.Paint) -> String {
      let row = analysis.row(metric, step: step, in: slice)
      let count = row?.numerator ?? 0
      let text = NumberText.grouped(count) + " " + TextWidth.whole(TerminalPage.rate(row?.value), 7)
      return page.paint(TextWidth.right(text, 14), count > 0 ? color : .dim)
    }
    return (hasSkippers ? cell(.stepLeftSkipping, .yellow) : "") + cell(.stepAbandoned, .red)
  }
}
