package import FlowDefinition
package import FunnelMetrics

/// What those rules of a gate are judged on whose numbers are settled equally long after entry.
package struct GatePart: Sendable {
  /// Which rules a part is for.
  package struct Key: Sendable, Hashable {
    /// How long after entry their numbers are settled.
    package var settling: Settling
    /// Whether all days since the baseline are judged, whatever the period.
    package var isSlowDecline: Bool

    package init(_ settling: Settling, isSlowDecline: Bool = false) {
      self.settling = settling
      self.isSlowDecline = isSlowDecline
    }
  }

  /// When the people began who are judged; `nil` for everyone in the data.
  package var days: DaySpan?
  /// `nil` where nobody can be judged yet.
  package var report: Report?
  /// Why nobody can be judged yet.
  package var emptiness: String
  /// Whether chance hardly explains that nobody can be judged.
  package var isUnlikelyEmpty = false
  /// Whether people are looked back on for as long as the baseline's are, on average.
  package var hasBaselinesLookBack = false
  /// In place of the run's own: the days before these.
  package var baseline: Baseline?

  package init(
    days: DaySpan?, report: Report?, emptiness: String = "", baseline: Baseline? = nil
  ) {
    self.days = days
    self.report = report
    self.emptiness = emptiness
    self.baseline = baseline
  }
}
