internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

extension ExperimentAnalysis {
  /// Of the metric that decides: the plan's primary one, else completion.
  ///
  /// Experiments on accounts have none, since cohorts of people split accounts.
  func diaries(_ index: Int, _ comparisons: [MetricComparison]) -> [ExperimentDiary] {
    let experiment = table.flow.experiments[index]
    guard isTested, experiment.clusterPath == nil,
      let decisive = comparisons.first(where: { $0.role == .primary && $0.isRandomised })
        ?? comparisons.first(where: { $0.metric == .completionRate && $0.verdict != nil }),
      let rate = ExperimentAnalysis.metrics(table.flow, table.layout).first(where: {
        $0.metric == decisive.metric && $0.step == decisive.step
      })
    else { return [] }
    let alpha = table.flow.statistics.alpha
    let isPlanned = planned[index] != nil
    let source = ExperimentDiary.Source(
      experiment: experiment,
      cohorts: ExperimentCells.values(of: BreakdownKey.cohort, tally, experiment: index),
      width: tally.layout.count, plannedEnd: planned[index]?.lastCohort,
      level: 1 - (isPlanned ? AlphaSpending.watchedShare : 1) * alpha, singleLevel: 1 - alpha,
      tuning: ownTuning(index) ?? tuning)
    return experiment.variants.map(\.id).filter { $0 != experiment.controlID }.compactMap {
      ExperimentDiary(source, rate, variant: $0)
    }
  }
}
