public import ExperimentStatistics
public import FlowDefinition

/// A variant that does more for some people than for others: the effect on one metric by the
/// values of a dimension known at entry, or by the variants of another experiment, where the test
/// of interaction shows that it differs.
public struct EffectDifference: Sendable {
  /// The effect on people with one value.
  public struct Part: Sendable {
    /// The value of the dimension, or `(none)`.
    public var value: String
    /// Successes among the variant's people with this value.
    public var treatment: Proportion
    /// Successes among the control's people with this value.
    public var control: Proportion
    /// Variant − control in rate points, at 95 %, or always valid where the experiment is looked at
    /// every day.
    public var difference: Estimate<EstimateWithInterval>
    /// The relative lift with the interval of ``difference``'s kind.
    public var lift: Estimate<EstimateWithInterval>
  }

  /// The experiment's id.
  public var experiment: String
  /// The variant's id.
  public var variant: String
  /// The id of the control that it is held against.
  public var control: String
  /// The dimension's id, always one known at entry, or `experiment NAME` where it is what other
  /// experiment people are in.
  public var dimension: String
  /// The id of the other experiment whose variants the values are; `nil` for a dimension.
  public var otherExperiment: String?
  /// The rate's name, as in `metrics.csv`.
  public var metric: MetricName
  /// The goal, permission …; `all` where the metric has none.
  public var step: String
  /// Of the test of interaction, both of points and of lifts.
  public var p: Double
  /// Adjusted over all metrics, dimensions and variants of the experiment (Benjamini–Hochberg).
  public var pAdjusted: Double
  /// Whether p and intervals hold at every look, not only at the last.
  public var isSequential: Bool
  /// In the order of the values; those with too few people have none.
  public var parts: [Part]

  /// Whether the variant is shown to do good to some and harm to others.
  package var changesSides: Bool {
    let bounds = parts.compactMap { $0.difference.value?.interval }
    return bounds.contains { $0.lower > 0 } && bounds.contains { $0.upper < 0 }
  }
}

extension ExperimentSummary {
  /// Another experiment with which a variant does good and without which it does harm, or the other
  /// way: by the metric that decides. Then neither of the two says anything by itself.
  package func crossing(_ variant: String) -> EffectDifference? {
    let primary = comparisons.first { $0.variant == variant && $0.role == .primary }
    let deciding = (primary?.metric ?? .completionRate, primary?.step ?? "all")
    return effectDifferences.first {
      $0.variant == variant && $0.otherExperiment != nil && ($0.metric, $0.step) == deciding
        && $0.changesSides
    }
  }
}
