internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

extension HTMLReport {
  func timeSection() -> Markup {
    PageTemplates.fill(
      .time,
      TemplateContext { page in
        page.list("curve", [finishing()].compactMap { $0 })
        page.list("figures", completion())
        page.list("goals", [goalTimes()].compactMap { $0 })
        page.markup("steps", steps().markup)
        page.list("compared", [byVariant()].compactMap { $0 })
      })
  }

  private func byVariant() -> TemplateContext? {
    let whole = analysis.durations.filter { $0.metric != .timeOnStep }
    guard let first = whole.first, let table = compared(durations: whole) else { return nil }
    let onSteps = analysis.durations.filter { $0.metric == .timeOnStep }
    let median = analysis.datum(
      first.metric.percentile(50).compared(by: .difference), step: first.step,
      in: Slice(experiment: first.experiment, variant: first.variant))
    return TemplateContext { page in
      page.markup(
        "summary",
        Markup { page in
          page.text("Durations by variant: ")
          page.name(durationName(first), limit: 80)
          page.text(" ")
          page.number(median?.signedSeconds)
          page.text(" at the median")
        })
      page.markup("whole", table.markup)
      page.markup("steps", compared(durations: onSteps)?.markup)
    }
  }

  /// The share that has finished by each moment: nobody is called lost who could still finish.
  private func finishing() -> TemplateContext? {
    let points = analysis.curves.filter { $0.metric == .incidenceFinished }
    let times = points.filter { $0.slice == .all }.map(\.milliseconds)
    guard times.count > 1, let last = times.last else { return nil }
    let ticks = times.map {
      ChartScale.Tick(value: Double($0) / 1000, label: RateText.expected($0...$0))
    }
    let lines = lines(from: .all)
    let series = lines.map { slice, style in
      LineChart.Series(
        name: analysis.label(slice),
        points: points.filter { $0.slice == slice }.compactMap { point in
          point.share.map { share in
            LineChart.Point(
              x: Double(point.milliseconds) / 1000, y: share, low: point.interval?.lower,
              high: point.interval?.upper,
              title: "\(analysis.label(slice)), by "
                + "\(RateText.expected(point.milliseconds...point.milliseconds)): "
                + DisplayText.percent(share))
          }
        }, style: style, variant: tag(slice))
    }
    let largest = series.flatMap(\.points).map { $0.high ?? $0.y }.max() ?? 1
    let chart = LineChart(
      title: "Finished by the time since entry",
      description: "The share of all who entered that had finished by then, with 95 % bands; "
        + "who could still finish is counted as not known, not as lost.",
      horizontal: ChartScale(
        low: Double(times[0]) / 1000, high: Double(last) / 1000, shape: .logarithmic, ticks: ticks
      ).withRoom(0.17),
      vertical: ChartScale.rates(upTo: largest), series: series, height: 200)
    return TemplateContext { page in
      page.text("id", ChartID("time", "finished").text)
      page.text("name", "How many had finished after…")
      page.text(
        "about",
        ReportWords.incidence + (leading == .all ? "" : " “Everyone” has all flow versions."))
      page.markup("legend", SeriesMark.legend(series))
      page.markup("chart", chart.markup)
      page.markups("table", [incidence(times, lines).markup])
    }
  }

  /// The colour of a compared slice is that of its column in the funnel, where everyone has the
  /// first.
  func style(_ index: Int) -> Int { index + 1 }

  /// What has a line in a chart: everyone, or the version that the first screen is about, then what
  /// is compared. Everyone has the colour of their column in the funnel.
  func lines(from first: Slice) -> [(slice: Slice, style: Int)] {
    let all = compared.enumerated().map { ($0.element, style($0.offset)) }
    let own = first == leading ? 0 : style(compared.count)
    return compared == [first] ? all : [(first, own)] + all.prefix(HTMLReport.openFunnels)
  }

  private func incidence(_ times: [Int64], _ lines: [(slice: Slice, style: Int)]) -> DataTable {
    DataTable(
      caption: "Finished by the time since entry",
      columns: [.words("Since entry")]
        + lines.map { .slice(analysis.label($0.slice), variant: tag($0.slice)) },
      rows: times.map { time in
        [.text(RateText.expected(time...time))]
          + lines.map { line in
            .number(
              analysis.datum(.incidenceFinished, step: DurationText.format(time), in: line.slice)?
                .rate)
          }
      })
  }

