internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelMetrics
internal import ReportText

/// What is said of a variant that does good with one variant of another experiment and harm with
/// another one.
struct CrossingWords {
  let names: ExperimentNames
  private let crossing: EffectDifference
  private let others: ExperimentNames
  private let metric: String

  init(_ crossing: EffectDifference, _ analysis: Analysis) {
    self.crossing = crossing
    names = analysis.names(ofExperiment: crossing.experiment)
    others = analysis.names(ofExperiment: crossing.otherExperiment ?? "")
    metric = MetricWords.of(crossing.metric, step: crossing.step, analysis.flow)
  }

  /// `what new does to completion depends on experiment second`
  var claim: String {
    "what \(names.variant(crossing.variant)) does to \(metric) depends on experiment "
      + others.title
  }

  /// `with x 65.0 % → 78.0 %, with y 78.0 % → 48.0 %, adjusted p < 0.0001`
  var numbers: String {
    let parts = crossing.parts.map { part in
      let rates = [part.control, part.treatment].map { RateText.percent($0.estimate ?? 0) }
      return "with \(others.variant(part.value)) \(rates[0]) → \(rates[1])"
    }
    return (parts + ["adjusted \(RateText.p(crossing.pAdjusted))"]).joined(separator: ", ")
  }

  var advice: String {
    "Neither experiment can be read alone: decide which combination to keep."
  }
}
