internal import ExperimentStatistics
internal import FlowDefinition
package import FunnelMetrics
internal import ReportText

/// Of an undecided variant, the difference that would be shown were its metric the only one:
/// completion alone would hide that people pay more often.
///
/// The one with the smallest p of those that are below alpha by themselves and not after the
/// adjustment for all metrics. It stays undecided. What nobody of one variant has is left out: it
/// may be of a screen that this variant doesn't show.
package struct ClearestDifference {
  package let comparison: MetricComparison
  private let analysis: Analysis

  /// - Parameter comparisons: of one variant.
  package init?(_ comparisons: [MetricComparison], _ analysis: Analysis) {
    let alpha = analysis.flow.statistics.alpha
    let open = comparisons.filter { comparison in
      guard comparison.isRandomised, comparison.role == .together,
        min(comparison.treatmentRate.successes, comparison.controlRate.successes) > 0,
        let p = comparison.p
      else { return false }
      return p < alpha && (comparison.pAdjusted ?? 0) >= alpha
    }
    guard !comparisons.contains(where: { VerdictText($0).tone != .neutral }),
      let clearest = open.min(by: { $0.p ?? 1 < $1.p ?? 1 })
    else { return nil }
    comparison = clearest
    self.analysis = analysis
  }

  /// Why it isn't shown, for a finding that has its numbers.
  static let reason = "the clearest difference so far of what people of both did. \(alone)"

  private static let alone =
    "Alone it would be significant; adjusted for all metrics it isn’t"

  /// ` Of what people of both did, the clearest difference so far: “Trial started”, 2 % → 7.1 %.
  /// Alone it would be significant; adjusted for all metrics it isn’t.` Of completion, whose
  /// rates stand before: ` Alone …`
  var remark: String {
    if comparison.metric == .completionRate { return " \(ClearestDifference.alone)." }
    let rates = comparison.comparedRates
    guard let control = rates.control, let treatment = rates.treatment else { return "" }
    let name = SafeText.name(MetricWords.list([comparison], analysis.flow), limit: 60)
    let change = "\(RateText.percent(control)) → \(RateText.percent(treatment))"
    return " Of what people of both did, the clearest difference so far: \(name), \(change). "
      + "\(ClearestDifference.alone)."
  }
}
