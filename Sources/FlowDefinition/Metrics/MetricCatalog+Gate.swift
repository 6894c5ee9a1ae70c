/// What a gate has to know of a metric before any data is there.
extension MetricCatalog {
  /// Metrics of which less is better; of all others more is.
  private static let lowerIsBetter: Set<MetricName> = [
    .skipRate, .abandonRate, .usedSkipRate, .stepBypassed, .stepDropOff,
    .stepLeftSkipping, .stepAbandoned, .stepAbandonedAfterDenial, .stepWentBack,
    .stepDeclined, .skipShare, .permissionLeftAfterDenial, .permissionClassDenied,
    .permissionClassError, .permissionClassRestricted, .permissionClassNotNow,
    .permissionClassNoResult, .frictionRate, .skipped,
    .abandoned, .immature, .orphans, .contaminated, .unassigned, .existingUsers,
  ]

  /// Which way of a metric is the better one. A comparison goes the way of what it compares.
  public static func betterDirection(_ metric: MetricName) -> GateRule.Direction {
    let base = metric.comparedNumber ?? metric
    return lowerIsBetter.contains(base) || isDuration(base) ? .lower : .higher
  }

  /// Whether a metric is a quantile of durations.
  public static func isDuration(_ metric: MetricName) -> Bool { quantile(of: metric) != nil }

  /// Whether a metric's numbers are seconds: a quantile of durations, or a difference of such.
  static func isInSeconds(_ metric: MetricName) -> Bool {
    isDuration(metric.comparison == .difference ? metric.comparedNumber ?? metric : metric)
  }

  /// The duration and the quantile that a metric such as `time_to_complete_p90` names.
  public static func quantile(of metric: MetricName) -> (measure: MetricName, percent: Int)? {
    for duration in durations {
      if let percent = metric.percent(of: duration.name) { return (duration.name, percent) }
    }
    return nil
  }

  /// The duration that a metric is a quantile of, or the number of values of.
  public static func durationMeasure(of metric: MetricName) -> MetricName? {
    durations.first { duration in
      metric.isNumber(of: duration.name) && numbers(of: duration.name).contains(metric)
    }?.name
  }

  /// What a bound's margin is unless a rule says so: 2 points of a rate, 5 points of a lift, a
  /// tenth of a duration. A bound near 0 or 100 % has half of what lies between: `at_most: 0.5%`
  /// that has nothing to say of a rate of 4 % would be no bound.
  public static func defaultMargin(
    _ metric: MetricName, _ demand: GateRule.Demand
  ) -> GateRule.Margin {
    if isInSeconds(metric) { return GateRule.Margin(0.1, isRelative: true) }
    let isOfLift = metric.comparison.map { $0 == .lift || $0.isObservational } ?? false
    if isOfLift { return GateRule.Margin(0.05) }
    guard metric.comparison == nil, let bound = demand.bound, bound > 0, bound < 1 else {
      return GateRule.Margin(0.02)
    }
    return GateRule.Margin(min(0.02, min(bound, 1 - bound) / 2))
  }
}
