internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelMetrics
internal import ReportText

/// What the experiments say about completion and retention.
struct ComparisonFindings {
  let analysis: Analysis
  /// Up to when the data are complete.
  let horizon: Int64?

  /// What is decided comes first: of several experiments the others have nothing to say yet.
  func drafts() -> [FindingDraft] {
    let drafts = analysis.experiments.filter(\.doubts.isEmpty).flatMap { summary in
      summary.arms.filter { $0.share != nil && $0.variant != summary.control }.compactMap {
        draft(summary, $0.variant)
      }
    }
    return drafts.filter { $0.tone != .neutral } + drafts.filter { $0.tone == .neutral }
  }

  private func draft(_ summary: ExperimentSummary, _ variant: String) -> FindingDraft? {
    if let crossing = summary.crossing(variant) {
      let words = CrossingWords(crossing, analysis)
      return FindingDraft(
        kind: .experiment, tone: .bad, claim: "\(words.claim.capitalizedFirst)",
        detail: "(\(words.numbers)). \(words.advice)", chart: .experiment(summary.id))
    }
    var names: [MetricName] = [.completionRate]
    if let measure = RetentionMeasure.telling(analysis) { names.append(.retention(measure)) }
    let own = summary.comparisons.filter { $0.variant == variant }
    // What the experiment is for comes first, whatever it is.
    let primary = own.first { $0.role == .primary }
    var told =
      [primary].compactMap(\.self)
      + names.filter { $0 != primary?.metric }
      .compactMap { name in own.first { $0.metric == name } }
    // What is shown of any other metric says more than that these are open.
    if told.allSatisfy({ VerdictText($0).tone == .neutral }),
      let shown = own.first(where: {
        $0.isRandomised && $0.role.margin == nil && VerdictText($0).tone != .neutral
      })
    {
      told.append(shown)
    }
    let all = told.compactMap { ComparedWords($0, analysis, horizon: horizon) }
    guard let leading = leading(all) else { return nil }
    // A guardrail that holds is no finding in favour of a variant.
    let tones = all.filter { $0.comparison.verdict != .withinMargin }.map(\.tone)
    var others = all.indices.filter { $0 != leading }.map { all[$0].sentence.capitalizedFirst }
    if let clearest = ClearestDifference(own, analysis)?.comparison,
      !told.contains(where: { $0.metric == clearest.metric && $0.step == clearest.step }),
      let words = ComparedWords(clearest, analysis, horizon: horizon)
    {
      others.append(words.clearest.capitalizedFirst)
    }
    let opposed = opposed(to: all[leading].comparison)
    // Those of the claim, as far as nothing above has their numbers.
    for words in opposed
    where !told.contains(where: {
      $0.metric == words.comparison.metric && $0.step == words.comparison.step
    }) {
      others.append(words.sentence.capitalizedFirst)
    }
    let title = analysis.names(ofExperiment: summary.id).title
    let words = ["Experiment \(title): \(all[leading].numbers)."] + others
    return FindingDraft(
      kind: .experiment,
      tone: tones.contains(.bad) || opposed.contains { $0.tone == .bad }
        ? .bad : tones.contains(.good) ? .good : .neutral,
      claim: all[leading].claim(but: opposed), detail: words.joined(separator: " "),
      chart: .experiment(summary.id), subject: subject(all[leading].comparison))
  }

  /// What is shown to be worse, of a claim that a variant is better.
  private func opposed(to leading: MetricComparison) -> [ComparedWords] {
    guard VerdictText(leading).tone == .good else { return [] }
    return OpposedMetrics(leading, analysis).comparisons.prefix(OpposedMetrics.mostNamed)
      .compactMap { ComparedWords($0, analysis, horizon: horizon) }
  }

  /// What the claim is of: of an experiment with a plan its primary metric, unless a guardrail
  /// doesn't hold; else what is decided, and the first where nothing is.
  private func leading(_ all: [ComparedWords]) -> Int? {
    guard all.first?.comparison.role == .primary else {
      return all.firstIndex { $0.tone != .neutral } ?? all.indices.first
    }
    return all.firstIndex { $0.comparison.verdict == .beyondMargin } ?? 0
  }

  /// The rates of everyone in two variants, where these are what is compared.
  private func subject(_ comparison: MetricComparison) -> FindingSubject? {
    if comparison.isWithinPeriods || comparison.isAtPlannedSize || comparison.step != "all" {
      return nil
    }
    return .comparison(
      experiment: comparison.experiment, variant: comparison.variant, control: comparison.control,
      metric: comparison.metric)
  }
}
