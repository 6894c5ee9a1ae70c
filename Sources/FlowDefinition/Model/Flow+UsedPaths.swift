/// A path in an event that a flow's numbers are computed from.
public struct UsedPath: Sendable, Hashable {
  /// Dotted, from the event's root.
  public var path: String
  /// What uses it, in words for messages: `goal 'subscribed'`.
  public var user: String
  /// The flow file's section that asks for it; `nil` for what every flow reads.
  public var section: String?
  /// How the flow file may write it: a property can go without `properties.`.
  var spellings: [String]
}

extension Flow {
  /// Every path that is read from an event for this flow: the fields that each flow reads, and what
  /// conditions, goals, dimensions and experiments ask for.
  public var usedPaths: [UsedPath] {
    let mappings = Dictionary(fields.map { ($0.field, $0) }, uniquingKeysWith: { $1 })
    var used: [UsedPath] = []
    for field in FlowBuilder.canonicalFields where field != "experiments" {
      let mapping = mappings[field]
      if mapping?.constant != nil { continue }
      let usual = Self.rootFields.contains(field) ? field : "properties.\(field)"
      used.append(
        UsedPath(
          path: mapping?.path ?? usual, user: "the field '\(field)'",
          section: mapping?.path == nil ? nil : "fields", spellings: [mapping?.path ?? field]))
    }
    let experimentsPath = mappings["experiments"]?.path ?? "experiments"
    used += experiments.map { experiment in
      UsedPath(
        path: "\(experimentsPath).\(experiment.id)", user: "experiment '\(experiment.id)'",
        section: "experiments", spellings: [experiment.id])
    }
    for pattern in eventPatterns {
      used += pattern.conditions.map { condition in
        property(condition.property, "a condition of the event '\(pattern.event)'", "where")
      }
    }
    for mark in leaveOut.marks {
      used += mark.conditions.map { property($0.property, "'leave_out'", "leave_out") }
    }
    for goal in goals {
      used += [goal.by, goal.value].compactMap(\.self).map {
        property($0, "goal '\(goal.id)'", "goals")
      }
    }
    used += dimensions.map { dimension in
      UsedPath(
        path: dimension.path, user: "dimension '\(dimension.id)'", section: "dimensions",
        spellings: [dimension.path, dimension.id])
    }
    used += experiments.compactMap { experiment in
      experiment.clusterPath.map {
        UsedPath(
          path: $0, user: "'cluster' of experiment '\(experiment.id)'", section: "experiments",
          spellings: [$0])
      }
    }
    return used
  }

  /// The fields of the canonical event that are no properties.
  private static let rootFields: Set<String> = [
    "event", "message_id", "user_id", "previous_id", "device_id", "session_id", "timestamp", "flow",
    "flow_version", "experiment", "variant",
  ]

  private func property(_ name: String, _ user: String, _ section: String) -> UsedPath {
    UsedPath(
      path: name.contains(".") ? name : "properties.\(name)", user: user, section: section,
      spellings: [name])
  }
}
