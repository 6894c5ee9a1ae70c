/// What a plan reads of a format's events, as dotted paths.
struct UsedPaths {
  /// All that it reads.
  let all: Set<String>
  /// By which people, devices and sessions are known.
  let identifiers: Set<String>
  /// Where the id of an event's person stands, the likeliest first.
  let people: [String]

  init(_ plan: ScanPlan, _ format: EventFormat) {
    let fields = plan.reading(as: format).fields.filter { $0.constant == nil }
    func paths(_ role: FieldRule.Role) -> [String] {
      fields.filter { $0.role == role }.map { $0.path.joined(separator: ".") }
    }
    let distinct = (format.mixedIdentity?.distinct ?? []).map { $0.joined(separator: ".") }
    people = paths(.user) + distinct + paths(.device)
    all = Set(fields.map { $0.path.joined(separator: ".") } + distinct)
    identifiers = Set(people + paths(.session) + paths(.otherUser))
  }
}
