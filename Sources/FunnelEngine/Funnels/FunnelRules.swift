/// What a tool chooses where the definition of a funnel leaves room.
public struct FunnelRules: Sendable, Hashable {
  /// Which of a person's entries counts.
  public enum Entry: String, Sendable, Hashable {
    /// As the funnel says.
    case own
    case first, best
  }
  /// Who stands first among facts of one millisecond.
  public enum Ties: String, Sendable, Hashable {
    /// The flow's order of facts.
    case flow
    /// The earlier step.
    case steps
  }
  /// How a walk over the facts goes.
  public enum Walk: String, Sendable, Hashable {
    case greedy
    /// ClickHouse's `windowFunnel`: one pass that keeps the latest chain for each step.
    case windowFunnel
  }
  /// Modes of `windowFunnel`.
  public struct Modes: OptionSet, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let strictOrder = Modes(rawValue: 1)
    public static let strictIncrease = Modes(rawValue: 2)
    public static let strictDeduplication = Modes(rawValue: 4)
  }

  public var entry = Entry.own
  public var ties = Ties.flow
  public var walk = Walk.greedy
  public var modes: Modes = []
  /// Only entries whose window ends by the horizon; else the latest entries pull the rate down.
  public var onlyMature = true
  /// Only the persons that the flow's metrics are about; else everybody with an entry.
  public var onlyFlowPersons = true

  public init() {}
}

/// Tools whose funnels can be counted as they count them.
public enum FunnelTool: String, Sendable, Hashable, CaseIterable {
  case firstmile, clickhouse, posthog, mixpanel, amplitude, ga4

  /// The tool's published rules; docs/funnels.md says where they are published.
  public var rules: FunnelRules {
    var rules = FunnelRules()
    if self == .firstmile { return rules }
    rules.onlyMature = false
    rules.onlyFlowPersons = false
    rules.ties = .steps
    switch self {
    case .firstmile: break
    case .clickhouse: rules.walk = .windowFunnel
    case .mixpanel: rules.entry = .first
    case .posthog, .amplitude, .ga4: rules.entry = .best
    }
    return rules
  }

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

/// How days of retention are cut, and who is in the denominator.
public struct RetentionRules: Sendable, Hashable {
  /// Dates of the time zone, or spans of 24 hours from the entry.
  public var isCalendar: Bool
  /// Only persons whose day is over.
  public var onlyMature: Bool
}
