internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

extension HTMLReport {
  func retentionSection() -> Markup? {
    guard !flow.retention.isEmpty || !flow.goals.isEmpty else { return nil }
    return PageTemplates.fill(
      .retention,
      TemplateContext { page in
        page.list("curve", [curve()].compactMap { $0 })
        page.list("cohorts", [triangle()].compactMap { $0 })
        page.list("outcomes", [outcomes()].compactMap { $0 })
        page.list("goals", [goals()].compactMap { $0 })
        page.list("more", [more()].compactMap { $0 })
      })
  }

  private func measure(_ measure: RetentionMeasure, _ slice: Slice) -> Datum? {
    analysis.datum(.retention(measure), in: slice)
  }

  /// Single days from entry, any activity: the points of the curve.
  private var days: [(day: Int, measure: RetentionMeasure)] {
    flow.retention.compactMap { measure in
      guard case .day(let day) = measure.window, measure.anchor == .entry, measure.pattern == nil
      else { return nil }
      return (day, measure)
    }.sorted { $0.day < $1.day }
  }

  private func curve() -> TemplateContext? {
    let series = lines(from: leading).map { slice, style in
      LineChart.Series(
        name: analysis.label(slice),
        points: days.compactMap { day, measure in
          guard let row = self.measure(measure, slice)?.row, let value = row.value else {
            return nil
          }
          return LineChart.Point(
            x: Double(day), y: value, low: row.low, high: row.high,
            title: "\(analysis.label(slice)), day \(day): \(DisplayText.percent(value)) "
              + DisplayText.sentence(row.countsText))
        }, style: style, variant: tag(slice))
    }.filter { !$0.points.isEmpty }
    let table = measures()
    guard let first = days.first?.day, let last = days.last?.day, last > first, !series.isEmpty
    else {
      return flow.retention.isEmpty
        ? nil : figure("Retention", "Each measure with its interval.", nil, nil, table)
    }
    let largest = series.flatMap(\.points).map { $0.high ?? $0.y }.max() ?? 1
    let chart = LineChart(
      title: "Retention by days since entry",
      description: "The share of people who came back on each day, with 95 % bands.",
      horizontal: ChartScale(
        low: Double(first), high: Double(last), shape: .logarithmic,
        ticks: days.map {
          ChartScale.Tick(
            value: Double($0.day), label: $0.day == first ? "day \($0.day)" : "\($0.day)")
        }),
      vertical: ChartScale.rates(upTo: largest), series: series, height: 260)
    return figure(
      "Came back on day N", "Days since entry, on a logarithmic axis; bands are 95 % intervals.",
      SeriesMark.legend(series), chart.markup, table)
  }

  private func figure(
    _ name: String, _ about: String, _ legend: Markup?, _ chart: Markup?, _ table: DataTable
  ) -> TemplateContext {
    TemplateContext { page in
      page.text("id", ChartID("retention", "days").text)
      page.text("name", name)
      page.text("about", about)
      page.markup("legend", legend)
      page.markup("chart", chart)
      page.markup("table", table.markup)
      page.list("common", [commonCohort()].compactMap { $0 })
    }
  }

  /// The measures once more over those for whom all their windows are over, if these are others.
  private func commonCohort() -> TemplateContext? {
    let measures = flow.commonCohortMeasures.map { flow.retention[$0] }
    guard let largest = measures.compactMap({ measure($0, .all)?.row.denominator }).max(),
      let first = measures.first, let people = common(first, .all)?.row.denominator,
      people > 0, people < largest
    else { return nil }
    let table = table(
      measures, "Retention of the common cohort with 95 % intervals", common)
    return TemplateContext { page in
      page.text(
        "about",
        "In the table above, each measure counts the people whose days are over: the later the "
          + "days, the fewer people. This one follows the \(DisplayText.count(people)) people for "
          + "whom every measure is over.")
      page.markup("table", table.markup)
    }
  }

