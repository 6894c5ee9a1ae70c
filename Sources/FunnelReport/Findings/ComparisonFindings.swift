internal import ExperimentStatistics
internal import FlowDefinition

/// What the experiments say about completion and retention.
struct ComparisonFindings {
  let analysis: Analysis
  /// Up to when the data are complete.
  let horizon: Int64?

  /// What is decided comes first: of several experiments the others have nothing to tell yet.
  func drafts() -> [FindingDraft] {
    let drafts = analysis.experiments.filter(\.doubts.isEmpty).flatMap { summary in
      summary.arms.filter { $0.share != nil && $0.variant != summary.control }.compactMap {
        draft(summary, $0.variant)
      }
    }
    return drafts.filter { $0.tone != .neutral } + drafts.filter { $0.tone == .neutral }
  }

  private func draft(_ summary: ExperimentSummary, _ variant: String) -> FindingDraft? {
    var names = ["completion_rate"]
    if let measure = RetentionMeasure.telling(analysis) { names.append("retention_\(measure.id)") }
    let comparisons = names.compactMap { name in
      summary.comparisons.first { $0.variant == variant && $0.metric == name }
    }
    let parts = comparisons.compactMap(sentence)
    guard !parts.isEmpty else { return nil }
    // A guardrail that holds is no finding in favour of a variant.
    let tones = comparisons.filter { $0.verdict != .withinMargin }.map { VerdictText($0).tone }
    let said = parts.enumerated().map { $0.offset == 0 ? $0.element : $0.element.capitalizedFirst }
    return FindingDraft(
      kind: .experiment,
      tone: tones.contains(.bad) ? .bad : tones.contains(.good) ? .good : .neutral,
      text: """
        Experiment \(summary.id), \(variant) against \(summary.control): \
        \(said.joined(separator: " "))
        """)
  }

  private func sentence(_ comparison: MetricComparison) -> Sentence? {
    func datum(_ prefix: String, _ variant: String) -> Datum? {
      analysis.datum(
        prefix + comparison.metric, step: comparison.step,
        in: Slice(experiment: comparison.experiment, variant: variant))
    }
    guard let treatment = datum("", comparison.variant), treatment.row.value != nil,
      let control = datum("", comparison.control), control.row.value != nil,
      let difference = datum("difference_", comparison.variant), difference.row.value != nil
    else { return nil }
    let name = MetricWords.of(comparison.metric, step: comparison.step, analysis.flow)
    let adjusted = datum("p_adjusted_", comparison.variant)?.saidProbability
    let p: Sentence = adjusted.map { ", adjusted \($0)" } ?? ""
    let perWeek = analysis.pace(comparison.experiment, horizon: horizon)?
      .perWeek([comparison.variant, comparison.control])
    let verdict = VerdictText(comparison).sentence(perWeek: perWeek)
    let strata = comparison.stratification.map { " stratified by \($0.dimension)" } ?? ""
    let always = comparison.isSequential ? " (always valid)" : ""
    if comparison.isAtPlannedSize {
      return "\(name) \(difference.saidPoints) among the planned people\(p): \(verdict)."
    }
    if comparison.isWithinPeriods {
      // The rates of all periods together are not what is compared.
      return """
        \(name) \(difference.saidPoints)\(strata) within the periods of one split\(always)\(p): \
        \(verdict).
        """
    }
    return """
      \(name) \(treatment.saidRate) \(treatment.saidCounts) against \
      \(control.saidRate) \(control.saidCounts), \
      \(difference.saidPoints)\(strata)\(always)\(p): \(verdict).
      """
  }
}
