public import FunnelMetrics

/// When a rate became worse, and what departs from the rest since then.
public struct BreakFinding: Sendable, Hashable {
  /// The likeliest first day, as days since 1970.
  public var day: Int
  /// The ends of the interval for that day.
  public var earliest: Int
  public var latest: Int
  public var level: Double
  /// Current minus earlier rate, from the likeliest day on.
  public var difference: Double
  /// The days whose people are compared with those before the likeliest day.
  public var since: DaySpan
  /// The days before; `nil` where the rate broke on the first day after the baseline, whose people
  /// stand for them.
  public var before: DaySpan?
  /// The value of a dimension, the release or the flow version that departs from the rest.
  public var culprits: [DropContribution] = []
  /// Nothing departs from the rest.
  public var isAlikeEverywhere = false
}
