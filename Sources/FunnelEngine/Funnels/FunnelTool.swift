/// Tools whose funnels can be counted as they count them.
public enum FunnelTool: String, Sendable, Hashable, CaseIterable {
  case firstmile, clickhouse, posthog, mixpanel, amplitude, ga4

  /// The tool's published rules; docs/funnels.md quotes each with its source.
  public var rules: FunnelRules {
    var rules = FunnelRules()
    if self == .firstmile { return rules }
    rules.onlyMature = false
    rules.onlyFlowPersons = false
    rules.entry = self == .mixpanel ? .first : .best
    rules.ties = .interchangeable(within: 0)
    switch self {
    case .firstmile, .ga4: break
    case .clickhouse:
      rules.sharesFacts = true
      rules.exclusions = .ignored
      rules.isPlainSequence = true
    case .posthog:
      rules.exclusions = .remove
      rules.keepsRunPerStep = true
    case .mixpanel:
      rules.ties = .interchangeable(within: 2000)
      rules.exclusions = .drop
    case .amplitude: rules.ties = .interchangeable(within: 1000)
    }
    return rules
  }

  /// A trend counts people in each period in which they enter, by the entries of that period; else
  /// once, by the entry that counts.
  public var entersEachPeriod: Bool {
    switch self {
    case .posthog, .mixpanel, .amplitude: true
    case .firstmile, .clickhouse, .ga4: false
    }
  }

  /// The first day of the tool's weeks where no one has chosen it.
  public var weekStart: CalendarPeriods.WeekStart { self == .posthog ? .sunday : .monday }

  /// How the tool cuts the days of retention.
  public var retention: RetentionRules {
    switch self {
    case .firstmile: RetentionRules(isCalendar: false, onlyMature: true)
    // The function is given one condition a day, which SQL cuts by dates.
    case .clickhouse: RetentionRules(isCalendar: true, onlyMature: false)
    case .posthog, .ga4: RetentionRules(isCalendar: true, onlyMature: false)
    case .mixpanel, .amplitude: RetentionRules(isCalendar: false, onlyMature: false)
    }
  }
}
