/// What a flow measures, as items of the flow file's lists.
extension Flow {
  func yaml(_ goal: Goal) -> String {
    YAMLWriting.mapping(
      names(goal.id, goal.title) + entries(goal.pattern) + [
        ("by", goal.by.map { yaml($0, goal.take) }),
        ("value", goal.value.map { yaml(amount: $0, of: goal) }),
        ("of", goal.ofViewedStep.map { "{viewed: \(YAMLWriting.text(stepID($0)))}" }),
        ("within", DurationText.format(goal.withinMilliseconds)), ("anchor", yaml(goal.anchor)),
      ])
  }

  /// The id, and the title where it is another.
  func names(_ id: String, _ title: String) -> [(key: String, value: String?)] {
    [("id", YAMLWriting.text(id)), ("title", title == id ? nil : YAMLWriting.text(title))]
  }

  private func yaml(_ property: String, _ take: GoalValueRule) -> String {
    let name = YAMLWriting.text(property)
    return switch take {
    case .first: name
    case .last: YAMLWriting.mapping([("property", name), ("take", "last")])
    case .preferred(let values):
      YAMLWriting.mapping([("property", name), ("prefer", YAMLWriting.list(values))])
    }
  }

  private func yaml(amount property: String, of goal: Goal) -> String {
    let name = YAMLWriting.text(property)
    guard goal.winsorisedAt != nil || goal.countsAmountPerEvent else { return name }
    return YAMLWriting.mapping([
      ("property", name), ("winsorise", goal.winsorisedAt.map(ScalarText.percentText)),
      ("per_event", goal.countsAmountPerEvent ? "true" : nil),
    ])
  }

  func yaml(_ friction: Friction) -> String {
    YAMLWriting.mapping(
      names(friction.id, friction.title) + entries(friction.pattern) + [
        ("step", friction.step.map { YAMLWriting.text(stepID($0)) })
      ])
  }

  func yaml(_ measure: RetentionMeasure) -> String {
    var window: [(key: String, value: String?)]
    switch measure.window {
    case .day(let day): window = [("days", "[\(day)]")]
    case .bracket(let first, let last): window = [("bracket", "[\(first), \(last)]")]
    case .onOrAfter(let day, let until):
      window = [("on_or_after", "[\(day)]"), ("until", String(until))]
    }
    window.append(("id", measure.ownName.map(YAMLWriting.text)))
    return YAMLWriting.mapping(
      window + (measure.pattern.map(entries) ?? []) + [("anchor", yaml(measure.anchor))])
  }

  func yaml(_ funnel: CustomFunnel) -> String {
    let steps = funnel.steps.map { step in
      let optional = step.isOptional ? "true" : nil
      if let only = step.anyOf.first, step.anyOf.count == 1 {
        return YAMLWriting.mapping(entries(only) + [("optional", optional)])
      }
      let any = step.anyOf.map { YAMLWriting.mapping(entries($0)) }.joined(separator: ", ")
      return YAMLWriting.mapping([("any", "[\(any)]"), ("optional", optional)])
    }
    let exclusions = funnel.exclusions.map { exclusion in
      YAMLWriting.mapping(
        entries(exclusion.pattern) + [
          ("between", "[\(exclusion.from), \(exclusion.to)]"),
          ("effect", exclusion.effect.rawValue),
        ])
    }
    return YAMLWriting.mapping([
      ("id", YAMLWriting.text(funnel.id)),
      ("window", DurationText.format(funnel.windowMilliseconds)),
      ("window_per", funnel.windowScope.rawValue), ("order", funnel.order.rawValue),
      ("entry", funnel.entry.rawValue), ("steps", "[\(steps.joined(separator: ", "))]"),
      ("exclude", exclusions.isEmpty ? nil : "[\(exclusions.joined(separator: ", "))]"),
    ])
  }

  func yaml(_ target: Target) -> String {
    let bound: (key: String, value: String?) =
      switch target.bound {
      case .atLeast(let value): ("at_least", "\(ScalarText.format(value))")
      case .atMost(let value): ("at_most", "\(ScalarText.format(value))")
      }
    return YAMLWriting.mapping(
      [
        ("metric", YAMLWriting.text(target.metric.rawValue)),
        ("step", target.step.isEmpty ? nil : YAMLWriting.text(target.step)),
      ] + target.slice.map { (key: $0.from, value: YAMLWriting.text($0.to) as String?) } + [bound])
  }

  func yamlStatistics() -> String {
    YAMLWriting.mapping([
      ("alpha", ScalarText.percentText(statistics.alpha)),
      ("power", ScalarText.percentText(statistics.power)),
      ("target_lift", ScalarText.percentText(statistics.targetLift)),
      ("correction", statistics.correction.rawValue),
      ("rate_interval", statistics.rateInterval.rawValue),
      ("sequential_tuning", String(statistics.sequentialTuningPersons)),
    ])
  }

  func yaml(_ mark: PersonMark) -> String {
    let pattern = EventPattern(event: mark.event ?? "", conditions: mark.conditions)
    return YAMLWriting.mapping(entries(pattern).filter { mark.event != nil || $0.key != "event" })
  }

  func entries(_ pattern: EventPattern) -> [(key: String, value: String?)] {
    let conditions = pattern.conditions.map { condition in
      (key: condition.property, value: YAMLWriting.list(condition.values) as String?)
    }
    return [
      ("event", YAMLWriting.text(pattern.event)),
      ("where", conditions.isEmpty ? nil : YAMLWriting.mapping(conditions)),
    ]
  }

  private func yaml(_ anchor: Anchor) -> String? {
    switch anchor {
    case .entry: nil
    case .event(let pattern): YAMLWriting.mapping(entries(pattern))
    case .goal(let index):
      goals.indices.contains(index) ? "{goal: \(YAMLWriting.text(goals[index].id))}" : nil
    }
  }
}
