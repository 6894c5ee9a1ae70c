internal import Foundation
internal import Yams

/// The settings of a single value each, and the mappings of names.
extension FlowBuilder {
  mutating func readTimeZone(_ file: MappingReader) {
    if let name = file.node("time_zone").flatMap(timeZone) { flow.timeZone = name }
  }

  /// An IANA name; anything else is a mistake.
  private func timeZone(_ node: Node) -> String? {
    guard let name = diagnostics.text(node, "'time_zone'") else { return nil }
    let known = TimeZone.knownTimeZoneIdentifiers
    // Foundation also takes abbreviations such as PST, which mean different zones to different
    // readers; only IANA's area/place names and UTC are unmistakable.
    let isIANA = name == "UTC" || (name.contains("/") && TimeZone(identifier: name) != nil)
    if isIANA { return name }
    diagnostics.error(
      "unknown time zone '\(name)'; an IANA name such as Europe/Berlin or UTC is needed",
      at: node.place, found: name, suggestion: NearestSpelling.of(name, among: known.sorted()))
    return nil
  }

  mutating func readSkip(_ file: MappingReader) {
    guard let node = file.node("skip") else { return }
    if let scalar = node.scalar {
      flow.neverSkips = scalar.string == "never"
      if scalar.string == "ends" || flow.neverSkips { return }
      diagnostics.error(
        "'skip' can't be '\(scalar.string)'", at: node.place, found: scalar.string,
        allowed: ["ends", "never", "{leads_to: STEP}"],
        suggestion: NearestSpelling.of(scalar.string, among: ["ends", "never"]))
      return
    }
    guard node.mapping != nil else {
      diagnostics.wrongType("'skip'", "ends, never or {leads_to: STEP}", node)
      return
    }
    guard let skip = MappingReader(node, what: "'skip'", allowed: ["leads_to"], diagnostics),
      let target = skip.required("leads_to", in: "'skip'"),
      let index = step(target, "'leads_to'")
    else { return }
    flow.skip = .leadsTo(step: index)
    if !flow.defaultList.contains(index) {
      diagnostics.error(
        "skip leads to '\(flow.steps[index].id)', which is not in 'steps'", at: target.place,
        found: flow.steps[index].id, allowed: flow.defaultList.map { flow.steps[$0].id })
    }
  }

  mutating func readPermissions(_ file: MappingReader) {
    flow.permissions = distinctNames(file, "permissions")
    let isListed = file.has("permissions")
    for step in declared {
      for asked in step.step.asks where !flow.permissions.contains(asked) {
        if isListed {
          diagnostics.warning(
            "step '\(step.step.id)' asks for '\(asked)', which 'permissions' does not list; it is "
              + "reported all the same", at: step.place)
        }
        flow.permissions.append(asked)
      }
    }
    if flow.permissions.count > FlowLimit.permissions.maximum {
      diagnostics.tooMany(
        .permissions, flow.permissions.count, at: file.node("permissions")?.place)
    }
  }

  mutating func readDimensions(_ file: MappingReader) {
    let reserved = ["used_skip", "outcome", "cohort", "version", "variant", "experiment"]
    for node in list(file, "dimensions", .dimensions) {
      var path: String?
      var isKnownLater = false
      var within: Int64?
      var idNode: Node? = node
      if node.mapping != nil {
        guard
          let reader = MappingReader(
            node, what: "a dimension", allowed: ["id", "path", "known", "within"], diagnostics)
        else { continue }
        idNode = reader.required("id", in: "a dimension")
        path = reader.node("path").flatMap { diagnostics.path($0, "'path'") }
        isKnownLater = reader.choice("known", DimensionMoment.self) == .later
        within = reader.duration("within")
        if within != nil && !isKnownLater {
          diagnostics.error(
            "'within' says how long to wait for a value that is known later; add 'known: later'",
            at: reader.keyMark("within"), found: "within")
        }
      }
      guard let idNode,
        let id = diagnostics.identifier(idNode, "a dimension", forbidding: "=")
      else { continue }
      if reserved.contains(id) {
        diagnostics.error(
          "dimension '\(id)' is one of the reports' own; give it another id", at: idNode.place,
          found: id)
      } else if flow.dimensions.contains(where: { $0.id == id }) {
        diagnostics.error("dimension '\(id)' is declared twice", at: idNode.place, found: id)
      } else {
        flow.dimensions.append(
          Dimension(
            id: id, path: path, isKnownLater: isKnownLater, laterWithinMilliseconds: within))
      }
    }
  }

  mutating func readEventNames(_ file: MappingReader) {
    guard let node = file.node("events"),
      let entries = MappingReader.entries(of: node, what: "'events'", diagnostics)
    else { return }
    flow.eventNames = entries.compactMap { entry in
      diagnostics.name(entry.node, "the event for '\(entry.name)'").map {
        NameMapping(from: entry.name, to: $0)
      }
    }
  }

