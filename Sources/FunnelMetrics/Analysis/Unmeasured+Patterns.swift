internal import FlowDefinition
internal import FunnelEngine
internal import ReportText

// What rests on events that the flow names: goals, friction, retention and funnels.
extension Unmeasured {
  mutating func addGoals(_ flow: Flow) {
    guard !eventNames.isEmpty else { return }
    for (index, goal) in flow.goals.enumerated() {
      add(
        "goal \(goal.id)", lacking: lacking(.goal(index), flow),
        [(.goalRate, goal.id), (.goalRateOverall, goal.id), (.timeToGoal, goal.id)])
    }
    for friction in flow.friction where !seen.contains(friction.pattern.event) {
      addUnseen("friction \(friction.id)", friction.pattern.event, [(.frictionRate, friction.id)])
    }
    for measure in flow.retention {
      let event = measure.pattern?.event
      let own = MetricName.retention(measure)
      add(
        "retention \(measure.id)",
        lacking: event.flatMap { seen.contains($0) ? nil : .event($0) }
          ?? lacking(measure.anchor, flow),
        [(own, "all"), (own.overall, "all")])
    }
  }

  /// What a moment rests on that the data lack.
  private enum Lack {
    case event(String)
    /// Views that say which page they are of.
    case views
  }

  /// What the data lack of an anchor, or of those that it is counted from in turn; `nil` where it
  /// may be seen. Rings of goals are refused before.
  private func lacking(_ anchor: Anchor, _ flow: Flow) -> Lack? {
    var anchor = anchor
    while true {
      switch anchor {
      case .entry: return nil
      case .event(let pattern):
        return seen.contains(pattern.event) ? nil : .event(pattern.event)
      case .goal(let index):
        let goal = flow.goals[index]
        if !seen.contains(goal.pattern.event) { return .event(goal.pattern.event) }
        if goal.ofViewedStep != nil && hasNoViews { return .views }
        anchor = goal.anchor
      }
    }
  }

  private mutating func add(
    _ subject: String, lacking lack: Lack?, _ metrics: [(MetricName, String)]
  ) {
    switch lack {
    case nil: break
    case .event(let event): addUnseen(subject, event, metrics)
    case .views:
      // That steps are unknown is said already.
      for (metric, step) in metrics where names[Name(metric: metric, step: step)] == nil {
        names[Name(metric: metric, step: step)] = reasonOfViews
      }
    }
  }

  /// Goals whose event is there, and no amount that can be summed.
  mutating func addAmounts(_ flow: Flow, _ quality: QualityCounts) {
    for index in quality.goalsWithoutSum.sorted() {
      let goal = flow.goals[index]
      guard let property = goal.value, seen.contains(goal.pattern.event) else { continue }
      add(
        "the amount of goal \(goal.id)",
        missing: "no '\(goal.pattern.event)' has a number in '\(property)', or more than 10,000 "
          + "different ones",
        like: [], [(.goalValue, goal.id), (.goalValueTotal, goal.id)])
      all[all.count - 1].isOfNamedEvent = true
    }
  }

  /// A step of which no event was ever seen, and all that come after it.
  mutating func addFunnels(_ flow: Flow) {
    guard !eventNames.isEmpty else { return }
    for funnel in flow.funnels {
      guard let steps = funnel.unknownSteps(isSeen: seen.contains),
        let event = funnel.missingEvents(isSeen: seen.contains).first
      else { continue }
      addUnseen(
        "funnel \(funnel.id)", event, steps.map { (.funnelStep, "\(funnel.id):\($0 + 1)") })
    }
  }

  private mutating func addUnseen(
    _ subject: String, _ event: String, _ metrics: [(MetricName, String)]
  ) {
    add(subject, missing: "no '\(event)' is in the data", like: [], metrics)
    all[all.count - 1].isOfNamedEvent = true
    if let near = NearestName.of(event, among: eventNames) {
      all[all.count - 1].candidates = [near]
    }
  }
}
