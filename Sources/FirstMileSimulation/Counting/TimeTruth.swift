public import FlowDefinition

/// How long something took the persons of a slice, as `metrics.csv` has it.
///
/// In JSON a slice that is not cut and an empty step are left out.
public struct TimeTruth: Sendable, Hashable, Codable {
  /// The shares whose times are given, in percent.
  public static let percents = [50, 75, 90, 95, 99]

  /// `time_on_step`, `time_to_move_on`, `time_to_complete` or `time_to_goal`.
  public var metric: MetricName
  /// The step or goal; empty where the metric has none.
  public var step: String?
  /// The flow's version; `nil` where the slice is not cut by it.
  public var version: String?
  /// The experiment's id; `nil` where the slice is not cut by one.
  public var experiment: String?
  /// The variant; `nil` where the slice is not cut by it.
  public var variant: String?
  /// `dimension=value`; `nil` where the slice is not cut by one.
  public var breakdown: String?
  /// Persons with a value; for the time to move on, all who viewed the step.
  public var persons: Int
  /// Milliseconds at each percent, as the lower edge of their bucket; `nil` where fewer people than
  /// that ever move on.
  public var milliseconds: [Int64?]
}
