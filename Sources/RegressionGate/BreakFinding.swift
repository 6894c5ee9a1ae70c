package import FunnelMetrics

/// When a rate became worse, and what departs from the rest since then.
package struct BreakFinding: Sendable, Hashable {
  /// The likeliest first day, as days since 1970.
  package var day: Int
  /// The ends of the interval for that day.
  package var earliest: Int
  package var latest: Int
  package var level: Double
  /// Current minus earlier rate, from the likeliest day on.
  package var difference: Double
  /// The days whose people are compared with those before the likeliest day.
  package var since: DaySpan
  /// The days before; `nil` where the rate broke on the first day after the baseline, whose people
  /// stand for them.
  package var before: DaySpan?
  /// The value of a dimension, the release or the flow version that departs from the rest.
  package var culprits: [DropContribution] = []
  /// Nothing departs from the rest.
  package var isAlikeEverywhere = false
}
