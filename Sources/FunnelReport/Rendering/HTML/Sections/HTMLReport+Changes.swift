internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

extension HTMLReport {
  /// Each rate beside that of the earlier numbers, if the report is held against any.
  func changesSection() -> Markup? {
    guard let earlier = report.earlier else { return nil }
    let leading = earlier.leading(analysis)
    let scale = ChartScale.differences(
      upTo: earlier.comparison.changes.compactMap { $0.difference.value?.interval }
        .map { max($0.upper.magnitude, $0.lower.magnitude) }.max() ?? 0.1)
    let others = earlier.comparison.changes.filter { change in
      !leading.contains { $0.metric == change.metric && $0.step == change.step }
    }
    return PageTemplates.fill(
      .changes,
      TemplateContext { page in
        page.markup("name", Markup { $0.name("Against \(earlier.name)", limit: 90) })
        page.text("verdict", DisplayText.sentence(earlier.comparison.verdict))
        page.texts("notes", earlier.notes.map(DisplayText.sentence))
        page.markup("table", changes(leading, earlier, scale).markup)
        page.markup("others", others.isEmpty ? nil : changes(others, earlier, scale).markup)
        page.text("many", others.count == 1 ? "One more rate" : "\(others.count) more rates")
        page.text("none", others.count == 1 ? "not shown" : "none of them shown")
        page.texts("causes", leading.compactMap { cause($0, earlier) })
      })
  }

  private func changes(
    _ changes: [RunComparison.Change], _ earlier: EarlierNumbers, _ scale: ChartScale
  ) -> DataTable {
    DataTable(
      caption: "Each rate before and now",
      columns: [
        .words("Metric"), .number("before"), .number("people"), .number("now"), .number("people"),
        .plot("difference, pp", axis: IntervalStrip.axis(scale)), .number("difference"),
        .words("Verdict"),
      ],
      rows: changes.map { change in
        let words = MetricWords.of(change.metric, step: change.step, flow)
        let isShown = earlier.comparison.isShown(change)
        let value = change.isLike ? change.difference.value : nil
        let points = change.isLike ? RunComparison.points(change) : "–"
        let strip = IntervalStrip(
          title: "\(SafeText.name(words, limit: 60)): \(points)", value: value?.estimate,
          low: value?.interval.lower, high: value?.interval.upper, scale: scale, reference: 0,
          isQuiet: !isShown)
        let now =
          earlier.sharedLookBackDays == nil
          ? analysis.datum(change.metric, step: change.step) : nil
        return [
          .name(words.capitalizedFirst),
          .number(change.before.estimate.map { Shown(DisplayText.percent($0)) }),
          .number(Shown.count(change.before.trials)),
          .number(now?.rate ?? change.after.estimate.map { Shown(DisplayText.percent($0)) }),
          .number(now?.total ?? Shown.count(change.after.trials)),
          .plot(strip.markup), .number(Shown(DisplayText.sentence(points))),
          .tag(verdict(change, isShown: isShown), tone: ""),
        ]
      })
  }

  private func verdict(_ change: RunComparison.Change, isShown: Bool) -> String {
    guard change.isLike else { return "≠ another definition" }
    guard change.pAdjusted != nil else { return "not tested" }
    guard isShown, let value = change.difference.value else { return "no clear change" }
    return value.estimate > 0 ? "▲ rose" : "▼ fell"
  }

  /// `Completion: +0.4 points because other people came, +5.1 because people of one kind …`
  private func cause(_ change: RunComparison.Change, _ earlier: EarlierNumbers) -> String? {
    guard earlier.comparison.isShown(change), let cause = earlier.cause(of: change) else {
      return nil
    }
    let words = MetricWords.of(change.metric, step: change.step, flow).capitalizedFirst
    let parts =
      [
        "\(RateText.signedNumber(cause.mix)) points because other people came",
        "\(RateText.signedNumber(cause.rate)) because people of the same kind did otherwise",
      ]
      + (cause.newKinds == 0
        ? []
        : [
          "\(RateText.signedNumber(cause.newKinds)) by kinds that only one side has, or nearly"
        ])
    let kinds = cause.dimensions.map { SafeText.name($0, limit: 40) }.listed
    return DisplayText.sentence("\(words): \(parts.listed) (by \(kinds)).")
  }
}
