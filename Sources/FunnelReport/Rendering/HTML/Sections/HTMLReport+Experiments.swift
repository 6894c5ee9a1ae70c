internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

extension HTMLReport {
  func experimentsSection() -> Markup? {
    guard !analysis.experiments.isEmpty else { return nil }
    return PageTemplates.fill(
      .experiments,
      TemplateContext { page in
        page.list("experiments", analysis.experiments.map(experiment))
      })
  }

  private func experiment(_ summary: ExperimentSummary) -> TemplateContext {
    let variants = summary.arms.map(\.variant).filter { variant in
      summary.comparisons.contains { $0.variant == variant }
    }
    return TemplateContext { page in
      page.text("id", ChartID.experiment(summary.id).text)
      page.markup("name", Markup { $0.name("Experiment \(names(summary).title)", limit: 80) })
      page.texts(
        "period", ExperimentPeriod(report, summary).map { [DisplayText.sentence($0.text)] } ?? [])
      page.markup("split", split(summary))
      page.markup("arms", arms(summary).markup)
      page.list("variants", variants.map { variant(summary, $0) })
      page.texts("notes", notes(summary))
    }
  }

  private func names(_ summary: ExperimentSummary) -> ExperimentNames {
    analysis.names(ofExperiment: summary.id)
  }

  private func split(_ summary: ExperimentSummary) -> Markup {
    let arm = summary.arms.first { $0.share != nil }
    let sentences = SplitSentences(analysis: analysis, summary: summary)
    let test = summary.isMismatchOfAssigned ? MetricName.srmPAssigned : .srmP
    let p = arm.flatMap {
      analysis.datum(test, in: Slice(experiment: summary.id, variant: $0.variant))
    }
    return Markup { page in
      if summary.hasSampleRatioMismatch {
        page.element("span", ["class": "tag alarm"], text: "sample-ratio mismatch")
        page.text(
          " The split\(summary.isMismatchOfAssigned ? " of everyone assigned" : "") is not the "
            + "planned one, so no verdict is given; p ")
      } else if summary.hasMixedAccounts {
        page.text("Each account counts for every variant that its people have; p of their split ")
      } else if analysis.flow.counting == .attempts {
        page.text("Every attempt is counted, so neither the split nor a difference is tested; p ")
      } else if summary.hasChangingSplit {
        page.element("span", ["class": "tag alarm"], text: "split changed")
        page.text(
          " As a whole the split fits the planned one, but not at all times; p of the whole ")
      } else if analysis.flow.guessed.contains(.experiment) {
        page.text("The experiment is a guess, and so the split isn’t tested; p ")
      } else if summary.hasTooFewForSplit {
        page.text("Too few people have entered to say whether they are split as planned; p ")
      } else {
        page.element("span", ["class": "tag good"], text: "split as planned")
        page.text(" How many people entered each variant fits the planned split; p ")
      }
      page.number(p?.probability)
      page.text("\(sentences.test). \(DisplayText.sentence(sentences.others))")
      for sentence in sentences.leftOut {
        page.text(" ")
        page.sentence(DisplaySentence(sentence))
      }
      for doubt in summary.doubts where doubt != .sampleRatioMismatch {
        page.text(" ")
        page.element("span", ["class": "tag alarm"], text: "no verdict")
        page.text(" \(doubt.reason.capitalizedFirst). \(doubt.advice)")
      }
      if flow.experiments.contains(where: { $0.id == summary.id && $0.periods.count > 1 }) {
        page.text(" The split changed: rates are compared within each of its periods.")
      }
    }
  }

  private func arms(_ summary: ExperimentSummary) -> DataTable {
    let shown = summary.arms.prefix(HTMLReport.maximumSlices + 2)
    let total = summary.arms.filter { $0.share != nil }.reduce(0) { $0 + $1.entered }
    let hasTitles = shown.contains { names(summary).hasTitle($0.variant) }
    return DataTable(
      caption: "How people were split; people who saw several variants are in the row of each",
      columns: [.words("Variant")] + (hasTitles ? [.words("In events")] : []) + [
        .plot("share"), .number("entered"), .number("target"),
        .number("people"), .number("saw several variants"),
      ],
      rows: shown.map { arm in
        let slice = Slice(experiment: summary.id, variant: arm.variant)
        let name = names(summary).variant(arm.variant, limit: 60)
        let isControl = arm.variant == summary.control
        return [.name(name + (isControl ? " (control)" : ""))]
          + (hasTitles ? [.name(arm.variant)] : []) + [
            .plot(
              StackBar(
                title: "\(name): "
                  + "\(DisplayText.count(arm.entered)) of \(DisplayText.count(total))",
                parts: [.init(name: name, count: arm.entered, fill: "on")], total: total
              ).markup),
            .number(analysis.datum(.entered, in: slice)?.count),
            .number(
              Shown(
                arm.share.map { DisplayText.sentence(RateText.planned($0)) } ?? "not declared")),
            .number(analysis.datum(.persons, in: slice)?.count),
            .number(analysis.datum(.contaminated, in: slice)?.count),
          ]
      })
  }

