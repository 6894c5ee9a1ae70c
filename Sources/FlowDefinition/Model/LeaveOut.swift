/// Whom a flow leaves out of all that it counts: the team, testers, review devices, load tests.
public struct LeaveOut: Sendable, Hashable {
  /// Each one alone leaves out people with an event that bears it.
  public var marks: [PersonMark]
  /// Ids of users as events have them, and ids of devices of people who have no user id.
  public var ids: [String]

  /// People with an event that bears one of the marks, and people with one of the ids.
  public init(marks: [PersonMark] = [], ids: [String] = []) {
    self.marks = marks
    self.ids = ids
  }

  /// Whether nobody is left out.
  public var isEmpty: Bool { marks.isEmpty && ids.isEmpty }

  /// In words for reports: `is_internal=true, team_member_marked, 3 ids`. Ids are not in it.
  public var described: String {
    let ids = ids.isEmpty ? [] : ["\(ids.count) id\(ids.count == 1 ? "" : "s")"]
    return (marks.map(\.described) + ids).joined(separator: ", ")
  }
}

/// What marks an event as one of a person whom the flow leaves out.
public struct PersonMark: Sendable, Hashable {
  /// The canonical name of the event; `nil` where any event will do.
  public var event: String?
  /// All of them must hold. A mark of any event has one at least.
  public var conditions: [PropertyCondition]

  /// An event of this name, or any event, that meets the conditions.
  public init(event: String?, conditions: [PropertyCondition] = []) {
    self.event = event
    self.conditions = conditions
  }

  /// `app_opened[source=push|widget]`; of any event the conditions alone.
  public var described: String {
    let pattern = EventPattern(event: event ?? "", conditions: conditions).described
    return event == nil ? String(pattern.dropFirst().dropLast()) : pattern
  }
}
