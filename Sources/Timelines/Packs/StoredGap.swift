internal import EventInput
public import FlowDefinition

/// Something that flows ask for and that was not kept when a pack's sources were read.
public struct StoredGap: Sendable {
  /// In words: `properties.plan was not kept`.
  public let reason: String
  /// Whether facts with an action of this code are concerned; `nil`: with every one.
  let actions: [Bool]?
  let contexts: [Bool]?

  /// Whether no fact of the pack is concerned: then nothing is missed.
  var concernsNobody: Bool {
    actions?.contains(true) == false && contexts == nil
      || actions == nil && contexts?.contains(true) == false
  }

  /// The numbers, in the pack, of sources whose facts in this segment are concerned.
  public func sources(in segment: StoredBytes) throws -> Set<Int> {
    var found: Set<Int> = []
    try segment.forEachRun { _, _, facts in
      for stored in facts {
        let isIn =
          if let actions {
            Int(stored.fact.action) < actions.count && actions[Int(stored.fact.action)]
          } else if let contexts {
            Int(stored.fact.context) < contexts.count && contexts[Int(stored.fact.context)]
          } else {
            true
          }
        if isIn { found.insert(Int(stored.source)) }
      }
    }
    return found
  }
}

extension StoredPackReading {
  /// What flows that are read by `schema` ask for and this pack lacks; empty if all is there.
  ///
  /// A property that only some events are asked for is missed only where these events are; a name
  /// only where names of its column found no place.
  public func gaps(_ schema: FactSchema, flows: [Flow]) -> [StoredGap] {
    if !layout.hasSameIdentifiers(as: StoredLayout(schema)) {
      return [
        StoredGap(
          reason: "ids, times or names of events were read from other fields", actions: nil,
          contexts: nil)
      ]
    }
    let projection = StoredProjection(self, schema)
    var gaps: [StoredGap] = []
    for (index, slot) in projection.actions.enumerated() {
      for path in slot.missing {
        let events = FlowQuestions.events(askedFor: path, flows)
        gaps.append(
          StoredGap(
            reason: "\(path.joined(separator: ".")) was not kept"
              + (events.map { " of \($0.sorted().joined(separator: ", "))" } ?? ""),
            actions: events.map { actions(named: $0, projection.actions[0]) }, contexts: nil))
      }
      gaps += lostNames(slot, schema, fieldName: schema.fieldName(ofActionIndex: index), .action)
    }
    for slot in projection.contexts {
      for path in slot.missing {
        gaps.append(
          StoredGap(
            reason: "\(path.joined(separator: ".")) was not kept", actions: nil, contexts: nil))
      }
      let name = slot.choices.first.map { layout.columns[$0.column].name } ?? ""
      gaps += lostNames(slot, schema, fieldName: name, .context)
    }
    return gaps.filter { !$0.concernsNobody }
  }

  /// For each action whether its event has one of these names, as the flow reads it.
  private func actions(
    named events: Set<String>, _ slot: StoredProjection.Slot
  ) -> [Bool] {
    guard let choice = slot.choices.first else { return [] }
    return (0..<tables.actionCount).map { action in
      let code = tables.actions[action * tables.actionWidth + choice.place]
      guard let name = tables.name(code, column: choice.column) else { return false }
      return events.contains(choice.aliases[name] ?? name)
    }
  }

  /// Names that flows declare now, and that may be among those that found no place.
  private func lostNames(
    _ slot: StoredProjection.Slot, _ schema: FactSchema, fieldName: String,
    _ use: StoredColumn.Use
  ) -> [StoredGap] {
    var gaps: [StoredGap] = []
    for choice in slot.choices {
      let (width, values) =
        use == .action
        ? (tables.actionWidth, tables.actions) : (tables.contextWidth, tables.contexts)
      let without = stride(from: choice.place, to: values.count, by: max(1, width)).map {
        StoredTables.isOther(values[$0])
      }
      guard without.contains(true) else { continue }
      let kept = Set(layout.columns[choice.column].declared)
        .union(tables.names[choice.column])
      let asked = schema.plan.tables[slot.table].declared + choice.aliases.keys
      let lost = Set(asked).subtracting(kept)
      if lost.isEmpty { continue }
      // Names, for the spellings that come with each.
      let spellings = Set(asked.flatMap(NameSpellings.others))
      let named = asked.filter { name in
        !spellings.contains(name)
          && (lost.contains(name) || !lost.isDisjoint(with: NameSpellings.others(of: name)))
      }
      let names = Set(named).sorted().map { "'\($0)'" }.joined(separator: ", ")
      gaps.append(
        StoredGap(
          reason:
            "\(fieldName) has more values than were kept, and \(names) may be among the rest",
          actions: use == .action ? without : nil, contexts: use == .context ? without : nil))
    }
    return gaps
  }
}

/// Which events a flow asks a property of.
enum FlowQuestions {
  /// `nil` where it may be any event: the property has a meaning of its own.
  static func events(askedFor path: [String], _ flows: [Flow]) -> Set<String>? {
    var events: Set<String> = []
    let text = path.joined(separator: ".")
    for flow in flows {
      func isAsked(_ property: String) -> Bool { FactSchema.propertyPath(property) == text }
      for pattern in flow.eventPatterns
      where pattern.conditions.contains(where: { isAsked($0.property) }) {
        events.insert(pattern.event)
      }
      for mark in flow.leaveOut.marks
      where mark.conditions.contains(where: { isAsked($0.property) }) {
        guard let event = mark.event else { return nil }
        events.insert(event)
      }
      for goal in flow.goals where goal.by.map(isAsked) == true {
        events.insert(goal.pattern.event)
      }
    }
    return events.isEmpty ? nil : events
  }
}
