import EventInput
import ReportText

// What the flow file's 'fields:' look for and the dumps don't have.
extension Console {
  private static let namedSources = 3

  /// Names the places of 'fields:' that no line has, and those that some lines lack which have the
  /// field where events have it as a rule: people are missing then, or become others.
  static func tellMappings(of summaries: [SourceSummary]) {
    let read = summaries.filter { $0.mapped.contains { $0.lines > 0 } }
    var totals: [MappedField: MappedSight] = [:]
    for sight in read.flatMap(\.mapped) {
      totals[sight.field]?.add(sight)
      if totals[sight.field] == nil { totals[sight.field] = sight }
    }
    var named: Set<MappedField> = []
    for field in read.flatMap({ $0.mapped.map(\.field) }) where named.insert(field).inserted {
      guard let total = totals[field] else { continue }
      if total.found == 0 {
        tellMissing(total, read.flatMap(\.places))
      } else {
        tellMissing(total, in: read)
        tellElsewhere(total, besides: Set(totals.keys.map(\.path)))
      }
    }
  }

  private static func tellMissing(
    _ sight: MappedSight, _ places: [String], in source: String? = nil
  ) {
    let path = sight.field.path.joined(separator: ".")
    var text =
      "no line has '\(path)', where 'fields:' in the flow file looks for \(what(sight)) "
      + "(\(CountText.of(sight.lines, "line")))"
    if let usual = sight.usual {
      text += "; \(NumberText.grouped(sight.elsewhere)) have '\(usual)', which isn't looked at then"
    } else if let near = nearest(path, places) {
      text += "; '\(near)' is there"
    }
    message(source.map { "\($0): \(text)" } ?? text)
  }

  /// Sources of which no line has what the others have, where no event is one without it.
  private static func tellMissing(_ total: MappedSight, in read: [SourceSummary]) {
    guard total.isEventName || total.field.role == .timestamp else { return }
    let without = read.filter { summary in
      summary.mapped.contains { $0.field == total.field && $0.found == 0 && $0.lines > 0 }
    }
    for summary in without.prefix(namedSources) {
      guard let sight = summary.mapped.first(where: { $0.field == total.field }) else { continue }
      tellMissing(sight, summary.places, in: summary.name)
    }
    if without.count > namedSources {
      message(
        "the same holds for \(CountText.of(without.count - namedSources, "further input"))")
    }
  }

  /// - Parameter mapped: the places that are looked at, for whichever field.
  private static func tellElsewhere(_ sight: MappedSight, besides mapped: Set<[String]>) {
    guard sight.elsewhere > 0, let usual = sight.usual,
      !mapped.contains(usual.split(separator: ".").map(String.init))
    else { return }
    let path = sight.field.path.joined(separator: ".")
    let count = NumberText.grouped(sight.elsewhere)
    message(
      "'\(path)', where 'fields:' in the flow file looks for \(what(sight)), is in "
        + "\(NumberText.grouped(sight.found)) of \(CountText.of(sight.lines, "line")); \(count) "
        + "of the others have '\(usual)' instead, which isn't looked at: if it is the same, give "
        + "both one name")
  }

  /// What the field is, as the flow file calls it.
  private static func what(_ sight: MappedSight) -> String {
    switch sight.field.role {
    case .timestamp: "timestamp"
    case .user: "user_id"
    case .device: "device_id"
    case .session: "session_id"
    case .otherUser: "previous_id"
    case .message: "message_id"
    case .slot: sight.isEventName ? "event" : "a field"
    }
  }

  /// The place that is called most like it: as a whole, or by its last name.
  private static func nearest(_ path: String, _ places: [String]) -> String? {
    func last(_ place: String) -> String { place.split(separator: ".").last.map(String.init) ?? "" }
    if let near = NearestName.of(path, among: places.filter { last($0) != "" }),
      last(near).first?.lowercased() == last(path).first?.lowercased()
    {
      return near
    }
    let names = places.map(last)
    guard let near = NearestName.of(last(path), among: names) else { return nil }
    return names.firstIndex(of: near).map { places[$0] }
  }
}
