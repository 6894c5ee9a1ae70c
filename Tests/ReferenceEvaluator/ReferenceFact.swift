import FlowDefinition
import Foundation

/// What is kept of one event (definitions 1.2).
struct ReferenceFact: Hashable {
  struct Sent: Hashable {
    var flow: String?
    var version: String?
    var variants: [String: String] = [:]
  }

  var user: String?
  var device: String?
  /// Another id of the user, where the event unites the two.
  var other: String?
  var time: Int64
  var name: String
  var flow: String?
  var session: String?
  /// The event's own id: it tells apart what is equal in all else.
  var message: String?
  var version: String?
  /// Declared experiments only.
  var variants: [String: String]
  /// As the event spells them, by which ties are broken.
  private(set) var sent = Sent()
  /// Dotted paths from the event's root that the flow uses, and their texts.
  var values: [String: String]

  /// `nil` where the line can't be used.
  init?(line: String, flow: Flow) {
    guard let event = ReferenceJSON.parse(line), case .object = event,
      let name = event.at("event")?.text,
      let time = event.at("timestamp")?.text.flatMap(ReferenceTime.milliseconds)
    else { return nil }
    self.time = time
    self.name = flow.eventNames.first { $0.from == name }?.to ?? name
    (user, device, other) = Self.identity(
      user: Self.identifier(event.at("user_id")), device: Self.identifier(event.at("device_id")),
      previous: Self.identifier(event.at("previous_id")))
    switch flow.identity {
    case .stitched: guard user != nil || device != nil else { return nil }
    case .user: guard user != nil else { return nil }
    case .device: guard device != nil else { return nil }
    }
    sent.flow = event.at("flow")?.text
    self.flow = sent.flow.map { Spelling.name($0, among: [flow.id]) ?? $0 }
    session = Self.identifier(event.at("session_id"))
    message = Self.identifier(event.at("message_id"))
    sent.version = event.at("flow_version")?.text
    version = sent.version.map { text in
      let names = flow.versions.map(\.name) + [flow.newestVersion].compactMap(\.self)
      return Spelling.name(text, among: names) ?? text
    }
    variants = [:]
    for experiment in flow.experiments {
      if event.at("experiment")?.text == experiment.id {
        variants[experiment.id] = event.at("variant")?.text
      }
      if case .object(let map) = event.at("experiments"), let value = map[experiment.id]?.text {
        variants[experiment.id] = value
      }
    }
    sent.variants = variants
    for experiment in flow.experiments {
      variants[experiment.id] = variants[experiment.id].map {
        Spelling.name($0, among: experiment.variants.map(\.id)) ?? $0
      }
    }
    values = [:]
    for path in Self.usedPaths(flow) { values[path] = event.at(path)?.text }
  }

  /// Definitions 3.5, sentence by sentence.
  private static func identity(
    user: String?, device: String?, previous: String?
  ) -> (user: String?, device: String?, other: String?) {
    guard let previous, previous != device, previous != user else { return (user, device, nil) }
    guard let user else { return (previous, device, nil) }
    return (user, device ?? previous, previous)
  }

  /// Definitions 3.1: null, "" and placeholders are no ids.
  private static func identifier(_ value: ReferenceJSON?) -> String? {
    value?.text.flatMap { isPlaceholder($0) ? nil : $0 }
  }

  private static let placeholders: Set<String> = [
    "undefined", "null", "nil", "none", "nan", "n/a", "<na>", "[object object]", "anonymous",
    "guest", "unknown", "(not set)", "not_authenticated", "distinct_id", "distinctid", "id",
    "email", "true", "false", "-1", "9774d56d682e549c", "lmy47d",
  ]

  private static func isPlaceholder(_ id: String) -> Bool {
    let blank = CharacterSet(charactersIn: "\0"..." ")
    let whole = id.trimmingCharacters(in: blank)
    var inner = whole
    for pair in ["\"\"", "''", "()", "<>", "[]", "{}"]
    where whole.count > 1 && whole.hasPrefix(pair.prefix(1)) && whole.hasSuffix(pair.suffix(1)) {
      inner = String(whole.dropFirst().dropLast()).trimmingCharacters(in: blank)
    }
    if inner.allSatisfy({ "0-".contains($0) }) { return true }
    return placeholders.contains(whole.lowercased()) || placeholders.contains(inner.lowercased())
  }

  /// A property by its name inside `properties`, or a dotted path from the root.
  static func path(_ property: String) -> String {
    property.contains(".") ? property : "properties." + property
  }

  static func usedPaths(_ flow: Flow) -> Set<String> {
    let own = [
      "page_name", "page_number", "page_index", "skipped_at_page",
      "skipped_at_index", "completion_method", "permission", "status", "prompted",
    ]
    var patterns = flow.goals.map(\.pattern) + flow.friction.map(\.pattern)
    for measure in flow.retention {
      if let pattern = measure.pattern { patterns.append(pattern) }
    }
    for anchor in flow.goals.map(\.anchor) + flow.retention.map(\.anchor) {
      if case .event(let pattern) = anchor { patterns.append(pattern) }
    }
    patterns += flow.experiments.compactMap(\.exposure) + [flow.entry].compactMap { $0 }
    for funnel in flow.funnels {
      patterns += funnel.steps.flatMap(\.anyOf) + funnel.exclusions.map(\.pattern)
    }
    let conditions =
      (patterns.flatMap(\.conditions) + flow.leaveOut.marks.flatMap(\.conditions)).map(\.property)
    let properties =
      own + conditions + flow.goals.compactMap(\.by) + flow.goals.compactMap(\.value)
    return Set(properties.map(path) + flow.dimensions.map(\.path))
  }

  func property(_ name: String) -> String? {
    values[Self.path(name)]
  }

  func matches(_ pattern: EventPattern) -> Bool {
    name == pattern.event && meets(pattern.conditions)
  }

  /// Definitions 3.7: of any event where the mark names none.
  func bears(_ mark: PersonMark) -> Bool {
    name == mark.event ?? name && meets(mark.conditions)
  }

  /// A missing property satisfies no condition.
  private func meets(_ conditions: [PropertyCondition]) -> Bool {
    conditions.allSatisfy { condition in
      guard let text = property(condition.property) else { return false }
      return condition.values.contains { Spelling.means(text, $0) }
    }
  }
}
