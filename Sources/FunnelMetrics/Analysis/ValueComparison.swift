public import ExperimentStatistics
public import FlowDefinition

/// What people's events add up to, of one variant against the control: revenue per person.
public struct ValueComparison: Sendable {
  /// The experiment's id.
  public var experiment: String
  /// The variant's id.
  public var variant: String
  /// The id of the control that it is held against.
  public var control: String
  /// The id of the goal whose amounts are compared.
  public var goal: String
  /// What is compared, and how.
  public var measure: ValueMeasure
  /// `goal_value`, or `goal_value_overall` of a goal that is counted among some; with
  /// `_winsorised` for capped amounts; `goal_value_per_event`.
  public var metric: MetricName
  /// The variant's mean amount a person; of amounts per event the ratio, over the people who are
  /// compared.
  public var treatment: SampleMean
  /// The control's mean amount, likewise.
  public var controlMean: SampleMean
  /// Variant − control, in the amounts' unit, at ``intervalLevel``; always valid where the
  /// experiment is looked at every day.
  public var difference: Estimate<EstimateWithInterval>
  /// The relative lift (Fieller), likewise.
  public var lift: Estimate<EstimateWithInterval>
  /// The level that decides; 1 − alpha of what is not tested.
  public var intervalLevel: Double
  /// Welch's test; `nil` of what is shown beside what is tested.
  public var p: Double?
  /// Adjusted over all values and variants of the experiment, by the correction of the flow.
  public var pAdjusted: Double?
  /// Whether p and intervals hold at every look, not only at the last.
  public var isSequential: Bool
  /// Whether the variant's value is shown to be higher (`true`) or lower; `nil` where neither is,
  /// and where the experiment can't be judged.
  public var isHigher: Bool?
}