  private func variant(_ summary: ExperimentSummary, _ name: String) -> TemplateContext {
    let all = analysis.shown(summary.comparisons).filter { $0.variant == name }
    let comparisons = all.filter(\.isRandomised)
    let others = all.filter { !$0.isRandomised }
    return TemplateContext { page in
      page.text("id", ChartID("experiments", summary.id, name).text)
      page.markup(
        "name", Markup { $0.name(names(summary).pair(name, summary.control), limit: 90) })
      let slice = Slice(experiment: summary.id, variant: name)
      page.markup("variant", tag(slice).map { Markup(escaping: $0) })
      page.text(
        "about",
        "Difference in percentage points with "
          + (comparisons.contains(where: \.isSequential)
            ? "intervals that hold however often you check" : "intervals")
          + "; right of zero the variant’s rate is the higher one. "
          + DisplayText.sentence(IntervalWords.ofExperiments(flow)) + power(comparisons))
      let scale = scale(comparisons)
      let clearest = ClearestDifference(comparisons, analysis)?.comparison
      func isOpen(_ one: MetricComparison) -> Bool {
        isLeading(one) || one.metric == clearest?.metric && one.step == clearest?.step
      }
      // With an exposure it is of these people alone.
      let whose = summary.arms.contains { $0.assigned != nil } ? "exposed" : "assigned"
      page.markup("forest", forest(comparisons.filter(isOpen), whose, scale).markup)
      let more = comparisons.filter { !isOpen($0) }
      page.markup("more", more.isEmpty ? nil : forest(more, whose, scale).markup)
      page.text("many", ReportWords.undecidedMetrics(more.count))
      page.markup("table", numbers(comparisons).markup)
      page.markup("others", others.isEmpty ? nil : amongSome(others).markup)
      page.list("diary", diary(summary, name))
    }
  }

  /// What a reader looks for first, and whatever is decided.
  private func isLeading(_ comparison: MetricComparison) -> Bool {
    let leading: [MetricName] = [.completionRate, .skipRate, .permissionOptIn]
    let telling = RetentionMeasure.telling(analysis).map { MetricName.retention($0) }
    if ![.together, .secondary].contains(comparison.role) { return true }
    return leading.contains(comparison.metric) || comparison.metric == telling
      || VerdictText(comparison).tone != .neutral
  }

  /// Rates among people who got somewhere after entry: side by side, without a difference.
  private func amongSome(_ comparisons: [MetricComparison]) -> DataTable {
    DataTable(
      caption: "The variant affects who gets here, so don’t compare these",
      columns: [.words("Metric")]
        + ["variant", "control"].flatMap { [.number($0), DataTable.Column.number("people")] },
      rows: comparisons.map { comparison in
        let words = MetricWords.of(comparison.metric, step: comparison.step, flow)
        return [.name(words.capitalizedFirst)]
          + [comparison.variant, comparison.control].flatMap { variant -> [DataTable.Cell] in
            let datum = analysis.datum(
              comparison.metric, step: comparison.step,
              in: Slice(experiment: comparison.experiment, variant: variant))
            return [.number(datum?.rate), .pair(datum?.count, "/", datum?.total)]
          }
      })
  }

  /// What the sample could have shown by now.
  private func power(_ comparisons: [MetricComparison]) -> String {
    guard let completion = comparisons.first(where: { $0.metric == .completionRate }),
      let lift = completion.smallestDetectableLift
    else { return "" }
    let people = completion.treatmentRate.trials + completion.controlRate.trials
    let words = ReportWords.power(people, lift: lift, of: completion.controlRate.estimate)
    return " " + DisplayText.sentence(words)
  }

  private func datum(
    _ how: MetricName.Comparison, _ comparison: MetricComparison
  ) -> Datum? {
    analysis.datum(
      comparison.metric.compared(by: how), step: comparison.step,
      in: Slice(experiment: comparison.experiment, variant: comparison.variant))
  }

