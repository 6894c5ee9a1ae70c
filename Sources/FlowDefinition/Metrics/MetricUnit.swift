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
  public static func unit(of metric: MetricName) -> MetricUnit {
    switch metric.comparison {
    case .lift, .observationalLift, .observationalLiftStratified: return .ratio
    case .difference:
      if metric.comparedNumber?.isAmount == true { return .amount }
      return isInSeconds(metric) ? .seconds : .points
    case .p, .adjustedP, .probabilityBetter: return .probability
    case nil: break
    }
    if curves.contains(metric) || [.srmP, .srmPAssigned].contains(metric) { return .probability }
    // A median that no target may ask for, so that it is no quantile of the catalogue.
    if isDuration(metric) || metric == .timeToNextEventP50 { return .seconds }
    if values.contains(where: { $0.name == metric }) { return .amount }
    let isCount =
      counts.contains(metric) || durations.contains { metric == $0.name.numberOfValues }
      || metric == .activityOnly
    return isCount ? .persons : .rate
  }
}
