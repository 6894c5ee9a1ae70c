public import FunnelMetrics

/// What those rules of a gate are judged on whose numbers are settled equally long after entry.
public struct GatePart: Sendable {
  /// Which rules a part is for.
  public struct Key: Sendable, Hashable {
    /// How long after entry their numbers are settled.
    public var settlingMilliseconds: Int64
    /// Whether all days since the baseline are judged, whatever the period.
    public var isSlowDecline: Bool

    public init(settlingMilliseconds: Int64, isSlowDecline: Bool = false) {
      self.settlingMilliseconds = settlingMilliseconds
      self.isSlowDecline = isSlowDecline
    }
  }

  /// When the people began who are judged; `nil` for everyone in the data.
  public var days: DaySpan?
  /// `nil` where nobody can be judged yet.
  public var report: Report?
  /// Why nobody can be judged yet.
  public var emptiness: String
  /// Whether people are looked back on for as long as the baseline's are, on average.
  public var hasBaselinesLookBack = false
  /// In place of the run's own: the days before these.
  public var baseline: Baseline?

  public init(
    days: DaySpan?, report: Report?, emptiness: String = "", baseline: Baseline? = nil
  ) {
    self.days = days
    self.report = report
    self.emptiness = emptiness
    self.baseline = baseline
  }
}
