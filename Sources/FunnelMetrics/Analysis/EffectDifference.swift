public import ExperimentStatistics

/// A variant that does more for some people than for others: the effect on one metric by the
/// values of a dimension known at entry, where the test of interaction shows that it differs.
public struct EffectDifference: Sendable {
  /// The effect on people with one value.
  public struct Part: Sendable {
    public var value: String
    public var treatment: Proportion
    public var control: Proportion
    /// At 95 %, or always valid where the experiment is looked at every day.
    public var difference: Estimate<EstimateWithInterval>
    public var lift: Estimate<EstimateWithInterval>
  }

  public var experiment: String
  public var variant: String
  public var control: String
  public var dimension: String
  public var metric: String
  public var step: String
  /// Of the test of interaction, both of points and of lifts.
  public var p: Double
  /// Adjusted over all metrics, dimensions and variants of the experiment (Benjamini–Hochberg).
  public var pAdjusted: Double
  public var isSequential: Bool
  /// In the order of the values; those with too few people have none.
  public var parts: [Part]
}
