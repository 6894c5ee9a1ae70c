public import ExperimentStatistics

/// One metric of one variant against the control's: difference, lift, test, verdict.
public struct MetricComparison: Sendable {
  public var experiment: String
  public var variant: String
  public var control: String
  public var metric: String
  /// The goal, permission …; `all` where the metric has none.
  public var step: String
  public var treatmentRate: Proportion
  public var controlRate: Proportion
  /// Difference of the rates (Miettinen–Nurminen) at 95 % and at the family's adjusted level.
  public var difference: Estimate<EstimateWithInterval>
  /// Relative lift (Koopman) at 95 % and at the family's adjusted level.
  public var lift: Estimate<EstimateWithInterval>
  public var adjustedDifference: Estimate<EstimateWithInterval>
  public var adjustedLift: Estimate<EstimateWithInterval>
  /// Two-sided score test.
  public var p: Double?
  /// Adjusted over all metrics and variants of the experiment, by the correction of the flow.
  public var pAdjusted: Double?
  /// Shown where a cell is under 5; never decides.
  public var fisherP: Double?
  public var probabilityBetter: Double?
  /// What choosing the variant costs on average if it is not the better one, in rate points.
  public var expectedLoss: Double?
  /// The smallest relative lift this sample could have shown with the power asked for.
  public var smallestDetectableLift: Double?
  /// The relative lift that was looked for.
  public var targetLift: Double
  /// Intervals and p hold at every look, not only at the last.
  public var isSequential: Bool
  /// `nil` where the experiment can't be judged (SRM).
  public var verdict: Verdict?
}

/// One experiment of a flow.
public struct ExperimentSummary: Sendable {
  public struct Arm: Sendable, Hashable {
    public var variant: String
    /// The declared share; `nil` for an undeclared variant.
    public var share: Double?
    public var entered: Int
    public var persons: Int
    /// Persons seen with this variant and another.
    public var contaminated: Int
  }
  public var id: String
  public var control: String
  public var arms: [Arm]
  public var unassigned: Int
  /// Persons seen with more than one variant.
  public var contaminated: Int
  /// Chi-square of all who entered against the declared split.
  public var sampleRatio: Estimate<ChiSquareTest>
  /// p < 0.001: the split is not the declared one; no verdict is given.
  public var hasSampleRatioMismatch: Bool
  public var comparisons: [MetricComparison]
}

/// Finishers against skippers: what people chose, not what was done to them.
public struct ObservationalLift: Sendable {
  public var slice: Slice
  public var metric: String
  public var step: String
  public var finished: Proportion
  public var skipped: Proportion
  public var raw: Estimate<EstimateWithInterval>
  /// Mantel–Haenszel over dimensions and start week; only for slices of all persons.
  public var stratified: Estimate<EstimateWithInterval>?
  /// How strong a hidden cause would have to be, as a risk ratio with both, to explain the raw
  /// lift.
  public var eValue: Double?
}