  private func completion() -> [TemplateContext] {
    distributions(
      .timeToComplete, "all", expected: analysis.expectedTotals.of,
      slices: (leading == .all ? [] : [leading]) + compared
    ) { slice in
      compared == [.all] ? "Time to complete" : "Time to complete, \(analysis.label(slice))"
    }
  }

  private func goalTimes() -> TemplateContext? {
    let found = flow.goals.compactMap { goal in
      distributions(.timeToGoal, goal.id, expected: { _ in nil }, slices: [.all]) { _ in
        "Time to \(SafeText.name(goal.title, limit: 40))"
      }.first.map { (goal: goal, context: $0) }
    }
    guard !found.isEmpty else { return nil }
    return TemplateContext { page in
      page.markup(
        "summary",
        HTMLReport.summary(
          found.count > HTMLReport.namedGoals
            ? "Time to “\(found[0].goal.title)” and \(found.count - 1) more goals"
            : "Time to \(found.map { "“\($0.goal.title)”" }.listed)"))
      page.texts("whose", leading == .all ? [] : [ofAllVersions])
      page.list("figures", found.map(\.context))
      // One for all of them, in which goals can be compared and sorted.
      page.markup("table", percentiles(found.map(\.goal)).markup)
    }
  }

  /// The titles of more would be longer than a line.
  private static let namedGoals = 3

  private func distributions(
    _ metric: MetricName, _ step: String, expected: (Slice) -> ClosedRange<Int64>?,
    slices: [Slice], name: (Slice) -> String
  ) -> [TemplateContext] {
    analysis.distributions(metric, step: step, in: slices).map { slice, distribution in
      TemplateContext { page in
        page.text(
          "id",
          ChartID("time", metric.rawValue, step, slice.experiment, slice.variant, slice.version)
            .text)
        page.markup("name", Markup { $0.name(name(slice), limit: 90) })
        page.markup("variant", tag(slice).map { Markup(escaping: $0) })
        page.markup("about", about(metric, step, expected(slice), slice))
        page.markup(
          "chart",
          HistogramChart(
            title: name(slice),
            description: "Histogram of \(DisplayText.count(distribution.count)) durations on a "
              + "logarithmic axis; the line is the median.",
            distribution: distribution, expected: expected(slice)
          ).markup)
        page.markups("table", [percentiles(metric, step, slice).markup])
      }
    }
  }

  private func about(
    _ metric: MetricName, _ step: String, _ expected: ClosedRange<Int64>?, _ slice: Slice
  ) -> Markup {
    func datum(_ metric: MetricName) -> Datum? {
      analysis.datum(metric, step: step, in: slice)
    }
    return Markup { page in
      let count = datum(metric.numberOfValues)
      let people = count?.row.numerator ?? 0
      page.number(count?.count)
      page.text(people == 1 ? " person, after " : " people; median ")
      page.number(datum(metric.percentile(50))?.seconds)
      if people >= HTMLReport.fewestForTenth {
        page.text(", one in ten longer than ")
        page.number(datum(metric.percentile(90))?.seconds)
      }
      if let expected {
        page.text("; expected: \(RateText.expected(expected))")
        if let verdict = TimeVerdict(analysis, metric, step, in: slice, expected) {
          page.text(" · \(verdict.glyph) \(verdict.words)")
        }
      }
    }
  }

  /// Of fewer people one in ten is nobody.
  private static let fewestForTenth = 10

  private func percentiles(_ metric: MetricName, _ step: String, _ slice: Slice) -> DataTable {
    DataTable(
      caption: "Percentiles",
      columns: [.words("People")] + TimeRows.percentiles.map { .number("p\($0)") },
      rows: [percentileCells(metric, step, slice)])
  }

  private func percentiles(_ goals: [Goal]) -> DataTable {
    DataTable(
      caption: "Percentiles",
      columns: [.words("Goal"), .number("people")]
        + TimeRows.percentiles.map { .number("p\($0)") },
      rows: goals.map { [.name($0.title)] + percentileCells(.timeToGoal, $0.id, .all) })
  }

