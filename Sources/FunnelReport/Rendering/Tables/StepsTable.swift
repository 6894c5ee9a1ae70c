internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// `steps.csv`: where people of each slice went and where they left, step by step.
struct StepsTable {
  private let analysis: Analysis
  private var layout: CounterLayout { analysis.slices.layout }

  init(_ analysis: Analysis) { self.analysis = analysis }

  func table() -> CSVTable {
    var table = CSVTable(
      Slice.datedColumns + [
        "step", "title", "position", "shown_to", "viewed", "advanced", "left_skipping",
        "abandoned", "of_which_after_denial", "bypassed", "went_back", "declined", "reach",
        "reach_ci_low", "reach_ci_high", "conversion", "conversion_ci_low", "conversion_ci_high",
        "drop_off", "drop_off_ci_low", "drop_off_ci_high",
      ])
    for slice in analysis.recordedSlices(.main) {
      table.add(slice.datedCells + entryCells(slice))
      let places = StepPlaces(slice, analysis.flow)
      for step in places.order where isShown(step, in: slice, places) {
        table.add(slice.datedCells + cells(step, places.position(step), in: slice))
      }
    }
    return table
  }

  /// Listed, or shown to some of the slice's persons all the same.
  private func isShown(_ step: Int, in slice: Slice, _ places: StepPlaces) -> Bool {
    places.position(step) != nil || analysis.slices.count(slice, layout[.listed, step]) > 0
  }

  private func entryCells(_ slice: Slice) -> [CSVTable.Cell] {
    func count(_ counter: CounterLayout.Person) -> CSVTable.Cell {
      .count(analysis.slices.count(slice, layout[counter]))
    }
    let left = analysis.row(.stepDropOff, step: "(entry)", in: slice)
    return [
      .text("(entry)"), .text("Before the first step"), .count(0), count(.persons), .empty, .empty,
      count(.leftAtEntrySkipping), count(.leftAtEntryAbandoned), count(.leftAtEntryAfterDenial),
      .empty, .empty, .empty, .empty, .empty, .empty, .empty, .empty, .empty,
    ] + MetricRow.intervalCells(left)
  }

  private func cells(_ step: Int, _ position: Int?, in slice: Slice) -> [CSVTable.Cell] {
    let declared = analysis.flow.steps[step]
    let counters: [CounterLayout.Step] = [
      .listed, .viewed, .advanced, .leftSkipping, .abandonedHere, .abandonedAfterDenial, .bypassed,
      .wentBack, .declined,
    ]
    return [.text(declared.id), .text(declared.title), .count(position)]
      + counters.map { .count(analysis.slices.count(slice, layout[$0, step])) }
      + [MetricName.stepReach, .stepConversion, .stepDropOff].flatMap {
        MetricRow.intervalCells(analysis.row($0, step: declared.id, in: slice))
      }
  }
}
