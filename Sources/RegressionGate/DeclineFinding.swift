package import FunnelMetrics

/// What all nights since a baseline say of a slow decline.
package struct DeclineFinding: Sendable, Hashable {
  /// Days with people since the baseline.
  package var nights: Int
  /// The likelihood ratio of a decline against a steady rate on the night that says most; the
  /// chance that it is ever as large for a steady rate is at most its inverse.
  package var evidence: Double
  /// The likeliest first day of the decline, as days since 1970; `nil` where none is beyond the
  /// margin.
  package var firstDay: Int?
  /// The first night on which the decline was shown; `nil` where none was.
  package var shownOn: Int?
  /// What a failure is decided by; `nil` where none is shown.
  package var decisive: Decisive?

  /// The days from the likeliest first day of a decline to the night that says most, against all
  /// days before them.
  package struct Decisive: Sendable, Hashable {
    package var days: DaySpan
    package var before: DaySpan
    /// Days with people that came after these: the rate may have recovered.
    package var since: DaySpan?
    /// The rate of the days since.
    package var rateSince: Double?
    /// Whether days are held against the same days of the week.
    package var isByWeekday: Bool
  }
}
