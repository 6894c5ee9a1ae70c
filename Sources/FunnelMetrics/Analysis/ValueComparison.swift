public import ExperimentStatistics

/// What people's events add up to, of one variant against the control: revenue per person.
public struct ValueComparison: Sendable {
  public var experiment: String
  public var variant: String
  public var control: String
  public var goal: String
  /// What is compared, and how.
  public var measure: ValueMeasure
  /// `goal_value`, or `goal_value_overall` of a goal that is counted among some; with
  /// `_winsorised` for capped amounts; `goal_value_per_event`.
  public var metric: String
  /// Of amounts per event the ratio, over the people who are compared.
  public var treatment: SampleMean
  public var controlMean: SampleMean
  /// At ``intervalLevel``, and always valid where the experiment is looked at every day.
  public var difference: Estimate<EstimateWithInterval>
  public var lift: Estimate<EstimateWithInterval>
  public var intervalLevel: Double
  /// Welch's test; `nil` of what is shown beside what is tested.
  public var p: Double?
  /// Adjusted over all values and variants of the experiment, by the correction of the flow.
  public var pAdjusted: Double?
  public var isSequential: Bool
  /// Whether the variant's value is shown to be higher (`true`) or lower; `nil` where neither is,
  /// and where the experiment can't be judged.
  public var isHigher: Bool?
}
