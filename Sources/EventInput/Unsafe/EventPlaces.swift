/// Where the values of an event's line stand, to see by which of them it is one.
struct EventPlaces {
  /// `nil` where the line is no whole object.
  private let places: [[String]]?

  init(_ line: [UInt8]) {
    var cursor = JSONCursor(line)
    places = cursor.places(under: [])
  }

  /// Whether one of the places names the event. A `name` does only where the flow says so: a
  /// customer, a product and a project have one, too.
  func name(_ plan: ScanPlan, _ fields: [FieldRule]) -> Bool {
    has(fields) { $0.role == .slot(plan.eventSlot) && !Self.isVague($0) }
  }

  /// Whether one of them dates it.
  func date(_ fields: [FieldRule]) -> Bool { has(fields) { $0.role == .timestamp } }

  /// Whether they hold the ids that the flow needs.
  func identify(_ plan: ScanPlan, _ fields: [FieldRule]) -> Bool {
    switch plan.identifiers {
    case .any: has(fields) { $0.role == .user || $0.role == .device }
    case .user: has(fields) { $0.role == .user }
    case .device: has(fields) { $0.role == .device }
    }
  }

  /// Whether a `name` names the event, and nothing else does.
  func isNamedByNameAlone(_ plan: ScanPlan, _ fields: [FieldRule]) -> Bool {
    places != nil && !name(plan, fields)
      && has(fields) { $0.role == .slot(plan.eventSlot) && Self.isVague($0) }
  }

  private static func isVague(_ field: FieldRule) -> Bool {
    field.path == ["name"] && !field.isOwn
  }

  /// Whether a value stands at one of the fields, or around it as a text.
  private func has(_ fields: [FieldRule], where isWanted: (FieldRule) -> Bool) -> Bool {
    guard let places else { return true }
    return fields.contains { field in
      isWanted(field)
        && (field.constant != nil || places.contains { field.path.starts(with: $0) })
    }
  }
}
