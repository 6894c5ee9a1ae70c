internal import EventInput
internal import FlowDefinition

extension FlowDraft {
  /// Fields that most onboarding events have, with few values.
  mutating func findDimensions() {
    let events = sample.events.filter { names.part($0.event) != nil }.prefix(20_000)
    guard !events.isEmpty else { return }
    for id in ["app_version", "os", "locale", "device_model"] {
      let values = events.compactMap { $0.value("context.\(id)") }
      let distinct = Set(values).count
      if values.count * 2 > events.count, (2...60).contains(distinct) {
        dimensions.append((id, "context.\(id)", distinct))
      }
    }
    let known = Set([
      "page_name", "page_number", "page_index", "item", "skipped_at_page", "skipped_at_index",
      "completion_method",
      "permission", "status", "prompted", "flow", "flow_version", "experiment", "variant",
      "session_id",
    ]).union(choice.variant.map { [$0.name] } ?? []).union(
      pagePath.map { [$0.hasPrefix("properties.") ? String($0.dropFirst(11)) : $0] } ?? [])
    var values: [String: Set<String>] = [:]
    var counts: [String: Int] = [:]
    var entities: Set<String> = []
    for event in events {
      var fields = event.context
      for (name, value) in event.properties where !name.hasPrefix("$") {
        if !known.contains(name) && !name.hasPrefix("experiments") {
          fields[event.path(ofProperty: name)] = value
          if event.isOfEntity(name) { entities.insert(name) }
        }
      }
      for (path, value) in fields {
        counts[path, default: 0] += 1
        if (values[path]?.count ?? 0) <= 12 { values[path, default: []].insert(value) }
      }
    }
    // Entities come last: what events say of themselves is likelier to be asked for.
    func rank(_ path: String) -> (Int, String) { (entities.contains(path) ? 1 : 0, path) }
    for (path, distinct) in values.sorted(by: { rank($0.key) < rank($1.key) }) {
      let id = path.split(separator: ".").last.map(String.init) ?? path
      let isOften = (counts[path] ?? 0) * 10 > events.count * 8
      let isPath = path.split(separator: ".", omittingEmptySubsequences: false)
        .allSatisfy { FlowDraft.isPlain(String($0)) }
      guard isOften, isPath, (2...12).contains(distinct.count), dimensions.count < 8,
        !dimensions.contains(where: { $0.id == id }), !Self.taken.contains(id),
        // `validate` would ask not to send such values at all.
        PropertyName(path).hint == nil
      else { continue }
      if Self.vendorContext.contains(where: { path.hasPrefix($0) }) { continue }
      dimensions.append((id, path, distinct.count))
    }
  }

  /// Names that reports use themselves.
  private static let taken: Set<String> = [
    "used_skip", "outcome", "cohort", "version", "variant", "experiment",
  ]
  /// Seen by the dimensions above already.
  private static let vendorContext = [
    "context.app", "context.os", "context.device", "context.library", "context.locale",
  ]

  static func mostCommon(_ values: [String]) -> String? {
    Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +)
      .min { ($1.value, $0.key) < ($0.value, $1.key) }?.key
  }

  /// A whole number, also one that is written `1.0`.
  static func wholeNumber(_ text: String) -> Int? {
    Int(NameSpellings.wholeNumber(spelledBy: text) ?? text)
  }

  /// Whether a name from the events may stand in a flow file.
  static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 200 && name.first != "(" && name != "all"
      && name.first != " " && name.last != " "
      // The YAML parser takes it for a byte-order mark and drops it.
      && name.unicodeScalars.first != "\u{FEFF}"
      && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  }

  static func isPlain(_ text: String) -> Bool {
    guard let first = text.utf8.first, (65...90).contains(first & 0xDF) else { return false }
    return text.utf8.allSatisfy { byte in
      (65...90).contains(byte & 0xDF) || (48...57).contains(byte) || byte == 95
    }
  }
}
