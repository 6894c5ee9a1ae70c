/// What a gate has to know of a metric before any data is there.
extension MetricCatalog {
  /// Metrics of which less is better; of all others more is.
  private static let lowerIsBetter: Set<String> = [
    "skip_rate", "abandon_rate", "used_skip_rate", "step_bypassed", "step_drop_off",
    "step_left_skipping", "step_abandoned", "step_abandoned_after_denial", "step_went_back",
    "step_declined", "skip_share", "permission_left_after_denial", "permission_class_denied",
    "permission_class_error", "permission_class_restricted", "permission_class_not_now",
    "permission_class_no_result", "friction_rate", "skipped",
    "abandoned", "immature", "orphans", "contaminated", "unassigned", "existing_users",
  ]

  /// Which way of a metric is the better one. A comparison goes the way of what it compares.
  public static func betterDirection(_ metric: String) -> GateRule.Direction {
    let base = comparedRate(metric) ?? metric
    return lowerIsBetter.contains(base) || isDuration(base) ? .lower : .higher
  }

  /// Whether a metric is a quantile of durations.
  public static func isDuration(_ metric: String) -> Bool { quantile(of: metric) != nil }

  /// Whether a metric's numbers are seconds: a quantile of durations, or a difference of such.
  static func isInSeconds(_ metric: String) -> Bool {
    isDuration(String(metric.trimmingPrefix("difference_")))
  }

  /// The duration and the quantile that a metric such as `time_to_complete_p90` names.
  public static func quantile(of metric: String) -> (measure: String, percent: Int)? {
    for duration in durations where metric.hasPrefix(duration.name + "_p") {
      if let percent = Int(metric.dropFirst(duration.name.count + 2)) {
        return (duration.name, percent)
      }
    }
    return nil
  }

  /// The duration that a metric is a quantile of, or the number of values of.
  public static func durationMeasure(of metric: String) -> String? {
    durations.first { duration in
      metric.hasPrefix(duration.name + "_")
        && durationSuffixes.contains { metric == "\(duration.name)_\($0)" }
    }?.name
  }

  /// 2 points of a rate, 5 points of a lift, a tenth of a duration.
  public static func defaultMargin(_ metric: String) -> GateRule.Margin {
    if isInSeconds(metric) { return GateRule.Margin(0.1, isRelative: true) }
    if metric.hasPrefix("lift_") || metric.hasPrefix("observational_") {
      return GateRule.Margin(0.05)
    }
    return GateRule.Margin(0.02)
  }
}
