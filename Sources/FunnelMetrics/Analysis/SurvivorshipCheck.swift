internal import ExperimentStatistics
public import FlowDefinition
internal import FunnelEngine

/// A rate among those who finished and the same rate over all assigned that disagree in sign:
/// the variant changed who finishes, so the first says little about the variant.
public struct SurvivorshipCheck: Sendable {
  /// The experiment's id.
  public var experiment: String
  /// The variant's id.
  public var variant: String
  /// The rate's name, as in `metrics.csv`: a retention, `goal_rate` or `permission_opt_in`.
  public var metric: MetricName
  /// The goal or permission; `all` for retention.
  public var step: String
  /// Variant − control over all assigned, in rate points (0…1).
  public var differenceOverAll: Double
  /// Variant − control among those who finished, in rate points (0…1).
  public var differenceAmongFinished: Double

  /// Disagreements where the difference among those who finished is shown (p < 0.05): one that is
  /// chance points nowhere.
  package static func all(
    _ summaries: [ExperimentSummary], _ table: SliceTable
  ) -> [SurvivorshipCheck] {
    let withoutLandmark = table.flow.metricsWithoutLandmark()
    let definitions = ExperimentAnalysis.metrics(table.flow, table.layout).filter {
      ($0.metric.isRetention && !withoutLandmark.contains($0.metric))
        || $0.metric == .goalRate || $0.metric == .permissionOptIn
    }
    var found: [SurvivorshipCheck] = []
    // Attempts of one person depend on each other: nothing is tested over them.
    if table.flow.counting == .attempts { return [] }
    // Where the split changed, rates of all periods together say nothing about the variants.
    for comparison in summaries.flatMap(\.comparisons) where !comparison.isWithinPeriods {
      guard
        let definition = definitions.first(where: {
          $0.metric == comparison.metric && $0.step == comparison.step
        })
      else { continue }
      func finishers(_ variant: String) -> Proportion {
        let slices = Outcome.allCases.filter(\.isFinished).map { outcome in
          Slice(
            experiment: comparison.experiment, variant: variant,
            breakdown: BreakdownKey(dimension: BreakdownKey.outcome, value: outcome.name))
        }
        func count(_ counter: Int) -> Int { slices.reduce(0) { $0 + table.count($1, counter) } }
        return Proportion(
          successes: definition.numerators.reduce(0) { $0 + count($1) },
          trials: count(definition.denominator))
      }
      let among = ProportionComparison(
        treatment: finishers(comparison.variant), control: finishers(comparison.control))
      guard let own = among.treatment.estimate, let base = among.control.estimate,
        let overall = comparison.difference.value?.estimate
      else { continue }
      let isShown = (among.scoreTest().value?.twoSidedP ?? 1) < 0.05
      if isShown && overall * (own - base) < 0 {
        found.append(
          SurvivorshipCheck(
            experiment: comparison.experiment, variant: comparison.variant,
            metric: comparison.metric, step: comparison.step, differenceOverAll: overall,
            differenceAmongFinished: own - base))
      }
    }
    return found
  }
}
