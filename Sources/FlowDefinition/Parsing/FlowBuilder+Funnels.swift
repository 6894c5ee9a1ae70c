internal import Yams

/// `funnels:`, the classical kind.
extension FlowBuilder {
  mutating func readFunnels(_ file: MappingReader) {
    let keys = [
      "id", "title", "window", "within", "window_per", "steps", "order", "entry", "exclude",
    ]
    var known: Set<String> = []
    for node in list(file, "funnels", .funnels) {
      guard let reader = MappingReader(node, what: "a funnel", allowed: keys, diagnostics) else {
        continue
      }
      let id = reader.identifier("id", in: "a funnel", forbidding: ":")
      let what = id.map { "funnel '\($0)'" } ?? "a funnel"
      if let id, !known.insert(id).inserted {
        diagnostics.error("\(what) is declared twice", at: reader.node("id")?.place, found: id)
        continue
      }
      if reader.has("window"), reader.has("within") {
        diagnostics.error(
          "\(what) has both 'window' and 'within', which mean the same",
          at: reader.keyMark("within"), found: "both")
      }
      let steps = readFunnelSteps(reader, what)
      let exclusions = readExclusions(reader, stepCount: steps.count)
      if steps.count + exclusions.count > FlowLimit.funnelParts.maximum {
        diagnostics.error(
          "\(what) has \(steps.count) steps and \(exclusions.count) exclusions; at most "
            + "\(FlowLimit.funnelParts.maximum) of both together are allowed",
          at: reader.keyMark("steps"), found: String(steps.count + exclusions.count))
      }
      let funnel = CustomFunnel(
        id: id ?? "", steps: steps,
        windowMilliseconds: reader.duration("window") ?? reader.duration("within")
          ?? flow.windowMilliseconds,
        windowScope: reader.choice("window_per", CustomFunnel.WindowScope.self) ?? .whole,
        order: reader.choice("order", CustomFunnel.Order.self) ?? .ordered,
        entry: reader.choice("entry", CustomFunnel.Entry.self) ?? .first,
        exclusions: exclusions)
      flow.funnels.append(funnel)
      warn(of: funnel, reader, what)
    }
  }

  /// Remarks on keys that are allowed and change nothing.
  private func warn(of funnel: CustomFunnel, _ reader: MappingReader, _ what: String) {
    let optional = funnel.steps.firstIndex(where: \.isOptional)
    if funnel.order == .any, let optional {
      let nodes = reader.node("steps")?.sequence.map(Array.init) ?? []
      diagnostics.warning(
        "'optional' changes nothing in \(what): with 'order: any' people may do its steps in any "
          + "order, and each counts",
        at: optional < nodes.count ? nodes[optional].place : reader.keyMark("steps"))
    }
    if funnel.steps.count == 1, !funnel.exclusions.isEmpty {
      diagnostics.warning(
        "'exclude' changes nothing in \(what): an exclusion holds between two steps, and it has "
          + "only one", at: reader.keyMark("exclude"))
    }
  }

  private mutating func readFunnelSteps(_ reader: MappingReader, _ what: String) -> [FunnelStep] {
    guard let node = reader.required("steps", in: what),
      let nodes = diagnostics.list(node, "'steps'")
    else { return [] }
    if nodes.isEmpty {
      diagnostics.error("\(what) has no steps", at: node.place, found: "an empty list")
    }
    let steps = nodes.compactMap { readFunnelStep($0) }
    if steps.first?.isOptional == true {
      diagnostics.error(
        "the first step of \(what) can't be optional: it is the entry", at: nodes.first?.place,
        found: "optional")
    }
    return steps
  }

  private mutating func readFunnelStep(_ node: Node) -> FunnelStep? {
    guard node.mapping != nil else {
      return named(node, "a step of a funnel").map { FunnelStep(anyOf: [$0]) }
    }
    guard
      let reader = MappingReader(
        node, what: "a step of a funnel", allowed: ["event", "where", "any", "optional"],
        diagnostics)
    else { return nil }
    let isOptional = reader.boolean("optional") ?? false
    guard reader.hasOne(of: ["event", "any"], in: "a step of a funnel") else { return nil }
    if reader.has("event") {
      return FunnelStep(anyOf: [pattern(reader, in: "a step")], isOptional: isOptional)
    }
    if reader.has("where") {
      diagnostics.error(
        "'where' belongs to each event of 'any'", at: reader.keyMark("where"), found: "where")
    }
    let nodes = reader.list("any") ?? []
    if nodes.isEmpty, let node = reader.node("any"), node.sequence != nil {
      diagnostics.error("'any' has no events", at: node.place, found: "an empty list")
    }
    return FunnelStep(anyOf: nodes.compactMap { eventPattern($0) }, isOptional: isOptional)
  }

  /// An event's name, or `{event, where}`.
  private mutating func eventPattern(_ node: Node) -> EventPattern? {
    guard node.mapping != nil else {
      return named(node, "an event")
    }
    return MappingReader(node, what: "an event", allowed: ["event", "where"], diagnostics).map {
      pattern($0, in: "an event")
    }
  }

  /// An event without conditions.
  private mutating func named(_ node: Node, _ what: String) -> EventPattern? {
    guard let name = diagnostics.name(node, what) else { return nil }
    count(EventPattern(event: name), at: node.place)
    return EventPattern(event: name)
  }

  private mutating func readExclusions(_ reader: MappingReader, stepCount: Int) -> [FunnelExclusion]
  {
    let keys = ["event", "where", "between", "effect"]
    return (reader.list("exclude") ?? []).compactMap { node in
      guard let reader = MappingReader(node, what: "'exclude'", allowed: keys, diagnostics) else {
        return nil
      }
      let effect = reader.choice("effect", FunnelExclusion.Effect.self) ?? .remove
      let event = pattern(reader, in: "'exclude'")
      guard let between = reader.node("between") else {
        return FunnelExclusion(pattern: event, from: 1, to: max(stepCount, 1), effect: effect)
      }
      guard let nodes = diagnostics.list(between, "'between'") else { return nil }
      let numbers = nodes.compactMap {
        diagnostics.wholeNumber($0, "a step number of 'between'", in: 1...max(stepCount, 1))
      }
      guard numbers.count == nodes.count else { return nil }
      guard numbers.count == 2, numbers[0] < numbers[1] else {
        diagnostics.error(
          "'between' must be [from, to], two step numbers of which the first is smaller",
          at: between.place, found: numbers.map(String.init).joined(separator: ", "))
        return nil
      }
      return FunnelExclusion(pattern: event, from: numbers[0], to: numbers[1], effect: effect)
    }
  }
}