  /// How many people, and the durations that so many of them stay below.
  private func percentileCells(_ metric: MetricName, _ step: String, _ slice: Slice)
    -> [DataTable.Cell]
  {
    [.number(analysis.datum(metric.numberOfValues, step: step, in: slice)?.count)]
      + TimeRows.percentiles.map {
        .number(analysis.datum(metric.percentile($0), step: step, in: slice)?.seconds)
      }
  }

  private func steps() -> DataTable {
    let range = analysis.rangeOfSteps
    var axis: Markup?
    let rows: [[DataTable.Cell]] = flow.steps.compactMap { step in
      guard let count = analysis.datum(.timeOnStep.numberOfValues, step: step.id) else {
        return nil
      }
      let expected = step.expectedMilliseconds.map { $0...$0 }
      let found = analysis.distributions(.timeOnStep, step: step.id, in: [.all], over: range)
      if axis == nil { axis = found.first.map { HistogramChart.axis($0.distribution) } }
      let chart = found.first.map { entry in
        HistogramChart(
          title: "Time on \(SafeText.name(step.title, limit: 60))",
          description: "", distribution: entry.distribution,
          expected: expected, height: 34, showsAxis: false, isSmall: true
        ).markup
      }
      func seconds(_ percent: Int) -> Shown? {
        analysis.datum(.timeOnStep.percentile(percent), step: step.id)?.seconds
      }
      return [
        .name(step.title), .plot(chart ?? Markup(escaping: "")), .number(seconds(50)),
        .number(Shown(expected.map { DisplayText.sentence(RateText.expected($0)) } ?? "–")),
        .number(seconds(90)), .number(count.count), movingOn(step.id),
      ]
    }
    return DataTable(
      caption:
        "One logarithmic axis for all steps; dashed: the target. \(ReportWords.stepTimes)"
        + (leading == .all ? "" : ".\(ofAllVersions) timing.csv has each version’s"),
      columns: [
        .words("Step"), .plot("distribution", axis: axis), .number("median"), .number("target"),
        .number("one in ten longer"), .number("people"), .number("half have moved on"),
      ], rows: rows)
  }

  /// From the first view of a step until half of those who saw it had gone on.
  private func movingOn(_ step: String) -> DataTable.Cell {
    let datum = analysis.datum(.timeToMoveOn.percentile(50), step: step)
    let isUnknown = analysis.unmeasured.contains(.timeToMoveOn, step: step)
    if datum != nil, datum?.row.value == nil, !isUnknown { return .number(Shown("never")) }
    return .number(datum?.seconds)
  }

  private func compared(durations: [DurationComparison]) -> DataTable? {
    let rows: [[DataTable.Cell]] = durations.prefix(60).compactMap { comparison in
      guard comparison.median.value != nil || comparison.ninetieth.value != nil else { return nil }
      let slice = Slice(experiment: comparison.experiment, variant: comparison.variant)
      func datum(_ percent: Int) -> Datum? {
        analysis.datum(
          comparison.metric.percentile(percent).compared(by: .difference), step: comparison.step,
          in: slice)
      }
      return [
        .name(durationName(comparison)), .number(datum(50)?.signedSeconds),
        .pair(datum(50)?.secondsLow, " to ", datum(50)?.secondsHigh),
        .number(datum(90)?.signedSeconds),
      ]
    }
    guard !rows.isEmpty else { return nil }
    return DataTable(
      caption: "Variant − control, among those who got there: not randomised, so no test is made",
      columns: [
        .words("Duration"), .number("median"), .number("95 % interval"),
        .number("90th percentile"),
      ], rows: rows)
  }

  /// Of a step or a goal.
  private func title(_ id: String) -> String {
    flow.stepIndex(id).map { flow.steps[$0].title } ?? flow.goals.first { $0.id == id }?.title ?? id
  }

  private func durationName(_ comparison: DurationComparison) -> String {
    let what =
      switch comparison.metric {
      case .timeToComplete: "to complete"
      case .timeOnStep: "on \(title(comparison.step))"
      default: "to \(title(comparison.step))"
      }
    let names = analysis.names(ofExperiment: comparison.experiment)
    return "\(names.variant(comparison.variant)): \(what)"
  }
}
