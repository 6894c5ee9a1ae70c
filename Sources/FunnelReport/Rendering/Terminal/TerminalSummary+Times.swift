internal import FlowDefinition
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

extension TerminalSummary {
  /// Median and 90th percentile, beside the target.
  mutating func addTimes() {
    page.heading("TIME", note: "of people who have a value; to move on: of all who saw the step")
    let head =
      TextWidth.right("people", 38) + TextWidth.right("median", 13)
      + TextWidth.right("90 %", 13) + TextWidth.right("target", page.width - 64)
    page.line(page.paint(head, .dim))
    let expected = analysis.expectedTotals
    addTime("to complete", "time_to_complete", "all", .all, expected.of(.all))
    for slice in besideEveryone {
      addTime("  \(label(slice))", "time_to_complete", "all", slice, expected.of(slice))
    }
    for step in flow.steps {
      let expected = step.expectedMilliseconds.map { $0...$0 }
      addTime("on \(SafeText.name(step.title, limit: 24))", "time_on_step", step.id, .all, expected)
      addTime("  to move on", "time_to_move_on", step.id, .all, nil)
    }
    for goal in flow.goals {
      addTime("to \(SafeText.name(goal.title, limit: 24))", "time_to_goal", goal.id, .all, nil)
    }
  }

  private mutating func addTime(
    _ label: String, _ metric: String, _ step: String, _ slice: Slice,
    _ expected: ClosedRange<Int64>?
  ) {
    let count = analysis.row("\(metric)_n", step: step, in: slice)?.numerator
    func seconds(_ percentile: String) -> Double? {
      analysis.row("\(metric)_\(percentile)", step: step, in: slice)?.value
    }
    // People who never move on are among the slowest.
    let isOfAll = metric == "time_to_move_on" && (count ?? 0) > 0
    let missing = isOfAll && !analysis.unmeasured.contains(metric, step: step) ? "never" : "–"
    let median = seconds("p50")
    let isLonger = TimeVerdict(analysis, metric, step, in: slice, expected)?.isLonger ?? false
    let meant = expected.map { RateText.expected($0) } ?? ""
    page.line(
      "  " + TextWidth.left(label, 27) + TextWidth.right(NumberText.grouped(count ?? 0), 9)
        + page.paint(
          TextWidth.right(median.map(RateText.duration) ?? missing, 13), isLonger ? .yellow : nil)
        + TextWidth.right(seconds("p90").map(RateText.duration) ?? missing, 13)
        + page.paint(TextWidth.right(meant, page.width - 64), .dim))
  }

  /// Each measure for everyone and for each variant.
  mutating func addRetention() {
    guard !flow.retention.isEmpty else { return }
    page.heading(
      "RETENTION", note: "people who returned, of those whose day N has passed")
    let shown = [.all] + besideEveryone
    let longest = flow.retention.map { TextWidth.of($0.namedShortWords) }.max() ?? 0
    let measureColumns = min(20, max(12, longest))
    let labelColumns = min(18, shown.map { TextWidth.of(label($0)) }.max() ?? 0)
    for measure in flow.retention {
      for (index, slice) in shown.enumerated() {
        guard let row = analysis.row("retention_\(measure.id)", in: slice) else { continue }
        let first = index == 0 ? measure.namedShortWords : ""
        let name = shown.count > 1 ? " " + TextWidth.left(label(slice), labelColumns) : ""
        rateLine(TextWidth.left(first, measureColumns) + name, row, .green)
      }
    }
    addCommonCohort(measureColumns)
  }

  /// The measures over those for whom all of them are over, where these are fewer.
  private mutating func addCommonCohort(_ columns: Int) {
    let rows = flow.commonCohortMeasures.compactMap { index in
      let name = "retention_\(flow.retention[index].id)"
      return analysis.row(name).flatMap { own in
        analysis.row(name + Flow.commonCohortSuffix).map {
          (measure: flow.retention[index], own: own, common: $0)
        }
      }
    }
    guard let people = rows.first?.common.denominator, people > 0,
      rows.contains(where: { ($0.own.denominator ?? 0) > people })
    else { return }
    page.paragraph(
      "Among the \(ReportWords.people(people)) for whom the days of every measure have passed:")
    for row in rows {
      rateLine(TextWidth.left(row.measure.namedShortWords, columns), row.common, .green)
    }
  }
}
