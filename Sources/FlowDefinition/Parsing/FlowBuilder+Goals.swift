internal import Yams

/// Which matching fact's value counts.
enum GoalValueMoment: String, CaseIterable {
  case first, last
}

/// Goals, friction and anchors.
extension FlowBuilder {
  mutating func readGoals(_ file: MappingReader) {
    let keys = ["id", "title", "event", "where", "by", "value", "of", "within", "anchor"]
    var drafts: [(goal: Goal, anchor: Node?, place: SourcePlace?)] = []
    for node in list(file, "goals", .goals) {
      guard let reader = MappingReader(node, what: "a goal", allowed: keys, diagnostics) else {
        continue
      }
      let id = reader.identifier("id", in: "a goal", forbidding: ":")
      let place = reader.node("id")?.place
      var goal = Goal(
        id: id ?? "", title: reader.text("title"),
        pattern: pattern(reader, in: id.map { "goal '\($0)'" } ?? "a goal"),
        withinMilliseconds: reader.duration("within") ?? flow.windowMilliseconds,
        ofViewedStep: reader.node("of").flatMap { viewedStep($0) })
      if let node = reader.node("by") { readValue(node, into: &goal) }
      if let node = reader.node("value") { readAmount(node, into: &goal) }
      guard let id else { continue }
      if goalIndices[id] != nil {
        diagnostics.error("goal '\(id)' is declared twice", at: place, found: id)
        continue
      }
      goalIndices[id] = drafts.count
      drafts.append((goal, reader.node("anchor"), place))
    }
    flow.goals = drafts.map { draft in
      var goal = draft.goal
      goal.anchor = draft.anchor.flatMap { anchor($0) } ?? .entry
      return goal
    }
    for (index, draft) in drafts.enumerated() where isAnchoredOnItself(index) {
      diagnostics.error(
        "goal '\(draft.goal.id)' is anchored on itself", at: draft.anchor?.place ?? draft.place,
        found: draft.goal.id)
    }
    let chains = flow.goals.indices.map { flow.goalsInChain(from: $0) }
    if let index = chains.firstIndex(where: { $0 > FlowLimit.anchors.maximum }) {
      diagnostics.tooMany(
        .anchors, chains[index], at: drafts[index].anchor?.place ?? drafts[index].place)
    }
  }

  private func isAnchoredOnItself(_ start: Int) -> Bool {
    var current = flow.goals[start].anchor
    for _ in flow.goals {
      guard case .goal(let index) = current else { return false }
      if index == start { return true }
      current = flow.goals[index].anchor
    }
    return false
  }

  /// A property, or a mapping that also says which of several values counts.
  private func readValue(_ node: Node, into goal: inout Goal) {
    guard node.mapping != nil else {
      goal.by = diagnostics.path(node, "'by'")
      return
    }
    guard
      let reader = MappingReader(
        node, what: "'by'", allowed: ["property", "take", "prefer"], diagnostics)
    else { return }
    goal.by = reader.required("property", in: "'by'").flatMap {
      diagnostics.path($0, "'property'")
    }
    if reader.has("prefer") {
      if reader.has("take") { _ = reader.hasOne(of: ["take", "prefer"], in: "'by'") }
      let values = (reader.list("prefer") ?? []).compactMap {
        diagnostics.scalarText($0, "a value of 'prefer'")
      }
      goal.take = .preferred(values)
      if Set(values).count < values.count || values.isEmpty {
        diagnostics.error(
          "'prefer' needs values, best first, each once", at: reader.keyMark("prefer"),
          found: values.joined(separator: ", "))
      }
    } else if reader.choice("take", GoalValueMoment.self) == .last {
      goal.take = .last
    }
  }

  /// A property with a number, or a mapping that also says how its amounts are compared.
  private func readAmount(_ node: Node, into goal: inout Goal) {
    guard node.mapping != nil else {
      goal.value = diagnostics.path(node, "'value'")
      return
    }
    guard
      let reader = MappingReader(
        node, what: "'value'", allowed: ["property", "winsorise", "per_event"], diagnostics)
    else { return }
    goal.value = reader.required("property", in: "'value'").flatMap {
      diagnostics.path($0, "'property'")
    }
    goal.winsorisedAt = diagnostics.percentage(reader, "winsorise", 0.5...0.9999)
    goal.countsAmountPerEvent = reader.boolean("per_event") ?? false
  }

  private func viewedStep(_ node: Node) -> Int? {
    guard let of = MappingReader(node, what: "'of'", allowed: ["viewed"], diagnostics),
      let viewed = of.required("viewed", in: "'of'")
    else { return nil }
    return step(viewed, "'viewed'")
  }

  mutating func readFriction(_ file: MappingReader) {
    let keys = ["id", "title", "event", "where", "step"]
    var known: Set<String> = []
    for node in list(file, "friction", .friction) {
      guard let reader = MappingReader(node, what: "a friction", allowed: keys, diagnostics)
      else { continue }
      let id = reader.identifier("id", in: "a friction")
      let friction = Friction(
        id: id ?? "", title: reader.text("title"),
        pattern: pattern(reader, in: id.map { "friction '\($0)'" } ?? "a friction"),
        step: reader.node("step").flatMap { step($0, "'step'") })
      guard let id else { continue }
      if !known.insert(id).inserted {
        diagnostics.error(
          "friction '\(id)' is declared twice", at: reader.node("id")?.place, found: id)
        continue
      }
      flow.friction.append(friction)
    }
  }

  /// `event` and `where` of a mapping.
  mutating func pattern(_ reader: MappingReader, in what: String) -> EventPattern {
    let node = reader.required("event", in: what)
    let pattern = EventPattern(
      event: node.flatMap { diagnostics.name($0, "'event'") } ?? "",
      conditions: diagnostics.conditions(reader.node("where")))
    count(pattern, at: node?.place)
    return pattern
  }

  /// `entry`, `{event: NAME, where: …}` or `{goal: ID}`; goals must be known by now.
  mutating func anchor(_ node: Node) -> Anchor? {
    if let scalar = node.scalar {
      if scalar.string == "entry" { return .entry }
      diagnostics.error(
        "'anchor' can't be \(Diagnostics.describe(node))", at: node.place, found: scalar.string,
        allowed: ["entry", "{event: NAME}", "{goal: ID}"])
      return nil
    }
    guard
      let reader = MappingReader(
        node, what: "'anchor'", allowed: ["event", "where", "goal"], diagnostics)
    else { return nil }
    guard reader.hasOne(of: ["event", "goal"], in: "'anchor'") else { return nil }
    if reader.has("event") { return .event(pattern(reader, in: "'anchor'")) }
    if reader.has("where") {
      diagnostics.error(
        "'where' belongs to an event; a goal has its own", at: reader.keyMark("where"),
        found: "where")
    }
    guard let node = reader.node("goal"), let id = diagnostics.text(node, "'goal'") else {
      return nil
    }
    if let index = goalIndices[id] { return .goal(index) }
    diagnostics.unknown(
      "goal", id, at: node.place,
      allowed: goalIndices.sorted { $0.value < $1.value }.map(\.key))
    return nil
  }
}