  /// The variant's own rate; where another is compared that one.
  private func rate(
    _ comparison: MetricComparison, _ variant: String, _ compared: Double?
  ) -> Shown? {
    if comparison.hasOwnRates {
      return compared.map { Shown(DisplayText.sentence(RateText.percent($0))) }
    }
    return analysis.datum(
      comparison.metric, step: comparison.step,
      in: Slice(experiment: comparison.experiment, variant: variant)
    )?.rate
  }

  /// One for all tables of a variant, so that their rows can be set side by side.
  private func scale(_ comparisons: [MetricComparison]) -> ChartScale {
    let bounds = comparisons.compactMap { $0.difference.value?.interval }
    return ChartScale.differences(
      upTo: bounds.map { max($0.upper.magnitude, $0.lower.magnitude) }.max() ?? 0.1)
  }

  private func forest(
    _ comparisons: [MetricComparison], _ whose: String, _ scale: ChartScale
  ) -> DataTable {
    DataTable(
      caption: "Each metric over everyone \(whose)",
      columns: [
        .words("Metric"), .number("variant"), .number("control"),
        .plot("difference, pp", axis: IntervalStrip.axis(scale)), .number("difference"),
        .number("interval"), .words("Verdict"),
      ],
      rows: comparisons.map { comparison in
        let difference = datum(.difference, comparison)
        let words = MetricWords.of(comparison.metric, step: comparison.step, flow)
        let verdict = VerdictText(comparison)
        let strip = IntervalStrip(
          title: "\(SafeText.name(words, limit: 60)): "
            + (difference?.points?.text ?? "no difference can be told"),
          value: difference?.row.value, low: difference?.row.low, high: difference?.row.high,
          scale: scale, reference: 0, isQuiet: verdict.tone == .neutral)
        return [
          .name(words.capitalizedFirst + comparison.role.remark),
          .number(rate(comparison, comparison.variant, comparison.comparedRates.treatment)),
          .number(rate(comparison, comparison.control, comparison.comparedRates.control)),
          .plot(strip.markup),
          .number(difference?.points),
          .pair(difference?.signedLow, " to ", difference?.signedHigh),
          .tag(verdict.word, tone: tone(verdict)),
        ]
      })
  }

  private func tone(_ verdict: VerdictText) -> String {
    switch verdict.tone {
    case .good: "good"
    case .bad: "bad"
    case .neutral: ""
    }
  }

  private func numbers(_ comparisons: [MetricComparison]) -> DataTable {
    DataTable(
      caption: "Relative lift, p-values, probabilities, power. \(ReportWords.severalProbabilities)"
        + (comparisons.contains(where: \.isSequential) ? " \(ReportWords.alwaysValidP)" : ""),
      columns: [
        .words("Metric"), .number("lift"), .number("interval"), .number("p"), .number("p adjusted"),
        .number("P(rate is higher)"), .number("smallest lift it could show"),
        .number("more people needed"),
      ],
      rows: comparisons.map { comparison in
        let lift = datum(.lift, comparison)
        return [
          .name(MetricWords.of(comparison.metric, step: comparison.step, flow).capitalizedFirst),
          .number(lift?.lift), .pair(lift?.signedLow, " to ", lift?.signedHigh),
          .number(datum(.p, comparison)?.probability),
          .number(datum(.adjustedP, comparison)?.probability),
          .number(datum(.probabilityBetter, comparison)?.probability),
          .number(
            comparison.smallestDetectableLift.map {
              Shown(DisplayText.signed($0) + "\u{A0}%")
            }),
          .number(VerdictText(comparison).missingPersons.map { Shown.count($0) }),
        ]
      })
  }

  private func notes(_ summary: ExperimentSummary) -> [String] {
    let values = ValueSentences(flow: flow, summary: summary).all()
    return AdjustmentSentences(flow: flow, summary: summary).all() + values
      + analysis.honesty.filter { $0.experiment == summary.id }.map { check in
        let name = MetricWords.of(check.metric, step: check.step, flow)
        return "\(names(summary).variant(check.variant)): \(SafeText.name(name, limit: 60)) is "
          + "\(RateText.signedNumber(check.differenceAmongFinished)) pp among finishers, but "
          + "\(RateText.signedNumber(check.differenceOverAll)) pp over all assigned; trust the "
          + "second."
      }
  }
}
