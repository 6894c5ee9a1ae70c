internal import FlowDefinition
internal import FunnelEngine
package import FunnelMetrics
internal import ReportText

/// People with a variant who met what shows exposure only after their window: they are not
/// compared, and were exposed all the same (definitions 6.6).
package struct LateExposures {
  package let experiment: String
  package let count: Int
  /// All who ever were exposed.
  package let exposed: Int
  package let claim: String
  package let detail: String

  /// Of each experiment with somebody like that; of one that nobody was exposed to in time it is
  /// said that it is unknown.
  package static func all(_ analysis: Analysis) -> [LateExposures] {
    zip(analysis.experiments, analysis.tally.quality.exposedLater).compactMap { summary, late in
      guard late > 0, !analysis.unmeasured.experiments.contains(summary.id) else { return nil }
      return LateExposures(summary, late, analysis)
    }
  }

  private init(_ summary: ExperimentSummary, _ late: Int, _ analysis: Analysis) {
    experiment = summary.id
    count = late
    exposed = late + summary.arms.reduce(0) { $0 + $1.entered }
    let window = DurationText.format(analysis.flow.windowMilliseconds)
    let title = analysis.names(ofExperiment: summary.id).title
    claim = """
      Experiment \(title): \(RateText.percent(Double(late) / Double(exposed))) of the people who \
      were exposed were so only after their window of \(window)
      """
    detail = """
      (\(NumberText.grouped(late)) of \(NumberText.grouped(exposed))) and are not compared. A \
      longer 'window' in the flow file has them in.
      """
  }
}
