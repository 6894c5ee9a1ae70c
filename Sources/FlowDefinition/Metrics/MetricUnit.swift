/// What a metric's numbers are measured in.
///
/// The unit belongs to the metric: a bound on a number that nobody has yet is in seconds all the
/// same.
public enum MetricUnit: String, Sendable, Hashable, CaseIterable {
  case persons, rate, seconds, probability, ratio, points
  /// What a goal's `value` property is in.
  case amount
}

extension MetricCatalog {
  /// The unit of a metric's numbers, plain or derived, as `metrics.csv` has it.
  public static func unit(of metric: String) -> MetricUnit {
    if metric.hasPrefix("lift_") || metric.hasPrefix("observational_lift_") { return .ratio }
    if metric.hasPrefix("difference_goal_value") { return .amount }
    if metric.hasPrefix("difference_") { return isInSeconds(metric) ? .seconds : .points }
    let shares = ["p_", "probability_better_", "incidence_"]
    if shares.contains(where: metric.hasPrefix)
      || ["srm_p", "srm_p_assigned", "returned_by"].contains(metric)
    {
      return .probability
    }
    // A median that no target may ask for, so that it is no quantile of the catalogue.
    if isDuration(metric) || metric == "time_to_next_event_p50" { return .seconds }
    if values.contains(where: { $0.name == metric }) { return .amount }
    let isCount =
      counts.contains(metric) || durations.contains { metric == "\($0.name)_n" }
      || metric == "activity_only"
    return isCount ? .persons : .rate
  }
}
