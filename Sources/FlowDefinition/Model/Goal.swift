/// Which events are meant: a name, and properties that must have one of some values.
public struct EventPattern: Sendable, Hashable {
  /// The canonical name of the event.
  public var event: String
  /// All of them must hold.
  public var conditions: [PropertyCondition]

  /// A pattern; without conditions every event of that name matches.
  public init(event: String, conditions: [PropertyCondition] = []) {
    self.event = event
    self.conditions = conditions
  }
}

extension EventPattern {
  /// The pattern as `firstmile funnel` takes it: `app_opened[source=push|widget]`.
  public var described: String {
    let wanted = conditions.map { "\($0.property)=\($0.values.joined(separator: "|"))" }
    return event + (wanted.isEmpty ? "" : "[\(wanted.joined(separator: ", "))]")
  }
}

/// A property of an event and the values that satisfy the condition.
public struct PropertyCondition: Sendable, Hashable {
  /// A name inside `properties`, or a dotted path from the event's root.
  public var property: String
  /// Any one of them satisfies the condition.
  public var values: [String]

  /// A condition on the text of a property; an event without the property never satisfies it.
  public init(property: String, values: [String]) {
    self.property = property
    self.values = values
  }
}

/// Where a window begins.
public enum Anchor: Sendable, Hashable {
  /// t0, the person's entry.
  case entry
  /// The person's first such event at or after t0 − window.
  case event(EventPattern)
  /// The moment the person reached the goal with this index in `Flow.goals`.
  case goal(Int)
}

/// A later event worth having.
public struct Goal: Sendable, Hashable {
  /// Its name in tables and metrics; unique among its kind in the flow.
  public var id: String
  /// A title for readers; the id where the file gives none.
  public var title: String
  /// The events that count.
  public var pattern: EventPattern
  /// From the anchor, end included; the flow's window where the file gives none.
  public var withinMilliseconds: Int64
  /// The property whose value splits the goal into `goal:value` rows.
  public var by: String?
  /// Which matching fact's value counts, where there are several.
  public var take: GoalValueRule
  /// The property whose numbers are summed over the matching facts in the goal's window.
  public var value: String?
  /// The quantile, of people with an amount above 0, at which amounts are capped where variants
  /// are compared, as a share of 1; `nil` where they are compared as they are.
  public var winsorisedAt: Double?
  /// Whether the mean amount of an event is counted beside that of a person.
  public var countsAmountPerEvent = false
  /// Only persons who viewed this step (index into `Flow.steps`) are in the denominator.
  public var ofViewedStep: Int?
  /// What its time is counted from.
  public var anchor: Anchor

  /// A goal counted from entry, with everybody in its denominator, unless said otherwise.
  public init(
    id: String, title: String? = nil, pattern: EventPattern, withinMilliseconds: Int64,
    by: String? = nil, take: GoalValueRule = .first, value: String? = nil,
    ofViewedStep: Int? = nil, anchor: Anchor = .entry
  ) {
    self.id = id
    self.title = title ?? id
    self.pattern = pattern
    self.withinMilliseconds = withinMilliseconds
    self.by = by
    self.take = take
    self.value = value
    self.ofViewedStep = ofViewedStep
    self.anchor = anchor
  }
}

/// Which value of a goal's `by` property a person counts with, of those on the matching facts in
/// the goal's window (definitions 9.1).
public enum GoalValueRule: Sendable, Hashable {
  /// That of the earliest fact.
  case first
  /// That of the latest fact: what the person ended with.
  case last
  /// The one that stands first in this list; of others, the earliest.
  case preferred([String])
}

/// Something that got in the person's way during the attempt.
public struct Friction: Sendable, Hashable {
  /// Its name in tables and metrics; unique among its kind in the flow.
  public var id: String
  /// A title for readers; the id where the file gives none.
  public var title: String
  /// The events that count.
  public var pattern: EventPattern
  /// The step it happens on, for the reader; it changes no number.
  public var step: Int?

  /// A friction event; `step` is an index into ``Flow/steps``.
  public init(id: String, title: String? = nil, pattern: EventPattern, step: Int? = nil) {
    self.id = id
    self.title = title ?? id
    self.pattern = pattern
    self.step = step
  }
}

/// One retention metric.
public struct RetentionMeasure: Sendable, Hashable {
  /// The metric's name without `retention_`: `d7`, `on_or_after_d7`, `d80_110`.
  public var id: String
  /// The days on which coming back counts.
  public var window: RetentionWindow
  /// Coming back means this event; any activity where `nil`.
  public var pattern: EventPattern?
  /// What its time is counted from.
  public var anchor: Anchor

  /// A measure of any activity, counted from entry, unless said otherwise.
  public init(
    id: String, window: RetentionWindow, pattern: EventPattern? = nil, anchor: Anchor = .entry
  ) {
    self.id = id
    self.window = window
    self.pattern = pattern
    self.anchor = anchor
  }
}

extension RetentionMeasure {
  /// The `id` that the flow file gives the measure, which stands before the window's own name;
  /// `nil` for none.
  public var ownName: String? {
    let suffix = "_" + window.name
    return id.hasSuffix(suffix) ? String(id.dropLast(suffix.count)) : nil
  }
}

/// In which days after the anchor a person must come back.
public enum RetentionWindow: Sendable, Hashable {
  /// Day N.
  case day(Int)
  /// From the start of the first day to the end of the last.
  case bracket(Int, Int)
  /// From the start of day N to the start of day `until`.
  case onOrAfter(Int, until: Int)

  /// The first day inside and the first day after the window.
  public var days: (start: Int, end: Int) {
    switch self {
    case .day(let day): (day, day + 1)
    case .bracket(let first, let last): (first, last + 1)
    case .onOrAfter(let first, let until): (first, until)
    }
  }
}

/// What the design promises: a bound on one metric.
public struct Target: Sendable, Hashable {
  /// In the metric's unit: a share of 1, or seconds.
  public enum Bound: Sendable, Hashable {
    case atLeast(Double)
    case atMost(Double)
  }
  /// Its name in docs/metrics.md.
  public var metric: MetricName
  /// The metric's step, goal, permission …; empty where it has none.
  public var step: String
  /// `experiment`, `variant`, `version`, `breakdown` of the slice; all where empty.
  public var slice: [NameMapping]
  /// What the metric must not fall below or rise above.
  public var bound: Bound

  /// A target for all people; `slice` limits it to a version, a variant or a breakdown.
  public init(metric: MetricName, step: String = "", slice: [NameMapping] = [], bound: Bound) {
    self.metric = metric
    self.step = step
    self.slice = slice
    self.bound = bound
  }
}
