public import ExperimentStatistics
public import FlowDefinition

/// A variant that does more for some people than for others: the effect on one metric by the
/// values of a dimension known at entry, where the test of interaction shows that it differs.
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
  /// The dimension's id; always one known at entry.
  public var dimension: String
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
}
