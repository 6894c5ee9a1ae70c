internal import FlowDefinition

/// Goals, friction and retention as the walk over a person's facts needs them: bits, indices and
/// milliseconds, no names. Plain values, so that looking at a rule costs no more than its bytes.
struct MeasurePlan: Sendable {
  /// Where a window begins; see `Anchor`.
  enum Moment: Sendable {
    case entry
    /// The number of the event's pattern.
    case event(Int)
    case goal(Int)
  }

  struct GoalRule: Sendable {
    var anchor: Moment
    var pattern: Int
    var withinMilliseconds: Int64
    /// A bit for the step that must have been viewed; 0 for none.
    var viewedBit: UInt64
    /// The place of the `by` property in an action's values; −1 for none.
    var valuePlace: Int
    /// Which of several matching facts' values counts.
    var take: Take
    /// Whether the amounts of all matching facts are summed.
    var sums: Bool

    enum Take { case first, last, preferred }
  }

  struct RetentionRule: Sendable {
    var anchor: Moment
    /// Nil where any activity counts.
    var pattern: Int?
    var firstDay: Int
    var endDay: Int
    /// Any activity, counted from entry: `activeDays` knows the answer.
    var isPlain: Bool
  }

  /// A measure that counts from something after entry, over everybody.
  struct OverallRule: Sendable {
    enum Measure: Sendable {
      case goal(Int)
      case retention(Int)
    }

    var measure: Measure
    var anchor: Moment
    /// How long after entry the anchor may lie.
    var latestMilliseconds: Int64
  }

  private(set) var goals: [GoalRule] = []
  /// In the order of `CounterLayout`.
  private(set) var overall: [OverallRule] = []
  /// Goals in the order in which they can be found: a goal may be anchored on one that is declared
  /// later. Goals that are anchored in a ring stand nowhere, and are never reached.
  let goalOrder: [Int]
  private(set) var retention: [RetentionRule] = []
  /// The numbers of friction's patterns.
  let friction: [Int]

  init(_ compiled: CompiledFlow) {
    let flow = compiled.flow
    func number(_ pattern: EventPattern) -> Int { compiled.patterns.number(of: pattern) ?? 0 }
    func moment(_ anchor: Anchor) -> Moment {
      switch anchor {
      case .entry: .entry
      case .event(let pattern): .event(number(pattern))
      case .goal(let goal): .goal(goal)
      }
    }
    friction = flow.friction.map { number($0.pattern) }
    for (index, goal) in flow.goals.enumerated() {
      goals.append(
        GoalRule(
          anchor: moment(goal.anchor), pattern: number(goal.pattern),
          withinMilliseconds: goal.withinMilliseconds,
          viewedBit: goal.ofViewedStep.map { 1 << UInt64($0) } ?? 0,
          valuePlace: compiled.goalValuePlaces[index] ?? -1, take: Self.take(goal),
          sums: goal.value != nil))
    }
    overall = Self.overall(flow, moment)
    goalOrder = Self.order(flow.goals)
    for measure in flow.retention {
      let days = measure.window.days
      retention.append(
        RetentionRule(
          anchor: moment(measure.anchor), pattern: measure.pattern.map(number),
          firstDay: days.start, endDay: days.end,
          isPlain: measure.pattern == nil && measure.anchor == .entry))
    }
  }

  private static func take(_ goal: Goal) -> GoalRule.Take {
    switch goal.take {
    case .first: .first
    case .last: .last
    case .preferred: .preferred
    }
  }

  private static func overall(
    _ flow: Flow, _ moment: (Anchor) -> Moment
  ) -> [OverallRule] {
    flow.overallGoals.map { index in
      let anchor = flow.goals[index].anchor
      return OverallRule(
        measure: .goal(index), anchor: moment(anchor),
        latestMilliseconds: flow.latestMilliseconds(of: anchor))
    }
      + flow.overallRetention.map { index in
        let anchor = flow.retention[index].anchor
        return OverallRule(
          measure: .retention(index), anchor: moment(anchor),
          latestMilliseconds: flow.latestMilliseconds(of: anchor))
      }
  }

  /// Goals in an order in which each stands behind the one that it is anchored on.
  private static func order(_ goals: [Goal]) -> [Int] {
    var followers: [Int: [Int]] = [:]
    var order: [Int] = []
    for (index, goal) in goals.enumerated() {
      if case .goal(let anchor) = goal.anchor {
        followers[anchor, default: []].append(index)
      } else {
        order.append(index)
      }
    }
    var next = 0
    while next < order.count {
      order += followers[order[next]] ?? []
      next += 1
    }
    return order
  }
}
