internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

extension HTMLReport {
  func trendsSection() -> Markup? {
    let trends = self.trends()
    let panels = BreakdownPanel.all(analysis)
    guard !trends.isEmpty || !panels.isEmpty else { return nil }
    let groups = CompletionGroups(analysis)
    let rest = panels.filter { !$0.isRelease }
    let further = Array(trends.dropFirst(HTMLReport.openTrends))
    let names = panels.map { $0.name(flow) }.listed
    return PageTemplates.fill(
      .trends,
      TemplateContext { page in
        page.text(
          "lead",
          (trends.isEmpty ? "" : DisplayText.sentence(TrendFindings.summary(analysis)) + " ")
            + "Shown by when people started\(panels.isEmpty ? "" : ", and by \(names)"). "
            + (GroupWords.sentence(groups, analysis).map { DisplayText.sentence($0) + " " } ?? "")
            + "Such groups differ in other ways, too, so a difference may have another cause.")
        page.list("trends", trends.prefix(HTMLReport.openTrends).map(\.context))
        page.list(
          "foldedTrends",
          [foldedTrends(further)].compactMap { $0 })
        page.list("breakdowns", panels.filter(\.isRelease).map { panel($0, groups) })
        page.list("folded", [folded(rest, groups)].compactMap { $0 })
        // Paper has no clicks.
        let unprinted = [
          rest.isEmpty ? nil : "completion by \(rest.map { $0.name(flow) }.listed)",
          further.isEmpty ? nil : "over time, \(further.map(\.name).listed)",
          flow.steps.isEmpty ? nil : "paths between steps", "tables that are folded",
        ].compactMap(\.self)
        page.texts("unprinted", unprinted.isEmpty ? [] : [unprinted.joined(separator: "; ")])
      })
  }

  private func folded(_ rest: [BreakdownPanel], _ groups: CompletionGroups?) -> TemplateContext? {
    guard !rest.isEmpty else { return nil }
    return TemplateContext { page in
      page.markup(
        "summary", HTMLReport.summary("Completion by \(rest.map { $0.name(flow) }.listed)"))
      page.list("breakdowns", rest.map { panel($0, groups) })
    }
  }

  private func foldedTrends(_ trends: [(name: String, context: TemplateContext)])
    -> TemplateContext?
  {
    guard !trends.isEmpty else { return nil }
    return TemplateContext { page in
      page.markup(
        "summary", HTMLReport.summary("By when people started: \(trends.map(\.name).listed)"))
      page.list("trends", trends.map(\.context))
    }
  }

  private func trends() -> [(name: String, context: TemplateContext)] {
    let cohorts = analysis.cohorts()
    guard cohorts.count > 1 else { return [] }
    return analysis.headlines.compactMap { headline in
      trend(headline.metric, headline.step, headline.name, cohorts).map { (headline.name, $0) }
    }
  }

