internal import FlowDefinition
internal import FunnelMetrics
internal import ReportText

/// Rates among finishers that point the other way than the same rates over all assigned.
struct SurvivorshipFindings {
  let analysis: Analysis

  func drafts() -> [FindingDraft] {
    analysis.honesty.map { check in
      let name = MetricWords.of(check.metric, step: check.step, analysis.flow)
      let overall = analysis.datum(
        check.metric.compared(by: .difference), step: check.step,
        in: Slice(experiment: check.experiment, variant: check.variant))
      let points =
        overall?.saidSigned ?? Sentence(words: RateText.signedNumber(check.differenceOverAll))
      let names = analysis.names(ofExperiment: check.experiment)
      return FindingDraft(
        kind: .honesty, tone: .bad,
        claim: """
          Experiment \(names.title), \(names.variant(check.variant)): \(name) is \
          \(RateText.signedNumber(check.differenceAmongFinished)) points among those who \
          finished, but \(points) points over everyone compared.
          """,
        detail: "The variant changed who finishes: trust the second.",
        chart: .experiment(check.experiment))
    }
  }
}
