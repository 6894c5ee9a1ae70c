internal import FlowDefinition

/// A number that a result can be asked for.
///
/// Metrics without a subject are constants, so that a wrong name doesn't compile; the others take
/// the id of a step, goal or permission. `docs/metrics.md` says what each means and of whom it is.
public struct Metric: Sendable, Hashable {
  /// The `metric` of `metrics.csv`.
  public var name: String { metricName.rawValue }
  /// The `step` of `metrics.csv`: a step, goal or permission; `all` for none.
  public let subject: String
  let metricName: MetricName

  private init(_ metricName: MetricName, _ subject: String = "all") {
    self.metricName = metricName
    self.subject = subject
  }

  /// Finished in the window, with a skip before or without, of those whose window is over.
  public static let completion = Metric(.completionRate)
  /// Skipped for good; a flow whose skip leads to a step has no such rate.
  public static let skip = Metric(.skipRate)
  /// Neither finished nor skipped.
  public static let abandonment = Metric(.abandonRate)
  /// Tapped Skip at all.
  public static let usedSkip = Metric(.usedSkipRate)

  /// Viewed the step, of those whose list has it.
  public static func reach(of step: String) -> Metric { Metric(.stepReach, step) }
  /// Went on from the step, of those who viewed it.
  public static func conversion(of step: String) -> Metric { Metric(.stepConversion, step) }
  /// Left at the step, of those who viewed it.
  public static func dropOff(at step: String) -> Metric { Metric(.stepDropOff, step) }
  /// Granted the permission in any way.
  public static func optIn(to permission: String) -> Metric {
    Metric(.permissionOptIn, permission)
  }
  /// Granted the permission, of those asked.
  public static func acceptance(of permission: String) -> Metric {
    Metric(.permissionAcceptance, permission)
  }
  /// Reached the goal, of those whose time for it is over.
  public static func goal(_ id: String) -> Metric { Metric(.goalRate, id) }
  /// Reached the goal, of everyone: of goals that count from something after the beginning.
  public static func overallGoal(_ id: String) -> Metric { Metric(.goalRateOverall, id) }
  /// Met what gets in the way.
  public static func friction(_ id: String) -> Metric { Metric(.frictionRate, id) }
  /// Came back on day `day`, if the flow measures that.
  public static func retention(day: Int) -> Metric { Metric(.retention(day: day)) }
  /// Came back as the retention measure with this id says: `on_or_after_d7`, `d80_110`.
  public static func retention(_ id: String) -> Metric { Metric(.retention(id)) }

  /// This rate over everyone, under which experiments compare it where it is not of everyone.
  var overall: Metric { Metric(metricName.overall, subject) }
}
