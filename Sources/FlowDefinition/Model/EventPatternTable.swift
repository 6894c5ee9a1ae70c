/// The patterns that a flow looks for, numbered. Patterns of one event with the same conditions are
/// one, however often the flow names them and in whatever order it lists conditions and values.
public struct EventPatternTable: Sendable {
  /// As the flow writes them first: goals, their anchors, friction, retention, its anchors,
  /// exposures, funnels with their exclusions, the entry.
  public private(set) var patterns: [EventPattern] = []
  private var numbers: [EventPattern: Int] = [:]

  /// The patterns of a flow, each once.
  public init(_ flow: Flow) {
    for goal in flow.goals {
      insert(goal.pattern)
      insert(goal.anchor)
    }
    for friction in flow.friction { insert(friction.pattern) }
    for measure in flow.retention {
      if let pattern = measure.pattern { insert(pattern) }
      insert(measure.anchor)
    }
    for experiment in flow.experiments {
      if let exposure = experiment.exposure { insert(exposure) }
    }
    for funnel in flow.funnels {
      for step in funnel.steps { for pattern in step.anyOf { insert(pattern) } }
      for exclusion in funnel.exclusions { insert(exclusion.pattern) }
    }
    if let entry = flow.entry { insert(entry) }
  }

  /// The index in `patterns` of a pattern that the flow names; `nil` for any other.
  public func number(of pattern: EventPattern) -> Int? { numbers[pattern.canonical] }

  private mutating func insert(_ anchor: Anchor) {
    if case .event(let pattern) = anchor { insert(pattern) }
  }

  private mutating func insert(_ pattern: EventPattern) {
    let canonical = pattern.canonical
    if numbers[canonical] != nil { return }
    numbers[canonical] = patterns.count
    patterns.append(pattern)
  }
}

extension Flow {
  /// The distinct patterns that the flow looks for; see `EventPatternTable.patterns`.
  public var eventPatterns: [EventPattern] { EventPatternTable(self).patterns }
}

extension EventPattern {
  /// The conditions in a fixed order: equal for patterns that are satisfied by the same events.
  var canonical: EventPattern {
    if conditions.isEmpty { return self }
    let sorted = conditions.map {
      PropertyCondition(property: $0.property, values: Set($0.values).sorted())
    }.sorted { ($0.property, $0.values.first ?? "") < ($1.property, $1.values.first ?? "") }
    return EventPattern(event: event, conditions: sorted)
  }
}
