public import ExperimentStatistics
public import FlowDefinition
internal import FunnelEngine

/// A duration of one variant against the control's, distribution-free. It is of those who got
/// there, in whom the variant has a part, so nothing is tested (definitions 6.8).
public struct DurationComparison: Sendable {
  /// The experiment's id.
  public var experiment: String
  /// The variant's id.
  public var variant: String
  /// The id of the control that it is held against.
  public var control: String
  /// `time_to_complete`, `time_on_step` or `time_to_goal`.
  public var metric: MetricName
  /// The step or goal; `all` where there is none.
  public var step: String
  /// Persons of the variant with a value.
  public var treatmentCount: Int
  /// Persons of the control with a value.
  public var controlCount: Int
  /// Variant − control of the medians, in milliseconds, at 95 %.
  public var median: Estimate<EstimateWithInterval>
  /// Variant − control of the 90th percentiles, in milliseconds, at 95 %.
  public var ninetieth: Estimate<EstimateWithInterval>
}

/// Compares durations by their histograms.
struct DurationAnalysis {
  let flow: Flow
  let times: [Slice: [TimeMeasure: TimeHistogram]]

  func comparisons() -> [DurationComparison] {
    // Where the split changed, times of all periods together would take that for an effect; and
    // of accounts only rates and amounts are known.
    let compared = flow.experiments.filter { $0.splits.count == 1 && $0.clusterPath == nil }
    return compared.flatMap { experiment in
      experiment.variants.indices.filter { $0 != experiment.control }.flatMap { index in
        measures.map { compare(experiment, experiment.variants[index].id, $0) }
      }
    }
  }

  private var measures: [(measure: TimeMeasure, metric: MetricName, step: String)] {
    [(.complete, .timeToComplete, "all")]
      + flow.steps.indices.map { (.step($0), .timeOnStep, flow.steps[$0].id) }
      + flow.goals.indices.map { (.goal($0), .timeToGoal, flow.goals[$0].id) }
  }

  private func compare(
    _ experiment: Experiment, _ variant: String,
    _ place: (measure: TimeMeasure, metric: MetricName, step: String)
  ) -> DurationComparison {
    let control = experiment.controlID
    let own = counts(Slice(experiment: experiment.id, variant: variant), place.measure)
    let base = counts(Slice(experiment: experiment.id, variant: control), place.measure)
    return DurationComparison(
      experiment: experiment.id, variant: variant, control: control, metric: place.metric,
      step: place.step, treatmentCount: own.total, controlCount: base.total,
      median: QuantileIntervals.difference(0.5, treatment: own, control: base),
      ninetieth: QuantileIntervals.difference(0.9, treatment: own, control: base))
  }

  private func counts(_ slice: Slice, _ measure: TimeMeasure) -> ValueCounts {
    let buckets = times[slice]?[measure]?.buckets ?? []
    return ValueCounts(buckets.map { (Double($0.lowerEdgeMilliseconds), $0.count) })
  }
}
