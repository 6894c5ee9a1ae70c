internal import FlowDefinition
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

extension HTMLReport {
  /// The headline numbers of the last reports from the same store, one small chart for each.
  func historySection() -> Markup? {
    guard let trend = ReportTrend(report) else { return nil }
    let rates = analysis.headlines.compactMap { chart($0, trend) }
    guard !rates.isEmpty else { return nil }
    return PageTemplates.fill(
      .history,
      TemplateContext { page in
        page.text(
          "lead",
          "What the last \(DisplayText.count(trend.runs.count)) reports from this store said, by "
            + "up to when their data was complete. Most people are the same in all of them, so "
            + "they differ less than their intervals suggest.")
        page.list("charts", rates + looks(trend))
        page.markup("table", table(trend).markup)
      })
  }

  private func figure(_ name: String, _ about: String, _ chart: LineChart) -> TemplateContext {
    TemplateContext { page in
      page.text("id", ChartID("history", name).text)
      page.markup("name", HTMLReport.summary(name))
      page.text("about", about)
      page.markup("chart", chart.markup)
    }
  }

  private func chart(_ headline: HeadlineRate, _ trend: ReportTrend) -> TemplateContext? {
    let points = trend.runs.compactMap { run in
      point(trend.row(run, headline.metric, step: headline.step), run) { row, value in
        "\(DisplayText.percent(value)) " + DisplayText.sentence(row.countsText)
      }
    }
    guard points.count > 1, let last = points.last else { return nil }
    let chart = LineChart(
      title: "\(headline.name) by report",
      description: "The rate that each of the last reports gave, with its 95 % band.",
      horizontal: days(trend),
      vertical: ChartScale.rates(
        from: points.map { $0.low ?? $0.y }.min() ?? 0,
        to: points.map { $0.high ?? $0.y }.max() ?? 1),
      series: [.init(name: headline.name, points: points, style: 0)], height: 120,
      events: events(trend))
    return figure(headline.name, "Now \(DisplayText.percent(last.y))", chart)
  }

  /// How completion compared with the control each time that somebody looked.
  private func looks(_ trend: ReportTrend) -> [TemplateContext] {
    trend.looks.prefix(HTMLReport.openFunnels).map { look in
      let points = look.points.compactMap { past in
        point(past.row, past.run) { _, value in "\(DisplayText.signed(value))\u{A0}pp" }
      }
      let names = analysis.names(ofExperiment: look.experiment)
      let bounds = points.flatMap { [$0.low ?? $0.y, $0.high ?? $0.y] }.map(\.magnitude)
      let chart = LineChart(
        title: "Completion, difference to the control, by report",
        description: "Percentage points; the bands are the intervals that decided; the dashed "
          + "line is no difference.",
        horizontal: days(trend), vertical: ChartScale.differences(upTo: bounds.max() ?? 0.1),
        series: [.init(name: names.variant(look.variant), points: points, style: 2)], reference: 0,
        height: 120)
      let now = look.points.last.map { DisplayText.signed($0.value) } ?? "–"
      return figure(
        "Looks at \(names.title): \(names.pair(look.variant, look.control))",
        "Completion, difference in percentage points; now \(now)", chart)
    }
  }

  private func point(
    _ row: MetricRow?, _ run: ReportTrend.Run, _ words: (MetricRow, Double) -> String
  ) -> LineChart.Point? {
    guard let row, let value = row.value else { return nil }
    return LineChart.Point(
      x: Double(run.horizonMilliseconds) / 86_400_000, y: value, low: row.low, high: row.high,
      title: "Up to \(run.label): \(words(row, value))")
  }

  private func days(_ trend: ReportTrend) -> ChartScale {
    let ticks = trend.runs.map {
      ChartScale.Tick(
        value: Double($0.horizonMilliseconds) / 86_400_000, label: String($0.label.dropFirst(5)))
    }
    return ChartScale(
      low: ticks.first?.value ?? 0, high: ticks.last?.value ?? 1, ticks: ticks
    ).withRoom(0.3)
  }

  private func events(_ trend: ReportTrend) -> [LineChart.Event] {
    let day = 86_400_000.0
    let horizons = trend.runs.map { Double($0.horizonMilliseconds) / day }
    guard let first = horizons.first, let last = horizons.last else { return [] }
    return analysis.releases.filter { (first...last).contains(Double($0.day)) }.map { release in
      let name = SafeText.name(release.name, limit: 12)
      return LineChart.Event(
        x: Double(release.day), name: name,
        title: "\(name) first seen on \(DateText.day(release.day))")
    }
  }

  private func table(_ trend: ReportTrend) -> DataTable {
    DataTable(
      caption: "The last reports, the newest below",
      columns: [.words("Up to"), .number("people")]
        + analysis.headlines.flatMap {
          [DataTable.Column.number($0.name), .number("counts")]
        },
      rows: trend.runs.map { run in
        let isNow = run.past == nil
        let persons =
          isNow
          ? analysis.datum(.persons)?.count
          : trend.row(run, .persons)?.numerator.map { Shown.count($0) }
        return [.text(run.label), .number(persons)]
          + analysis.headlines.flatMap { headline -> [DataTable.Cell] in
            if isNow {
              let datum = analysis.datum(headline.metric, step: headline.step)
              return [.number(datum?.rate), .pair(datum?.count, "/", datum?.total)]
            }
            let row = trend.row(run, headline.metric, step: headline.step)
            return [
              .number(row?.value.map { Shown(DisplayText.percent($0)) }),
              .pair(
                row?.numerator.map { Shown.count($0) }, "/",
                row?.denominator.map { Shown.count($0) }),
            ]
          }
      })
  }
}
