internal import ExperimentStatistics
package import FunnelMetrics
internal import ReportText

/// What speaks against the metric that a variant was decided by: where more people finish, whatever
/// is shown to be worse. A claim that left it out would hide the price.
package struct OpposedMetrics {
  /// In the order of the experiment's comparisons.
  package let comparisons: [MetricComparison]
  private let analysis: Analysis

  /// More are counted, and not named.
  static let mostNamed = 2

  /// - Parameter comparison: a metric of a variant, decided.
  package init(_ comparison: MetricComparison, _ analysis: Analysis) {
    self.analysis = analysis
    let tone = VerdictText(comparison).tone
    let own = analysis.experiments.first { $0.id == comparison.experiment }?.comparisons ?? []
    comparisons =
      tone == .neutral
      ? []
      : own.filter {
        let other = VerdictText($0).tone
        // That a guardrail holds is no gain.
        return $0.variant == comparison.variant && $0.isRandomised
          && $0.verdict != .withinMargin && other != .neutral && other != tone
      }
  }

  /// `, but day 7 retention 35 % → 25 %`, with the rates as `rates` writes them; empty where
  /// nothing is opposed.
  func but(_ rates: (MetricComparison) -> String?) -> String {
    let named = comparisons.prefix(Self.mostNamed).map { comparison in
      let name = MetricWords.inSentence(comparison.metric, step: comparison.step, analysis.flow)
      return SafeText.name(name, limit: 60) + (rates(comparison).map { " \($0)" } ?? "")
    }
    let others = comparisons.count - named.count
    let words = named + (others > 0 ? [CountText.of(others, "other metric")] : [])
    return words.isEmpty ? "" : ", but \(words.listed)"
  }
}
