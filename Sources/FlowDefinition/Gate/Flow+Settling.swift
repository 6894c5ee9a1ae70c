/// When a person's numbers can change no more.
extension Flow {
  private static let dayMilliseconds: Int64 = 86_400_000
  /// Up to when after a denial a permission may be recovered (definitions 8).
  private static let recoveryMilliseconds = 30 * dayMilliseconds

  /// How long after the start of an attempt a metric of it is settled: at least the flow's window.
  ///
  /// - Parameter step: the goal, funnel or permission; empty or `all` for any that the metric has.
  public func settlingMilliseconds(of metric: MetricName, step: String) -> Int64 {
    max(windowMilliseconds, own(metric, String(step.prefix { $0 != ":" })))
  }

  private func own(_ metric: MetricName, _ step: String) -> Int64 {
    let isOfAny = step.isEmpty || step == "all"
    let base = metric.comparedNumber ?? metric
    if base.isRetention {
      // A comparison of two names looks like one longer name: the longest window holds.
      return retention.filter { base.endsLike($0) }
        .map {
          latestMilliseconds(of: $0.anchor) + Int64($0.window.days.end) * Self.dayMilliseconds
        }
        .max() ?? 0
    }
    if base.isOfGoal {
      return goals.filter { isOfAny || $0.id == step }
        .map { latestMilliseconds(of: $0.anchor) + $0.withinMilliseconds }.max() ?? 0
    }
    if metric == .funnelStep {
      return funnels.map { funnel in
        let windows = funnel.windowScope == .step ? max(1, funnel.steps.count - 1) : 1
        return windowMilliseconds + funnel.windowMilliseconds * Int64(windows)
      }.max() ?? 0
    }
    if base == .permissionRecovered {
      return windowMilliseconds + Self.recoveryMilliseconds
    }
    return 0
  }
}
