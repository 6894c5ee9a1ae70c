package import ExperimentStatistics
internal import ReportText

extension MetricRow {
  package var proportion: Proportion {
    Proportion(successes: numerator ?? 0, trials: denominator ?? 0)
  }

  /// `(53/63)`
  package var countsText: String {
    "(\(NumberText.grouped(numerator ?? 0))/\(NumberText.grouped(denominator ?? 0)))"
  }
}
