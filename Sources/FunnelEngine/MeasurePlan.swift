internal import FlowDefinition

/// Goals, friction and retention as the walk over a person's facts needs them: bits, indices and
/// milliseconds, no names. Plain values, so that looking at a rule costs no more than its bytes.
struct MeasurePlan: Sendable {
  /// Where a window begins; see `Anchor`.
  enum Moment: Sendable {
    case entry
    /// The bit of the event's pattern.
    case event(UInt64)
    case goal(Int)
  }

  struct GoalRule: Sendable {
    var anchor: Moment
    var bit: UInt64
    var withinMilliseconds: Int64
    /// A bit for the step that must have been viewed; 0 for none.
    var viewedBit: UInt64
    /// The place of the `by` property in an action's values; −1 for none.
    var valuePlace: Int
  }

  struct RetentionRule: Sendable {
    var anchor: Moment
    /// 0 where any activity counts.
    var bit: UInt64
    var firstDay: Int
    var endDay: Int
    /// Any activity, counted from entry: `activeDays` knows the answer.
    var isPlain: Bool
  }

  private(set) var goals: [GoalRule] = []
  /// Goals that are anchored on goals, which may be declared later.
  private(set) var goalsOnGoals: [Int] = []
  private(set) var retention: [RetentionRule] = []
  /// The bits of friction's patterns.
  let friction: [UInt64]

  init(_ compiled: CompiledFlow) {
    let flow = compiled.flow
    let bits = PatternBits(flow)
    friction = bits.friction
    for (index, goal) in flow.goals.enumerated() {
      let anchor = Self.moment(goal.anchor, bits.goalAnchors[index])
      if case .goal = anchor { goalsOnGoals.append(index) }
      goals.append(
        GoalRule(
          anchor: anchor, bit: bits.goals[index], withinMilliseconds: goal.withinMilliseconds,
          viewedBit: goal.ofViewedStep.map { 1 << UInt64($0) } ?? 0,
          valuePlace: compiled.goalValuePlaces[index] ?? -1))
    }
    for (index, measure) in flow.retention.enumerated() {
      let days = measure.window.days
      retention.append(
        RetentionRule(
          anchor: Self.moment(measure.anchor, bits.retentionAnchors[index]),
          bit: bits.retention[index], firstDay: days.start, endDay: days.end,
          isPlain: measure.pattern == nil && measure.anchor == .entry))
    }
  }

  private static func moment(_ anchor: Anchor, _ bit: UInt64) -> Moment {
    switch anchor {
    case .entry: .entry
    case .event: .event(bit)
    case .goal(let goal): .goal(goal)
    }
  }
}
