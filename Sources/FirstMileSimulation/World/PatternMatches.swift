import FlowDefinition

/// Which event templates satisfy which patterns of the flow, worked out once.
struct PatternMatches: Sendable {
  /// By goal, friction and measure (`nil`: any activity), then by template.
  var goals: [[Bool]]
  var friction: [[Bool]]
  var retention: [[Bool]?]
  /// By template: whether it shows that the person came back.
  var shows: [Bool]

  init(_ flow: Flow, _ templates: [EventTemplate]) {
    func matches(_ pattern: EventPattern) -> [Bool] { templates.map { $0.matches(pattern) } }
    goals = flow.goals.map { matches($0.pattern) }
    friction = flow.friction.map { matches($0.pattern) }
    retention = flow.retention.map { $0.pattern.map(matches) }
    shows = templates.map { !flow.notActivity.contains($0.event) }
  }
}
