import FlowDefinition

/// Goals, anchors and coming back (definitions 9 and 11).
struct GoalStanding {
  let attempt: Attempt
  private let visitEnd: Int64
  private var flow: Flow { attempt.flow }

  init(attempt: Attempt) {
    self.attempt = attempt
    visitEnd = attempt.visitEnd()
  }

  /// Where a window begins; `nil` of a person without the anchor.
  func time(of anchor: Anchor) -> Int64? {
    switch anchor {
    case .entry: return attempt.entry
    case .event(let pattern):
      let from = attempt.entry - attempt.lead
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

  /// All matching facts in [anchor, anchor + within].
  func all(_ goal: Goal) -> [PlacedFact] {
    guard let from = time(of: goal.anchor) else { return [] }
    return attempt.timeline.filter { placed in
      placed.time >= from && placed.time <= from + goal.withinMilliseconds
        && placed.fact.matches(goal.pattern)
    }
  }

  /// The text of the goal's value; "(none)" where the fact that counts has none.
  func value(_ goal: Goal, by property: String) -> String? {
    let texts = all(goal).map { $0.fact.property(property) }
    guard let first = texts.first else { return nil }
    switch goal.take {
    case .first: return first ?? "(none)"
    case .last: return (texts.last ?? nil) ?? "(none)"
    case .preferred(let values):
      let present = texts.compactMap { $0 }
      let meant = present.map { Spelling.name($0, among: values) }
      for value in values where meant.contains(value) { return value }
      return present.first ?? "(none)"
    }
  }

  /// What the goal's amounts add up to, in millionths.
  func amount(_ goal: Goal, _ property: String) -> Int {
    all(goal).compactMap { $0.fact.property(property) }.compactMap(Double.init)
      .map { Int(($0 * 1e6).rounded()) }.reduce(0, +)
  }

  /// How many of the goal's facts say an amount.
  func amountCount(_ goal: Goal, _ property: String) -> Int {
    all(goal).compactMap { $0.fact.property(property) }.compactMap(Double.init).count
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
    return start(ofDay: days.start, after: from)..<start(ofDay: days.end, after: from)
  }

  /// Whether a fact can bring the person back: after the visit, and none of the flow's own facts
  /// in the window.
  private func isAfterVisit(_ placed: PlacedFact) -> Bool {
    let isOwn = placed.isOnboarding && placed.time >= attempt.entry
    return placed.time > visitEnd && !(isOwn && placed.time <= attempt.windowEnd)
  }

  /// The first moment of a retention day.
  func start(ofDay day: Int, after anchor: Int64) -> Int64 {
    switch flow.day {
    case .hours24: anchor + Int64(day) * ReferenceTime.day
    case .calendar: ReferenceTime.startOfDay(anchor, plus: day, timeZone: flow.timeZone)
    }
  }

  /// The last moment at which an anchor may lie and count in an overall rate (definitions 6.8).
  func latest(_ anchor: Anchor) -> Int64 {
    switch anchor {
    case .entry: attempt.entry
    case .event: attempt.entry + flow.windowMilliseconds
    case .goal(let index):
      latest(flow.goals[index].anchor) + flow.goals[index].withinMilliseconds
    }
  }

  func isInTime(_ anchor: Anchor) -> Bool { time(of: anchor).map { $0 <= latest(anchor) } ?? false }

  func cameBack(_ measure: RetentionMeasure, in window: Range<Int64>) -> Bool {
    attempt.timeline.contains { placed in
      guard window.contains(placed.time), isAfterVisit(placed) else { return false }
      if let pattern = measure.pattern { return placed.fact.matches(pattern) }
      return !flow.notActivity.contains(placed.fact.name)
    }
  }
}
