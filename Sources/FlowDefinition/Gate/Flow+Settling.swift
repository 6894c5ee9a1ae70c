/// When a person's numbers can change no more.
extension Flow {
  private static let dayMilliseconds: Int64 = 86_400_000
  /// Up to when after a denial a permission may be recovered (definitions 8).
  private static let recoveryMilliseconds = 30 * dayMilliseconds

  /// When all of an attempt itself is settled: after the flow's window.
  public var settlingOfAttempts: Settling { Settling(milliseconds: windowMilliseconds) }

  /// How long after the start of an attempt a metric of it is settled: at least the flow's window.
  ///
  /// - Parameter step: the goal, funnel or permission; empty or `all` for any that the metric has.
  public func settling(of metric: MetricName, step: String) -> Settling {
    let base = metric.comparedNumber ?? metric
    // A comparison of two names looks like one longer name: the longest window holds.
    let measures = base.isRetention ? retention.filter { base.endsLike($0) } : []
    let ends = measures.map {
      Settling.Dates(
        anchorMilliseconds: latestMilliseconds(of: $0.anchor), count: $0.window.days.end)
    }
    if day == .calendar, let latest = ends.max() {
      return Settling(milliseconds: windowMilliseconds, dates: latest)
    }
    let own =
      ends.map { $0.anchorMilliseconds + Int64($0.count) * Self.dayMilliseconds }.max()
      ?? self.own(base, String(step.prefix { $0 != ":" }))
    return Settling(milliseconds: max(windowMilliseconds, own))
  }

  private func own(_ base: MetricName, _ step: String) -> Int64 {
    let isOfAny = step.isEmpty || step == "all"
    if base.isOfGoal {
      return goals.filter { isOfAny || $0.id == step }
        .map { latestMilliseconds(of: $0.anchor) + $0.withinMilliseconds }.max() ?? 0
    }
    if base == .funnelStep {
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
