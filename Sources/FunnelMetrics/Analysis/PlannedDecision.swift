internal import ExperimentStatistics
package import FlowDefinition
internal import ReportText

/// What the plan of an experiment says about one variant: ship, don't ship, keep running.
///
/// A single look is taken when the sample is as large as planned and not before, since a test that
/// is repeated until it shows something finds differences that aren't there. An always-valid
/// comparison is decided as soon as it shows something. GrowthBook's decision framework has the
/// same rules: https://docs.growthbook.io/app/experiment-decisions
package struct PlannedDecision {
  package let flow: Flow
  package let summary: ExperimentSummary
  package let variant: String
  package let primary: MetricComparison
  let guardrails: [MetricComparison]
  /// Guardrails that the data cannot know: of none of them is it known that they hold.
  private let unknown: [(rate: TestedRate, reason: Unmeasured.Reason)]
  package let pace: EntryPace?
  /// The experiment takes in nobody any more.
  package let isOver: Bool

  /// `nil` where the experiment has no plan, or its primary metric can't be measured.
  package init?(
    _ analysis: Analysis, _ summary: ExperimentSummary, _ variant: String, horizon: Int64?
  ) {
    let own = summary.comparisons.filter { $0.variant == variant && $0.isRandomised }
    guard let primary = own.first(where: { $0.role == .primary }),
      let index = analysis.flow.experiments.firstIndex(where: { $0.id == summary.id }),
      let plan = analysis.flow.experiments[index].plan
    else { return nil }
    flow = analysis.flow
    self.summary = summary
    self.variant = variant
    self.primary = primary
    guardrails = own.filter { $0.role.margin != nil }
    unknown = plan.guardrails.compactMap { guardrail in
      let rate = guardrail.rate
      return analysis.unmeasured.reason(for: rate.metric, step: rate.step).map { (rate, $0) }
    }
    let end = flow.experiments[index].endMilliseconds
    isOver = end.flatMap { end in horizon.map { $0 >= end } } ?? false
    pace = analysis.pace(summary.id, horizon: horizon)
  }

  /// Why the primary metric of an experiment is unknown; `nil` where it is known, or there is none.
  package static func reasonForUnknownPrimary(
    _ analysis: Analysis, _ summary: ExperimentSummary
  ) -> Unmeasured.Reason? {
    let plan = analysis.flow.experiments.first { $0.id == summary.id }?.plan
    return plan.flatMap {
      analysis.unmeasured.reason(for: $0.primary.metric, step: $0.primary.step)
    }
  }

  /// The decisions on all variants of an experiment that has a plan; empty where no decision can
  /// be taken on it.
  package static func all(
    _ analysis: Analysis, _ summary: ExperimentSummary, horizon: Int64?
  ) -> [PlannedDecision] {
    guard summary.doubts.isEmpty, analysis.flow.counting == .persons,
      analysis.unmeasured.reason(ofExperiment: summary.id) == nil
    else { return [] }
    return summary.arms.compactMap {
      PlannedDecision(analysis, summary, $0.variant, horizon: horizon)
    }
  }

  package enum Outcome: String, Hashable {
    case ship
    case reject = "don't ship"
    case keepRunning = "keep running"
    case undecidable = "not decided"
  }

  package var outcome: Outcome {
    // Nothing is shipped, and nothing is waited for, while a guardrail can't be seen.
    unknown.isEmpty || outcomeOfKnown == .reject ? outcomeOfKnown : .undecidable
  }

  private var outcomeOfKnown: Outcome {
    if !primary.isSequential && primary.phase == nil && lacks { return keepRunning }
    if guardrails.contains(where: { $0.verdict == .beyondMargin }) { return .reject }
    switch VerdictText(primary).tone {
    case .bad: return .reject
    case .neutral: return primary.verdict == .noneShown ? .reject : keepRunning
    case .good:
      let open = guardrails.filter { $0.verdict != .withinMargin }
      if open.isEmpty { return .ship }
      return open.contains { $0.verdict == .noneShown } ? .reject : keepRunning
    }
  }

  /// Whether any decisive metric has fewer people than planned.
  private var lacks: Bool { missing.map { $0.total > 0 } ?? true }

  private var keepRunning: Outcome {
    isOver || (missing == nil && !isTooYoung) ? .undecidable : .keepRunning
  }

  /// The time that a decisive metric takes is over for nobody yet, so that nothing is known of it.
  private var isTooYoung: Bool {
    let people = summary.arms.filter { [variant, summary.control].contains($0.variant) }
    return people.count == 2 && people.allSatisfy { $0.entered > 0 }
      && ([primary] + guardrails).contains(where: \.isTooYoung)
  }

  /// A decisive metric's control is at 0 or 100 %: from that no sample can be planned.
  private var isUnplannable: Bool {
    ([primary] + guardrails).contains { $0.missing == nil && $0.unplannable != nil }
  }

  /// What the metric that needs most lacks: of an always-valid comparison, of what is open.
  private var missing: Power.SampleSize? {
    let decisive = ([primary] + guardrails).filter {
      !$0.isSequential || VerdictText($0).tone == .neutral
    }
    var most = Power.SampleSize(treatment: 0, control: 0)
    for comparison in decisive {
      guard let missing = comparison.missing else { return nil }
      most = Power.SampleSize(
        treatment: max(most.treatment, missing.treatment),
        control: max(most.control, missing.control))
    }
    return most
  }

  private func name(_ comparison: MetricComparison) -> String {
    MetricWords.of(comparison.metric, step: comparison.step, flow)
  }

  // MARK: Words

  package var names: ExperimentNames { ExperimentNames(summary.id, flow) }

  package var title: String { names.naming(brief) }

  package var brief: String {
    let pair = names.pair(variant, summary.control)
    switch outcome {
    case .ship: return worse.isEmpty ? "Ship: \(pair)" : "Ship by the plan: \(pair)"
    case .reject: return "Don’t ship: \(pair)"
    case .undecidable: return "Not decided: \(pair)"
    case .keepRunning:
      guard let day else { return "Keep running: \(pair)" }
      return "Keep running until about \(day): \(pair)"
    }
  }

  private var day: String? {
    missing.flatMap { missing in
      // With a planned size nobody may be missing, while windows are open.
      primary.phase != nil && missing.total == 0
        ? nil : pace?.day(of: missing, variant: variant)
    }
  }

  package var text: String {
    ([primaryWords, harm] + guardrails.map(guardrailWords) + unknownWords + [waiting, gains])
      .compactMap { $0 }.joined(separator: " ")
  }

  private var primaryWords: String {
    let isShown = VerdictText(primary).tone != .neutral
    let soFar = outcome == .keepRunning && isShown ? " so far" : ""
    let verdict = VerdictText(primary).sentence(perWeek: nil)
    return "Primary metric \(name(primary)): \(verdict)\(soFar)."
  }

  private func guardrailWords(_ guardrail: MetricComparison) -> String {
    "Guardrail \(name(guardrail)): \(VerdictText(guardrail).sentence(perWeek: nil))."
  }

  private var unknownWords: [String] {
    unknown.map {
      "Guardrail \(MetricWords.of($0.rate.metric, step: $0.rate.step, flow)): unknown. "
        + $0.reason.sentence
    }
  }

  /// What is missing, and when it is there.
  private var waiting: String? {
    if outcome == .undecidable && !unknown.isEmpty { return nil }
    guard outcome == .keepRunning || outcome == .undecidable else { return decidedBy }
    if primary.phase != nil && missing?.total == 0 {
      return "All planned people have entered; it is decided when their windows are over."
    }
    if isTooYoung { return "It can be decided once that time is over." }
    guard let missing else {
      if !isUnplannable { return "No number of people would decide it." }
      return isOver
        ? "The experiment is over, and how many more people were needed is not known."
        : "How many more people are needed is not known yet."
    }
    let people = "\(NumberText.grouped(missing.total)) more people, both variants together,"
    if isOver { return "The experiment is over, and \(people) were planned." }
    guard let pace else { return "\(people.capitalizedFirst) are needed; nobody enters now." }
    if let since = pace.quietSince {
      return "\(people.capitalizedFirst) are needed; nobody has joined since \(since)."
    }
    let perDay = NumberText.grouped(max(1, Int(pace.perDay.rounded())))
    let rate = "at the pace of \(perDay) a day (\(pace.dates))"
    let when = day == nil ? "more than three years \(rate)" : rate
    let rule =
      MissingPersonsText.isFarOff(Double(missing.total), perWeek: pace.perDay * 7)
      ? " \(MissingPersonsText.waitingIsNoUse)"
      : primary.isSequential
        ? "" : " This is a test for a single look: it is decided then, and not before."
    return "\(people.capitalizedFirst) are needed, \(when).\(rule)"
  }

  /// Which of the looks at an experiment with a planned size decided.
  private var decidedBy: String? {
    switch primary.phase {
    case nil: nil
    case .watched(let people, _):
      "Decided by the always-valid interval, before the planned look at "
        + "\(NumberText.grouped(people)) people."
    case .planned(let people, let cohort):
      "Decided at the planned size of \(NumberText.grouped(people)) people, by those who entered "
        + "up to the end of \(SafeText.name(cohort)): an interval of a single look."
    }
  }

  private func secondary(_ tone: VerdictText.Tone) -> [MetricComparison] {
    summary.comparisons.filter {
      $0.variant == variant && $0.role == .secondary && VerdictText($0).tone == tone
    }
  }

  /// What else is shown to have suffered.
  private var worse: [MetricComparison] { secondary(.bad) }

  private var gains: String? {
    let better = MetricWords.list(secondary(.good), flow)
    return better.isEmpty ? nil : "Also better: \(better)."
  }

  private var harm: String? { PlannedDecision.unguarded(worse, flow) }

  /// `Worse: day 7 retention −10.1 points; no guardrail is declared for it.`; `nil` of nothing.
  package static func unguarded(_ worse: [MetricComparison], _ flow: Flow) -> String? {
    let unguarded = worse.filter { $0.role == .secondary }
    guard !unguarded.isEmpty else { return nil }
    let words = unguarded.map { comparison -> String in
      let name = MetricWords.inSentence(comparison.metric, step: comparison.step, flow)
      let points = comparison.difference.value.map {
        " \(RateText.signedNumber($0.estimate)) points"
      }
      return name + (points ?? "")
    }
    return "Worse: \(words.listed); no guardrail is declared for "
      + "\(words.count == 1 ? "it" : "them")."
  }
}
