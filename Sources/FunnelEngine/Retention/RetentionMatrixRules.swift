/// How a retention matrix is counted (definitions 18).
public struct RetentionMatrixRules: Sendable, Hashable {
  /// The periods in which a person is in a cohort.
  public enum Cohorts: String, Sendable, Hashable, CaseIterable {
    /// That of the first start in all of the data.
    case first
    /// Each one with a start.
    case recurring
  }
  /// What the periods after a start are.
  public enum Windows: String, Sendable, Hashable, CaseIterable {
    /// Hours, dates, weeks and months of the time zone.
    case calendar
    /// 1 hour, 24 hours, 7 or 30 times 24 hours from the start.
    case rolling
  }
  /// Which of a cohort's starts rolling windows are counted from.
  public enum Anchor: Sendable, Hashable {
    /// The person's first one in the cohort's period.
    case firstOfPeriod
    /// The person's first one at all: such a person is in one cohort.
    case first
    /// Each: the person came back if they did so after any of them.
    case each
  }
  /// What counts as having come back.
  public enum Returned: String, Sendable, Hashable, CaseIterable {
    case on
    case onOrAfter = "on-or-after"
  }

  /// Which periods' cohorts a person with several starts is in.
  public var cohorts = Cohorts.first
  /// Whether periods follow the calendar or the person's start.
  public var windows = Windows.calendar
  /// The start that rolling windows are counted from.
  public var anchor = Anchor.firstOfPeriod
  /// Rolling hours and days are counted in whole hours of the clock, weeks and months in dates.
  public var isRounded = false
  /// Whether a period asks for a return in it, or in it or later.
  public var returned = Returned.on
  /// The first day of a week, of cohorts and of calendar windows.
  public var weekStart = CalendarPeriods.WeekStart.monday
  /// Everyone in the cohort counts as returned in its own period.
  public var fillsFirstPeriod = false
  /// Shares are of the people for whom the period is over; else of the whole cohort.
  public var onlyMature = true
  /// Only the persons that the flow's metrics are about; else everyone with a start.
  public var onlyFlowPersons = true

  /// FirstMile's own rules (definitions 18).
  public init() {}
}

extension FunnelTool {
  /// The tool's published rules, and what it does where nothing else is asked for;
  /// docs/retention.md quotes each with its source. `nil` for tools whose matrix isn't
  /// known.
  public var retentionMatrix: RetentionMatrixRules? {
    var rules = RetentionMatrixRules()
    if self == .firstmile { return rules }
    rules.weekStart = weekStart
    rules.cohorts = .recurring
    rules.onlyMature = false
    rules.onlyFlowPersons = false
    switch self {
    case .firstmile, .clickhouse, .ga4: return nil
    case .posthog:
      rules.anchor = .first
      rules.isRounded = true
      rules.fillsFirstPeriod = true
    case .mixpanel:
      rules.windows = .rolling
      rules.returned = .onOrAfter
    case .amplitude:
      rules.windows = .rolling
      rules.anchor = .each
      rules.isRounded = true
    }
    return rules
  }
}
