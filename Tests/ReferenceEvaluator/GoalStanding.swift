import FlowDefinition

/// Goals, anchors and coming back (definitions 9 and 11).
struct GoalStanding {
  let attempt: Attempt
  private var flow: Flow { attempt.flow }

  /// Where a window begins; `nil` of a person without the anchor.
  func time(of anchor: Anchor) -> Int64? {
    switch anchor {
    case .entry: return attempt.entry
    case .event(let pattern):
      let from = attempt.entry - flow.windowMilliseconds
      return attempt.timeline.first { $0.time >= from && $0.fact.matches(pattern) }?.time
    case .goal(let index): return reached(flow.goals[index])?.time
    }
  }

  /// The earliest matching fact in [anchor, anchor + within].
  func reached(_ goal: Goal) -> PlacedFact? {
    guard let from = time(of: goal.anchor) else { return nil }
    return attempt.timeline.first { placed in
      placed.time >= from && placed.time <= from + goal.withinMilliseconds
        && placed.fact.matches(goal.pattern)
    }
  }

  /// Whether a mature person is in the goal's denominator.
  func isCounted(for goal: Goal, steps: StepStanding) -> Bool {
    guard let from = time(of: goal.anchor) else { return false }
    if let step = goal.ofViewedStep, !steps.viewed(step) { return false }
    return from + goal.withinMilliseconds <= attempt.horizon
  }

  /// The first moment inside a retention window and the first after it.
  func window(_ measure: RetentionMeasure) -> Range<Int64>? {
    guard let from = time(of: measure.anchor) else { return nil }
    let days = measure.window.days
    func start(_ day: Int) -> Int64 {
      switch flow.day {
      case .hours24: from + Int64(day) * ReferenceTime.day
      case .calendar: ReferenceTime.startOfDay(from, plus: day, timeZone: flow.timeZone)
      }
    }
    return start(days.start)..<start(days.end)
  }

  func cameBack(_ measure: RetentionMeasure, in window: Range<Int64>) -> Bool {
    attempt.timeline.contains { placed in
      guard window.contains(placed.time) else { return false }
      if let pattern = measure.pattern { return placed.fact.matches(pattern) }
      return !flow.notActivity.contains(placed.fact.name)
    }
  }
}
