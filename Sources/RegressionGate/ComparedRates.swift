internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelMetrics

/// The rates that a lift or difference compares.
struct ComparedRates {
  /// `nil` where the number's own interval decides: of a lift that is held apart by strata.
  var comparison: StratifiedComparison?
  /// Of an experiment that is looked at every day.
  var tuning: SequentialTuning?
  /// Of alpha, with a planned size (definitions 6.14).
  var alphaShare = 1.0
  /// The number with its interval at 95 %; `nil` for the row's own.
  var estimate: EstimateWithInterval?
  /// Of both sides together.
  var trials: Int
}

extension Analysis {
  /// Where the intervals of sequential experiments are narrowest: as in the report's comparisons.
  var sequentialTuning: SequentialTuning {
    SequentialTuning(
      trials: flow.statistics.sequentialTuningPersons, level: 1 - flow.statistics.alpha)
  }

  /// `nil` for a number that compares no rates.
  func pair(_ item: GateCase) -> ComparedRates? {
    guard let comparison = item.metric.comparison else { return nil }
    if comparison.isObservational { return observationalPair(item) }
    guard comparison == .lift || comparison == .difference else { return nil }
    let comparisons = experiments.first { $0.id == item.slice.experiment }?.comparisons ?? []
    guard
      let found = comparisons.first(where: {
        $0.variant == item.slice.variant && $0.step == item.step
          && item.metric.comparedNumber == $0.metric
      })
    else { return nil }
    let share = found.phase?.alphaShare ?? 1
    // The comparison narrows alpha by the share itself.
    let level = 1 - 0.05 / share
    return ComparedRates(
      comparison: found.periods, tuning: found.tuning, alphaShare: share,
      estimate: comparison == .lift
        ? found.lift(level: level).value : found.difference(level: level).value,
      trials: found.rates.treatment.trials + found.rates.control.trials)
  }

  private func observationalPair(_ item: GateCase) -> ComparedRates? {
    guard
      let lift = observationalLifts.first(where: {
        $0.slice == item.slice && item.metric.comparedNumber == $0.metric
      })
    else { return nil }
    let crude = StratifiedComparison(treatment: lift.finished, control: lift.skipped)
    return ComparedRates(
      comparison: item.metric.comparison == .observationalLiftStratified ? nil : crude,
      estimate: nil,
      trials: lift.finished.trials + lift.skipped.trials)
  }
}
