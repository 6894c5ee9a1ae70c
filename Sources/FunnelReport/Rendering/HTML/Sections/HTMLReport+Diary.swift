internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

extension HTMLReport {
  /// The intervals of an experiment's deciding rate, look by look.
  func diary(_ summary: ExperimentSummary, _ name: String) -> [TemplateContext] {
    summary.diaries.filter { $0.variant == name }.map { diary in
      TemplateContext { page in
        page.text("id", ChartID("experiments", summary.id, name, "diary").text)
        page.text("decides", DisplayText.sentence(decides(diary, summary)))
        page.markup("about", about(diary, summary))
        page.markup("table", table(diary).markup)
      }
    }
  }

  private func about(_ diary: ExperimentDiary, _ summary: ExperimentSummary) -> Markup {
    let words = MetricWords.of(diary.metric, step: diary.step, flow).capitalizedFirst
    let names = analysis.names(ofExperiment: summary.id)
    return Markup { page in
      page.name(words, limit: 60)
      page.text(", ")
      page.name(names.variant(diary.variant), limit: 40)
      page.text(" minus ")
      page.name(names.variant(summary.control), limit: 40)
      page.text(
        ". The line is the interval that allows for a check at every date; the pale band is the "
          + "interval of a single look. Both are of this rate alone; the verdict above allows for "
          + "all metrics.")
      if comparison(diary, summary)?.stratification != nil {
        page.text(
          " The verdict compares people within strata; an interim check is of all people together.")
      }
    }
  }

  /// Which of two intervals decides, where a reader sees both.
  private func decides(_ diary: ExperimentDiary, _ summary: ExperimentSummary) -> String {
    comparison(diary, summary).map { LookRule($0, in: summary).deciding } ?? ""
  }

  private func comparison(
    _ diary: ExperimentDiary, _ summary: ExperimentSummary
  ) -> MetricComparison? {
    summary.comparisons.first {
      $0.variant == diary.variant && $0.metric == diary.metric && $0.step == diary.step
    }
  }

  private func table(_ diary: ExperimentDiary) -> DataTable {
    let bounds = diary.entries.compactMap { $0.difference.value?.interval }
    let all = bounds + diary.entries.compactMap { $0.single.value?.interval }
    let scale = ChartScale.differences(
      upTo: all.map { max($0.upper.magnitude, $0.lower.magnitude) }.max() ?? 0.1)
    return DataTable(
      caption: "People who had started by then",
      columns: [
        .words("Up to"), .number("people"),
        .plot("difference, pp", axis: IntervalStrip.axis(scale)), .number("difference"),
        .number("interval"), .words("If you check each time"),
      ],
      rows: diary.entries.map { row($0, scale) })
  }

  private func row(_ entry: ExperimentDiary.Entry, _ scale: ChartScale) -> [DataTable.Cell] {
    let value = (entry.difference.value ?? entry.single.value)?.estimate
    let interval = entry.difference.value?.interval
    let single = entry.single.value?.interval
    let isOpen = interval.map { $0.lower <= 0 && $0.upper >= 0 } ?? true
    let day = lastDay(ofCohort: entry.cohort)
    let said = value.map { DisplayText.signed($0) } ?? "too few people"
    let strip = IntervalStrip(
      title: "\(day): \(said)", value: value, low: interval?.lower, high: interval?.upper,
      scale: scale, reference: 0, band: single.map { ($0.lower, $0.upper) }, isQuiet: isOpen)
    let word = interval == nil ? "too few people" : isOpen ? "includes 0" : "excludes 0"
    return [
      .text(day), .number(Shown.count(entry.people)), .plot(strip.markup),
      .number(value.map { Shown(DisplayText.signed($0)) }),
      .pair(
        interval.map { Shown(DisplayText.signed($0.lower)) }, " to ",
        interval.map { Shown(DisplayText.signed($0.upper)) }),
      .tag(word + (entry.isPlannedEnd ? " · planned end" : ""), tone: isOpen ? "" : "good"),
    ]
  }

  /// The last day on which people of a cohort can have started, in words.
  private func lastDay(ofCohort cohort: String) -> String {
    guard let dates = CohortDates(cohort) else { return SafeText.name(cohort) }
    let last = report.startDays()?.upperBound ?? dates.last
    return DateText.day(max(dates.first, min(dates.last, last)))
  }
}
