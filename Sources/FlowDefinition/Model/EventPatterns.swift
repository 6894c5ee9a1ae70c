extension Flow {
  /// Every pattern the flow looks for, in a fixed order: goals, their anchors, friction,
  /// retention, its anchors, funnels with their exclusions.
  public var eventPatterns: [EventPattern] {
    var patterns: [EventPattern] = []
    func add(_ anchor: Anchor) {
      if case .event(let pattern) = anchor { patterns.append(pattern) }
    }
    for goal in goals {
      patterns.append(goal.pattern)
      add(goal.anchor)
    }
    patterns += friction.map(\.pattern)
    for measure in retention {
      if let pattern = measure.pattern { patterns.append(pattern) }
      add(measure.anchor)
    }
    for funnel in funnels {
      patterns += funnel.steps.flatMap(\.anyOf)
      patterns += funnel.exclusions.map(\.pattern)
    }
    return patterns
  }
}
