internal import ExperimentStatistics
internal import FlowDefinition

/// What the experiments say about completion and retention.
struct ComparisonFindings {
  let analysis: Analysis

  func drafts() -> [FindingDraft] {
    analysis.experiments.filter { !$0.hasSampleRatioMismatch }.flatMap { summary in
      summary.arms.filter { $0.share != nil && $0.variant != summary.control }.compactMap {
        draft(summary, $0.variant)
      }
    }
  }

  private func draft(_ summary: ExperimentSummary, _ variant: String) -> FindingDraft? {
    var names = ["completion_rate"]
    if let measure = RetentionMeasure.telling(analysis) { names.append("retention_\(measure.id)") }
    let comparisons = names.compactMap { name in
      summary.comparisons.first { $0.variant == variant && $0.metric == name }
    }
    var parts = comparisons.compactMap(sentence)
    guard !parts.isEmpty else { return nil }
    if let duration = durationSentence(summary, variant) { parts.append(duration) }
    let tones = comparisons.map { VerdictText($0).tone }
    return FindingDraft(
      kind: .experiment,
      tone: tones.contains(.bad) ? .bad : tones.contains(.good) ? .good : .neutral,
      text: "Experiment \(summary.id), \(variant) against \(summary.control): "
        + parts.enumerated().map { $0.offset == 0 ? $0.element : $0.element.capitalizedFirst }
        .joined(separator: " "))
  }

  /// The time to complete, where its distribution is shown to have moved.
  private func durationSentence(_ summary: ExperimentSummary, _ variant: String) -> String? {
    guard
      let duration = analysis.durations.first(where: {
        $0.experiment == summary.id && $0.variant == variant && $0.metric == "time_to_complete"
      }),
      // The rank test is for a single look; a sequential experiment is looked at every day.
      !analysis.flow.experiments.contains(where: { $0.id == summary.id && $0.isSequential }),
      let shift = duration.shift.value, shift.pValue < analysis.flow.statistics.alpha,
      let median = duration.median.value
    else { return nil }
    return "time to complete, of those who finish, \(RateText.seconds(median)) at the median "
      + "(\(RateText.p(shift.pValue)))."
  }

  private func sentence(_ comparison: MetricComparison) -> String? {
    guard let treatment = comparison.treatmentRate.estimate,
      let control = comparison.controlRate.estimate,
      let difference = comparison.difference.value
    else { return nil }
    let verdict = VerdictText(comparison)
    let name = MetricWords.of(comparison.metric, step: comparison.step, analysis.flow)
    func counts(_ rate: Proportion) -> String {
      "(\(NumberText.grouped(rate.successes))/\(NumberText.grouped(rate.trials)))"
    }
    let p = comparison.pAdjusted.map { ", adjusted \(RateText.p($0))" } ?? ""
    let always = comparison.isSequential ? " (always valid)" : ""
    return "\(name) \(RateText.percent(treatment)) \(counts(comparison.treatmentRate)) against "
      + "\(RateText.percent(control)) \(counts(comparison.controlRate)), "
      + "\(RateText.points(difference))\(always)\(p): \(verdict.sentence)."
  }
}