  private func common(_ measure: RetentionMeasure, _ slice: Slice) -> Datum? {
    analysis.datum(.retention(measure).ofCommonCohort, in: slice)
  }

  private func measures() -> DataTable {
    table(flow.retention, "Retention with counts and 95 % intervals", measure)
  }

  private func table(
    _ measures: [RetentionMeasure], _ caption: String,
    _ datum: (RetentionMeasure, Slice) -> Datum?
  ) -> DataTable {
    DataTable(
      caption: caption,
      columns: [.words("Measure")]
        + everybodyAndCompared.flatMap {
          [
            DataTable.Column.slice(analysis.label($0), variant: tag($0)),
            .number("came back", variant: tag($0)), .number("95 %", variant: tag($0)),
          ]
        },
      rows: measures.map { measure in
        [.text(measure.words.capitalizedFirst)]
          + everybodyAndCompared.flatMap { slice -> [DataTable.Cell] in
            let datum = datum(measure, slice)
            return [
              .number(datum?.rate), .pair(datum?.count, "/", datum?.total),
              .pair(datum?.low, "–", datum?.high),
            ]
          }
      })
  }

  /// Cohorts × measures; the colour is the rate, hatched where some windows are still open.
  private func triangle() -> TemplateContext? {
    let cohorts = analysis.cohorts()
    guard cohorts.count > 1, !flow.retention.isEmpty else { return nil }
    // Each column has a scale of its own: what is compared are cohorts, not measures.
    let largest = flow.retention.map { measure in
      cohorts.compactMap { self.measure(measure, $0)?.row.value }.max() ?? 1
    }
    let rows = cohorts.map { cohort -> [DataTable.Cell] in
      let persons = analysis.datum(.persons, in: cohort)
      return [.text(analysis.cohortLabel(cohort)), people(cohort, persons)]
        + zip(flow.retention, largest).map {
          cell($0, cohort, persons?.row.numerator ?? 0, $1)
        }
    }
    let foot: [DataTable.Cell] =
      [.text("all, pooled"), people(.all, analysis.datum(.persons))]
      + flow.retention.map { .heat("", measure($0, .all)?.rate, measure($0, .all)?.total) }
    let lacksDates = flow.retention.contains { analysis.lackingDates($0) > 0 }
    let table = DataTable(
      caption: "Share who came back, and of how many. People “of” more: the others joined too "
        + "recently to count. Hatched: so did some for that day"
        + (lacksDates ? ", or it is missing in the data" : "")
        + ". Partial: the cohort isn’t complete",
      columns: [.words("Began"), .number("people")]
        + flow.retention.map { .number(headWords($0)) },
      rows: rows, foot: [foot], isHeat: true)
    return TemplateContext { page in
      let stars = flow.retention.compactMap { measure in
        measure.pattern.map { "\(headWords(measure)): \(PlainName.of($0.event))" }
      }
      page.text(
        "about",
        "The last row is of all people together."
          + (leading == .all ? "" : " Everyone, of all flow versions.")
          + (stars.isEmpty
            ? ""
            : " A star: only one event counts as coming back. "
              + SafeText.name(stars.joined(separator: "; "), limit: 300) + "."))
      page.markup("table", table.markup)
    }
  }

  /// How many count, and of how many where some joined too recently: `0 of 1 500`.
  private func people(_ cohort: Slice, _ persons: Datum?) -> DataTable.Cell {
    let entered = analysis.datum(.entered, in: cohort)
    guard let persons, let entered, (entered.row.numerator ?? 0) > (persons.row.numerator ?? 0)
    else { return .number(persons?.count) }
    return .pair(persons.count, " of ", entered.count)
  }

  /// Without names, which would widen the column, unless two heads would be alike.
  private func headWords(_ measure: RetentionMeasure) -> String {
    let isAlone = flow.retention.count { $0.shortWords == measure.shortWords } == 1
    return isAlone ? measure.shortWords : measure.namedShortWords
  }

