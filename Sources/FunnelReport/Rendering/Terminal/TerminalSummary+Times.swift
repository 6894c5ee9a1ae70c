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
    addTime("to complete", .timeToComplete, "all", .all, expected.of(.all))
    for slice in besideEveryone {
      addTime("  \(label(slice))", .timeToComplete, "all", slice, expected.of(slice))
    }
    for step in flow.steps {
      let expected = step.expectedMilliseconds.map { $0...$0 }
      addTime("on \(SafeText.name(step.title, limit: 24))", .timeOnStep, step.id, .all, expected)
      addTime("  to move on", .timeToMoveOn, step.id, .all, nil)
    }
    for goal in flow.goals {
      addTime("to \(SafeText.name(goal.title, limit: 24))", .timeToGoal, goal.id, .all, nil)
    }
  }

  private mutating func addTime(
    _ label: String, _ metric: MetricName, _ step: String, _ slice: Slice,
    _ expected: ClosedRange<Int64>?
  ) {
    let count = analysis.row(metric.numberOfValues, step: step, in: slice)?.numerator
    func seconds(_ percent: Int) -> Double? {
      analysis.row(metric.percentile(percent), step: step, in: slice)?.value
    }
    // People who never move on are among the slowest.
    let isOfAll = metric == .timeToMoveOn && (count ?? 0) > 0
    let missing = isOfAll && !analysis.unmeasured.contains(metric, step: step) ? "never" : "–"
    let median = seconds(50)
    let isLonger = TimeVerdict(analysis, metric, step, in: slice, expected)?.isLonger ?? false
    let meant = expected.map { RateText.expected($0) } ?? ""
    page.line(
      "  " + TextWidth.left(label, 27) + TextWidth.right(NumberText.grouped(count ?? 0), 9)
        + page.paint(
          TextWidth.right(median.map(RateText.duration) ?? missing, 13), isLonger ? .yellow : nil)
        + TextWidth.right(seconds(90).map(RateText.duration) ?? missing, 13)
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
        guard let row = analysis.row(.retention(measure), in: slice) else { continue }
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
      let name = MetricName.retention(flow.retention[index])
      return analysis.row(name).flatMap { own in
        analysis.row(name.ofCommonCohort).map {
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
