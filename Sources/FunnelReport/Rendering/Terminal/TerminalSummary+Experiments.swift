internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

extension TerminalSummary {
  mutating func addExperiments() {
    for summary in analysis.experiments {
      let names = analysis.names(ofExperiment: summary.id)
      let control = names.variant(summary.control)
      page.heading(
        "EXPERIMENT \(names.title)",
        note: "against \(control)\(control == "control" ? "" : ", the control")")
      if let period = ExperimentPeriod(report, summary) { page.paragraph(period.text) }
      addSplit(summary)
      let horizon = report.provenance.horizonMilliseconds
      for decision in PlannedDecision.all(analysis, summary, horizon: horizon) {
        page.paragraph(
          "\(decision.title). \(decision.text)",
          paint: decision.tone == .ready ? .green : nil)
      }
      let treatments = summary.arms.map(\.variant).filter { variant in
        summary.comparisons.contains { $0.variant == variant }
      }
      for treatment in treatments { addComparisons(summary, treatment) }
      for sentence in AdjustmentSentences(flow: flow, summary: summary).all() {
        page.paragraph(sentence, paint: .dim)
      }
    }
    if !analysis.experiments.isEmpty {
      page.paragraph(
        "\(IntervalWords.ofExperiments(flow)) None shown: there are enough people to detect a lift "
          + "of \(RateText.bound(flow.statistics.targetLift)); too early: there are not.",
        paint: .dim)
    }
  }

  private mutating func addSplit(_ summary: ExperimentSummary) {
    let declared = summary.arms.filter { $0.share != nil }
    let total = declared.reduce(0) { $0 + $1.entered }
    let names = analysis.names(ofExperiment: summary.id)
    let arms = summary.arms.prefix(8).map { arm in
      let name = "\(names.variant(arm.variant, limit: 24)) \(NumberText.grouped(arm.entered))"
      guard let share = arm.share else { return name + " (undeclared)" }
      let rate = Proportion(successes: arm.entered, trials: total).estimate
      return name + " (\(TerminalPage.rate(rate)), target \(RateText.planned(share)))"
    }
    var text = "entered: " + arms.joined(separator: ", ")
    let sentences = SplitSentences(analysis: analysis, summary: summary)
    if let p = summary.sampleRatio.value?.pValue, !summary.hasMixedAccounts {
      text +=
        summary.hasSampleRatioMismatch && !summary.isMismatchOfAssigned
        ? "; SAMPLE-RATIO MISMATCH, \(RateText.p(p)): no verdict"
        : summary.hasTooFewForSplit
          ? "; too few to say whether the split is as planned"
          : "; split as planned\(summary.hasChangingSplit ? " as a whole" : ""), "
            + "\(RateText.p(p))\(sentences.test)"
    }
    text += sentences.others.isEmpty ? "." : ". \(sentences.others)"
    text += sentences.leftOut.map { " \($0.text)" }.joined()
    if summary.isMismatchOfAssigned { text += " \(sentences.mismatch.text) NO VERDICT." }
    for doubt in summary.doubts where doubt != .sampleRatioMismatch {
      text += " NO VERDICT: \(doubt.reason)."
    }
    page.paragraph(text, paint: summary.doubts.isEmpty ? nil : .red)
  }

  private mutating func addComparisons(_ summary: ExperimentSummary, _ treatment: String) {
    let title = analysis.names(ofExperiment: summary.id).variant(treatment)
    let shown = analysis.shown(summary.comparisons).filter { $0.variant == treatment }
    // Small rates need more digits.
    func columns(_ least: Int, _ text: (MetricComparison) -> String) -> Int {
      shown.reduce(least) { max($0, TextWidth.of(text($1)) + 2) }
    }
    let own = columns(8) { TerminalPage.rate($0.comparedRates.treatment) }
    let other = columns(8) { TerminalPage.rate($0.comparedRates.control) }
    let points = columns(25, difference)
    let nameColumns = max(8, page.width - 2 - own - other - points - 12)
    let head =
      TextWidth.right("rate", own) + TextWidth.right("control", other)
      + TextWidth.right("difference, points", points) + "  verdict"
    page.line(
      "  " + page.paint(TextWidth.left(title, nameColumns), .bold) + page.paint(head, .dim))
    for comparison in shown {
      let verdict = VerdictText(comparison)
      let color: TerminalPage.Paint? =
        switch verdict.tone {
        case .good: .green
        case .bad: .red
        case .neutral: nil
        }
      let words =
        MetricWords.of(comparison.metric, step: comparison.step, flow) + comparison.role.remark
      page.line(
        "  " + TextWidth.left(SafeText.name(words), nameColumns)
          + TextWidth.right(TerminalPage.rate(comparison.comparedRates.treatment), own)
          + TextWidth.right(TerminalPage.rate(comparison.comparedRates.control), other)
          + TextWidth.right(difference(comparison), points)
          + "  " + page.paint(TextWidth.fit(short(verdict), 10), color))
    }
    for sentence in ValueSentences(flow: flow, summary: summary).all(of: treatment) {
      page.paragraph(sentence, paint: .dim)
    }
    addDuration(summary, treatment)
  }

  /// The time that finishing takes, in a line of its own below the rates.
  private mutating func addDuration(_ summary: ExperimentSummary, _ treatment: String) {
    guard
      let duration = analysis.durations.first(where: {
        $0.experiment == summary.id && $0.variant == treatment && $0.metric == .timeToComplete
      }),
      let median = duration.median.value
    else { return }
    page.paragraph(
      "time to complete, among those who finish (not randomised): median "
        + RateText.seconds(median), paint: .dim)
  }

  private func short(_ verdict: VerdictText) -> String {
    switch verdict.word {
    case "no difference shown": "none shown"
    case "not shown to hold": "not shown"
    case "no verdict": "–"
    default: verdict.word
    }
  }

  private func difference(_ comparison: MetricComparison) -> String {
    guard let value = comparison.difference.value else { return "–" }
    return
      "\(TerminalPage.points(value.estimate)) (\(TerminalPage.points(value.interval.lower)) to "
      + "\(TerminalPage.points(value.interval.upper)))"
  }
}