  private func trend(
    _ metric: MetricName, _ step: String, _ name: String, _ cohorts: [Slice]
  ) -> TemplateContext? {
    let axis = CohortAxis(cohorts)
    let points = zip(cohorts, axis.places).compactMap { cohort, place -> LineChart.Point? in
      guard let row = analysis.datum(metric, step: step, in: cohort)?.row, let value = row.value
      else { return nil }
      return LineChart.Point(
        x: place, y: value, low: row.low, high: row.high,
        title: "\(analysis.cohortLabel(cohort)): \(DisplayText.percent(value)) "
          + DisplayText.sentence(row.countsText), isPartial: analysis.isPartial(cohort, for: row))
    }
    guard points.count > 1 else { return nil }
    let all = analysis.datum(metric, step: step)
    let chart = LineChart(
      title: "\(name) by when people started",
      description: "The rate of each cohort with its 95 % band; the dashed line is the rate of "
        + "all.",
      horizontal: axis.scale,
      vertical: ChartScale.rates(
        from: points.map { $0.low ?? $0.y }.min() ?? 0,
        to: points.map { $0.high ?? $0.y }.max() ?? 1),
      series: [.init(name: name, points: points, style: 0)], reference: all?.row.value,
      height: 140, events: events(cohorts, axis), gap: 1)
    return TemplateContext { page in
      page.text("id", ChartID("trends", metric.rawValue, step).text)
      page.markup("name", Markup { $0.name(name) })
      page.markup(
        "about",
        Markup { page in
          page.text("All: ")
          page.number(all?.rate)
          page.text(", the dashed line")
          let releases = events(cohorts, axis)
          if !releases.isEmpty {
            page.text("; dotted: ")
            page.name(releases.map { "\($0.name) (\($0.day))" }.listed, limit: 120)
            page.text(" first seen")
            if let of = releasesDimension { page.name(" (\(of))", limit: 40) }
          }
          if points.contains(where: \.isPartial) {
            page.text("; pale, off the line: an incomplete \(unit(cohorts))")
          }
        })
      page.markup("chart", chart.markup)
      page.markup("table", table(metric, step, name, cohorts).markup)
    }
  }

  /// The app's releases where they fall among cohorts.
  private func events(_ cohorts: [Slice], _ axis: CohortAxis) -> [LineChart.Event] {
    let dates = cohorts.map { CohortDates($0.cohort) }
    return analysis.releases.compactMap { release in
      guard let place = dates.firstIndex(where: { $0.map { $0.last >= release.day } ?? false }),
        let dates = dates[place], dates.first <= release.day
      else { return nil }
      let share = (Double(release.day - dates.first) + 0.5) / Double(dates.last - dates.first + 1)
      let name = SafeText.name(release.name, limit: 12)
      return LineChart.Event(
        x: axis.places[place] + share - 0.5, name: name,
        title: "\(name) first seen on \(DateText.day(release.day))",
        day: DateText.dayAndMonth(release.day))
    }
  }

  /// `week`: how long the days of a cohort are.
  private func unit(_ cohorts: [Slice]) -> String {
    let days = cohorts.first.flatMap { CohortDates($0.cohort) }.map { $0.last - $0.first } ?? 0
    return days == 0 ? "day" : days == 6 ? "week" : "month"
  }

  /// What the dotted lines are values of, where the flow has several dimensions of releases.
  private var releasesDimension: String? {
    let dimensions = flow.dimensions.filter(\.isRelease)
    return dimensions.count > 1 ? dimensions.first.map { flow.words(ofDimension: $0.id) } : nil
  }

  private func table(
    _ metric: MetricName, _ step: String, _ name: String, _ cohorts: [Slice]
  ) -> DataTable {
    let groups = compared.filter { isShown($0, by: cohorts, metric, step) }
    return DataTable(
      caption: "\(name) by when people began",
      columns: [
        .words("Began"), .number("rate"), .number("counts"), .number("95 %"),
      ] + groups.map { .slice(analysis.label($0), variant: tag($0)) },
      rows: cohorts.map { cohort in
        let datum = analysis.datum(metric, step: step, in: cohort)
        return [
          .text(analysis.cohortLabel(cohort)), .number(datum?.rate),
          .pair(datum?.count, "/", datum?.total), .pair(datum?.low, "–", datum?.high),
        ]
          + groups.map { .number(recorded(metric, step, in: $0, cut: cohort)?.rate) }
      })
  }

  /// Whether a version or variant has a cohort of enough people to be in the files.
  private func isShown(_ slice: Slice, by cohorts: [Slice], _ metric: MetricName, _ step: String)
    -> Bool
  {
    slice != .all && cohorts.contains { recorded(metric, step, in: slice, cut: $0) != nil }
  }

  private func recorded(_ metric: MetricName, _ step: String, in slice: Slice, cut cohort: Slice)
    -> Datum?
  {
    var cut = slice
    cut.breakdown = cohort.breakdown
    return analysis.datum(metric, step: step, in: cut).flatMap { $0.index == nil ? nil : $0 }
  }

