/// Where a path that the flow file maps leads to in a format, and where the format has what it is
/// for.
struct MappedPlaces: Sendable, Hashable {
  let field: MappedField
  /// Where the path is looked for.
  let own: [[String]]
  /// Where the format has the field, which isn't looked at: at the root alone.
  let usual: [[String]]
}

/// A field that the flow file names a place for.
public struct MappedField: Sendable, Hashable {
  /// What the field is to an event.
  public let role: FieldRule.Role
  /// The path as the flow file has it.
  public let path: [String]
}

extension ScanPlan {
  /// What the flow file maps, in the plan's order.
  var mappedFields: [MappedField] {
    var seen: Set<MappedField> = []
    // A path `event` is the event's name, wherever that stands.
    return fields.filter { $0.isOwn && $0.constant == nil && $0.path != ["event"] }
      .map { MappedField(role: $0.role, path: $0.path) }
      .filter { seen.insert($0).inserted }
  }

  /// Where these lead to in a format.
  func mappedPlaces(in format: EventFormat) -> [MappedPlaces] {
    mappedFields.map { field in
      let own = [field.path] + format.paths(for: field.path)
      let usual = canonicalName(of: field.role).map { format.paths(for: [$0]) } ?? []
      return MappedPlaces(
        field: field, own: own, usual: usual.filter { $0.count == 1 && !own.contains($0) })
    }
  }

  /// The canonical field by its role; `nil` for slots but the event's name.
  private func canonicalName(of role: FieldRule.Role) -> String? {
    switch role {
    case .timestamp: "timestamp"
    case .user: "user_id"
    case .device: "device_id"
    case .session: "session_id"
    case .otherUser: "previous_id"
    case .message: "message_id"
    case .slot(let slot): slot == eventSlot ? "event" : nil
    }
  }
}