  /// The fields of the canonical event that a flow file may say a place for.
  static let canonicalFields = [
    "event", "message_id", "user_id", "previous_id", "device_id", "session_id", "timestamp", "flow",
    "flow_version", "experiment", "variant", "experiments", "page_number", "page_index",
    "page_name", "item", "skipped_at_page", "skipped_at_index", "completion_method",
    "permission", "status", "prompted",
  ]

  mutating func readFields(_ file: MappingReader) {
    guard let node = file.node("fields"),
      let entries = MappingReader.entries(of: node, what: "'fields'", diagnostics)
    else { return }
    for entry in entries {
      guard Self.canonicalFields.contains(entry.name) else {
        diagnostics.unknown("field", entry.name, at: entry.mark, allowed: Self.canonicalFields)
        continue
      }
      let what = "the field '\(entry.name)'"
      if entry.node.mapping == nil {
        if let path = diagnostics.path(entry.node, what) {
          flow.fields.append(FieldMapping(field: entry.name, path: path))
        }
      } else {
        readField(entry.name, entry.node, what)
      }
    }
  }

  private mutating func readField(_ name: String, _ node: Node, _ what: String) {
    guard
      let reader = MappingReader(
        node, what: what,
        allowed: ["path", "constant", "values"]
          + (name == "timestamp" ? ["time_zone", "date_order"] : []),
        diagnostics)
    else { return }
    let zone = reader.node("time_zone").flatMap(timeZone)
    let order = reader.node("date_order").flatMap {
      diagnostics.choice($0, "'date_order'", DateOrder.self)
    }
    if zone != nil || order != nil, !reader.has("path"), !reader.has("constant") {
      flow.fields.append(FieldMapping(field: name, path: nil, timeZone: zone, dateOrder: order))
      return
    }
    guard reader.hasOne(of: ["path", "constant"], in: what) else { return }
    let constant = reader.node("constant").flatMap { node -> String? in
      guard let scalar = node.scalar else {
        diagnostics.wrongType("'constant'", "text", node)
        return nil
      }
      return ScalarText.canonical(scalar)
    }
    let path = reader.node("path").flatMap { diagnostics.path($0, "'path'") }
    let values = reader.node("values").flatMap {
      MappingReader.entries(of: $0, what: "'values'", diagnostics)
    }
    flow.fields.append(
      FieldMapping(
        field: name, path: path, constant: constant,
        values: (values ?? []).compactMap { entry in
          diagnostics.scalarText(entry.node, "the value for '\(entry.name)'").map {
            NameMapping(from: entry.name, to: $0)
          }
        }, timeZone: zone, dateOrder: order))
  }
}

/// Expected times, which can't be longer than the window: later, people count as abandoned.
extension FlowBuilder {
  /// How long a list of steps is meant to take.
  func expectedTotal(_ node: Node) -> ClosedRange<Int64>? {
    let total = diagnostics.expectedTotal(node)
    if let total { warn(ofExpected: total.upperBound, "'expected_total'", at: node.place) }
    return total
  }

  func warn(ofExpected milliseconds: Int64, _ what: String, at place: SourcePlace?) {
    guard milliseconds > flow.windowMilliseconds else { return }
    diagnostics.warning(
      "\(what) is longer than the window (\(DurationText.format(flow.windowMilliseconds))), after "
        + "which people count as abandoned; make 'window' longer", at: place)
  }
}

extension Diagnostics {
  /// How long a list of steps is meant to take: one duration, or the shortest and the longest.
  func expectedTotal(_ node: Node) -> ClosedRange<Int64>? {
    let nodes = node.sequence.map(Array.init) ?? [node]
    guard nodes.count == 1 || nodes.count == 2 else {
      error(
        "'expected_total' must be one duration or [shortest, longest]", at: node.place,
        found: "a list of \(nodes.count)")
      return nil
    }
    let bounds = nodes.compactMap { duration($0, "'expected_total'") }
    guard bounds.count == nodes.count, let first = bounds.first, let last = bounds.last else {
      return nil
    }
    guard first <= last else {
      error(
        "'expected_total' must go from the shorter to the longer duration", at: node.place,
        found: "\(DurationText.format(first)), \(DurationText.format(last))")
      return nil
    }
    return first...last
  }

  /// A dotted path from the event's root.
  func path(_ node: Node, _ what: String) -> String? {
    guard let path = text(node, what) else { return nil }
    let parts = path.split(separator: ".", omittingEmptySubsequences: false)
    if parts.contains(where: \.isEmpty) {
      error(
        "\(what) must be a dotted path such as properties.page, found '\(path)'", at: node.place,
        found: path)
      return nil
    }
    return path
  }

  /// A text, number or boolean as canonical text.
  func scalarText(_ node: Node, _ what: String) -> String? {
    guard let scalar = node.scalar, !ScalarText.isNull(scalar) else {
      wrongType(what, "text", node)
      return nil
    }
    return ScalarText.canonical(scalar)
  }
}
