internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// What is worse, or better, with the newest version of the flow than with the one before, beside
/// completion.
struct VersionRateFindings {
  let analysis: Analysis

  func drafts() -> [FindingDraft] {
    guard let rates = VersionRates(analysis), let first = rates.changes.first else { return [] }
    let others = rates.changes.dropFirst().map { "Also \(words($0)) (\(numbers($0)))." }
    let rest = others.isEmpty ? "" : " " + others.joined(separator: " ")
    return [
      FindingDraft(
        kind: .version, tone: first.isWorse ? .bad : .good, claim: claim(first, rates),
        detail: """
          (\(numbers(first))).\(rest) People weren’t randomised, so the version may not be the \
          cause.
          """, chart: ChartID("retention", "Goals"))
    ]
  }

  /// `“First event type” is lower with flow version 2 than with 1: 71.7 % → 50.7 %`
  private func claim(_ change: VersionRates.Change, _ rates: VersionRates) -> Sentence {
    let names = [rates.newest, rates.before].map { SafeText.name($0.version, limit: 24) }
    let direction = change.difference < 0 ? "lower" : "higher"
    return """
      \(name(change).capitalizedFirst) is \(direction) with flow version \(names[0]) than with \
      \(names[1]): \(change.before.saidRate) → \(change.newest.saidRate)
      """
  }

  /// `day 7 retention: 11.2 % → 6.0 %`
  private func words(_ change: VersionRates.Change) -> Sentence {
    "\(name(change)): \(change.before.saidRate) → \(change.newest.saidRate)"
  }

  private func numbers(_ change: VersionRates.Change) -> Sentence {
    """
    \(change.before.saidCount) of \(change.before.saidTotal), then \(change.newest.saidCount) of \
    \(change.newest.saidTotal); \(RateText.signedNumber(change.difference)) points, adjusted \
    \(RateText.p(change.pAdjusted))
    """
  }

  private func name(_ change: VersionRates.Change) -> String {
    SafeText.name(
      MetricWords.inSentence(change.metric, step: change.step, analysis.flow), limit: 60)
  }
}
