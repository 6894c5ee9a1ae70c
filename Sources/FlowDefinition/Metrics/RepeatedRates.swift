/// Which rates of a flow say the same by construction: a quantity is tested and printed once.
public struct RepeatedRates: Sendable {
  private let first: [TestedRate: TestedRate]
  private let hasSkipped: Bool

  /// Works out all rates of a flow.
  public init(_ flow: Flow) {
    first = flow.firstRates
    hasSkipped = flow.skip == .ends && !flow.neverSkips
  }

  /// The first rate that is the same quantity as this one; the rate itself where it stands alone.
  public func first(for metric: MetricName, step: String = "all") -> TestedRate {
    let wanted = TestedRate(metric, step)
    return first[wanted] ?? wanted
  }

  /// The rate that says all that this one says: the first of its quantity, or completion for
  /// abandoning where no outcome is *skipped*; `nil` where there is none.
  public func repeated(_ metric: MetricName, step: String = "all") -> TestedRate? {
    if metric == .abandonRate && !hasSkipped { return TestedRate(.completionRate) }
    let first = first(for: metric, step: step)
    return first == TestedRate(metric, step) ? nil : first
  }
}