  private func cells(_ change: ReleaseChange?) -> [DataTable.Cell] {
    guard let change else { return [.text("–"), .text("")] }
    if change.isWithoutCompletions { return [.text("–"), .tag("unknown", tone: "")] }
    return [
      .text(DisplayText.sentence("\(change.points) (\(change.interval))")),
      .tag(change.verdict, tone: change.tone == .neutral ? "" : change.tone.rawValue),
    ]
  }

  /// Only of a table in which a value stands out.
  private func againstOthers(_ group: CompletionGroups.Group?) -> DataTable.Cell {
    guard let group else { return .text("–") }
    return .tag(group.isHigher ? "higher" : "lower", tone: group.isHigher ? "good" : "bad")
  }

  /// What a release is, and what it isn't.
  private func releaseNote(_ changes: [ReleaseChange]) -> String {
    let versions = analysis.seenVersions.count > 1
    let change = changes.first.map { change in
      "Change: completion against the release before, on the same days if possible; "
        + "\(DisplayText.sentence(RateText.level(change.level))) intervals. "
        + ReleaseFindings.observational + " "
    }
    return (change ?? "")
      + "A release is the app that people started with."
      + (versions ? " The flow version says \(ReportWords.flowVersion)" : "")
  }

  private func panel(_ panel: BreakdownPanel, _ groups: CompletionGroups?) -> TemplateContext {
    let changes = ReleaseChange.all(analysis).filter {
      $0.release.breakdown.dimension == panel.dimension
    }
    // What is unknown is no 0 %.
    let unknown = Set(changes.lazy.filter(\.isWithoutCompletions).map(\.release))
    let data = panel.slices.map {
      ($0, unknown.contains($0) ? nil : analysis.datum(.completionRate, in: $0))
    }
    let scale = ChartScale.rates(
      from: data.compactMap { $0.1?.row.low }.min() ?? 0,
      to: data.compactMap { $0.1?.row.high }.max() ?? 1)
    let overall = analysis.datum(.completionRate)
    let names = PlainName.of(panel.slices.map(\.breakdown.value))
    var columns: [DataTable.Column] = [
      .words("Value"), .plot("completion", axis: IntervalStrip.axis(scale)), .number("rate"),
      .number("people"),
    ]
    if !changes.isEmpty { columns += [.words("change"), .words("verdict")] }
    let differs = panel.slices.contains { groups?.verdict($0) != nil }
    if differs { columns.append(.words("against all others")) }
    let table = DataTable(
      caption: "Dashed: everyone",
      columns: columns,
      rows: zip(data, names).map { found, value in
        let (slice, datum) = found
        let name = SafeText.name(value, limit: 40)
        let strip = IntervalStrip(
          title: "\(name): \(datum?.rate?.text ?? "–")", value: datum?.row.value,
          low: datum?.row.low, high: datum?.row.high, scale: scale,
          reference: overall?.row.value)
        return [
          .name(name), .plot(strip.markup), .number(datum?.rate),
          .number(datum?.total ?? analysis.datum(.completionRate, in: slice)?.total),
        ] + (changes.isEmpty ? [] : cells(changes.first { $0.release == slice }))
          + (differs ? [againstOthers(groups?.verdict(slice))] : [])
      })
    return TemplateContext { page in
      page.text("id", ChartID("breakdowns", panel.anchor).text)
      page.markup("name", Markup { $0.name(panel.name(flow)) })
      page.text(
        "about",
        panel.omitted > 0
          ? "The \(panel.slices.count) most frequent values; \(panel.omitted) more are in "
            + "metrics.csv." : "All values.")
      page.markup("table", table.markup)
      page.texts("note", panel.isRelease ? [releaseNote(changes)] : [])
    }
  }
}