  private func cell(
    _ measure: RetentionMeasure, _ cohort: Slice, _ persons: Int, _ largest: Double
  ) -> DataTable.Cell {
    guard let datum = self.measure(measure, cohort), let value = datum.row.value else {
      return .heat("open", Shown("–"), nil)
    }
    let isComplete = measure.anchor != .entry || (datum.row.denominator ?? 0) >= persons
    let level = HTMLReport.heat(value, of: largest)
    return .heat(isComplete ? level : "\(level) half", datum.rate, datum.total)
  }

  private func outcomes() -> TemplateContext? {
    let measures = flow.retention.filter { flow.hasLandmark($0) }
    let without = flow.retention.filter { !flow.hasLandmark($0) }
    guard !measures.isEmpty else { return nil }
    let ofSkips = ["finished_after_skipping", "skipped"]
    var names = ["finished"] + (analysis.endsBySkipping ? ofSkips : []) + ["abandoned"]
    var slices = names.map {
      Slice(breakdown: BreakdownKey(dimension: BreakdownKey.outcome, value: $0))
    }
    if flow.skip != .ends, (analysis.row(.usedSkipRate)?.numerator ?? 0) > 0 {
      names += ["skipped ahead", "read on"]
      slices += ["yes", "no"].map {
        Slice(breakdown: BreakdownKey(dimension: BreakdownKey.usedSkip, value: $0))
      }
    }
    let table = DataTable(
      caption: "Came back, by what people did (observational: they chose)",
      columns: [.words("Measure")]
        + names.flatMap { name in
          [DataTable.Column.number(name.replacing("_", with: " ")), .number("of")]
        },
      rows: measures.map { measure in
        [.text(measure.namedShortWords.capitalizedFirst)]
          + slices.flatMap { slice -> [DataTable.Cell] in
            let datum = self.measure(measure, slice)
            return [.number(datum?.rate), .number(datum?.total)]
          }
      })
    return TemplateContext { page in
      page.text("landmark", landmark(without) + ofAllVersions)
      page.markup("table", table.markup)
      page.markup("lifts", lifts()?.markup)
    }
  }

  /// Which measures are not in the table, and why.
  private func landmark(_ measures: [RetentionMeasure]) -> String {
    guard !measures.isEmpty else { return "" }
    let window = DurationText.format(flow.windowMilliseconds)
    let names = measures.map(\.namedShortWords).listed
    return "Not here: \(names). An outcome may take \(window), and who finishes "
      + "on a later day would count as coming back by finishing."
  }

  private func lifts() -> DataTable? {
    let found = analysis.observationalLifts.filter { $0.slice == .all }
    guard !found.isEmpty, analysis.endsBySkipping else { return nil }
    return DataTable(
      caption: "Lift of finishing over skipping, observational: people chose. Like with like: "
        + "within groups of equal dimensions, start week and variant. E-value: how strongly a "
        + "hidden cause would have to be tied to both to explain the lift; none where chance may",
      columns: [
        .words("Measure"), .number("raw lift"), .number("95 %"), .number("E-value"),
        .number("like with like"), .number("95 %"),
      ],
      rows: found.map { lift in
        let raw = analysis.datum(lift.metric.compared(by: .observationalLift))
        let within = analysis.datum(lift.metric.compared(by: .observationalLiftStratified))
        return [
          .text(MetricWords.of(lift.metric, step: "all", flow).capitalizedFirst),
          .number(raw?.lift), .pair(raw?.signedLow, " to ", raw?.signedHigh),
          .number(
            lift.isBeyondChance
              ? lift.eValue.flatMap { NumberText.fixed($0, decimals: 1) }.map { Shown($0) } : nil),
          .number(within?.lift), .pair(within?.signedLow, " to ", within?.signedHigh),
        ]
      })
  }
}
