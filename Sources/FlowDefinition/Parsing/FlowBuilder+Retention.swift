internal import Yams

/// `retention:` in its three shapes.
extension FlowBuilder {
  /// Ten years, like every other duration of a flow file.
  private static let maximumDay = 3650

  mutating func readRetention(_ file: MappingReader) {
    let keys = [
      "days", "on_or_after", "until", "bracket", "event", "where", "anchor", "id",
    ]
    let readers = list(file, "retention", .retention).compactMap {
      MappingReader($0, what: "a retention measure", allowed: keys, diagnostics)
    }
    let days = readers.map { dayNumbers($0, "days", from: 1) }
    let lastDay = days.joined().map(\.day).max() ?? 0
    for (reader, days) in zip(readers, days) {
      let shapes = ["days", "on_or_after", "bracket"]
      guard reader.hasOne(of: shapes, in: "a retention measure") else { continue }
      if reader.has("until"), !reader.has("on_or_after") {
        diagnostics.error(
          "'until' belongs to 'on_or_after'", at: reader.keyMark("until"), found: "until")
      }
      var windows: [(window: RetentionWindow, place: SourcePlace?)] = []
      if reader.has("days") {
        windows = days.map { (.day($0.day), $0.place) }
      } else if reader.has("bracket") {
        windows = bracket(reader)
      } else {
        windows = onOrAfter(reader, lastDay: lastDay)
      }
      append(windows, reader)
    }
    if flow.retention.count > FlowLimit.retention.maximum {
      diagnostics.tooMany(
        .retention, flow.retention.count, at: file.node("retention")?.place)
    }
  }

  /// The numbers of a key that holds one day or a list of days.
  private func dayNumbers(
    _ reader: MappingReader, _ key: String, from first: Int
  ) -> [(day: Int, place: SourcePlace?)] {
    guard let node = reader.node(key) else { return [] }
    let nodes = node.sequence.map(Array.init) ?? [node]
    if nodes.isEmpty {
      diagnostics.error("'\(key)' has no days", at: node.place, found: "an empty list")
    }
    return nodes.compactMap { node in
      diagnostics.wholeNumber(node, "a day of '\(key)'", in: first...Self.maximumDay).map {
        ($0, node.place)
      }
    }
  }

  private func bracket(
    _ reader: MappingReader
  ) -> [(window: RetentionWindow, place: SourcePlace?)] {
    // Without an event the entry itself is activity on day 0: everybody would have come back.
    let days = dayNumbers(reader, "bracket", from: reader.has("event") ? 0 : 1)
    guard let node = reader.node("bracket") else { return [] }
    guard node.sequence?.count == 2 else {
      diagnostics.error(
        "'bracket' must be [first day, last day]", at: node.place,
        found: Diagnostics.describe(node))
      return []
    }
    guard days.count == 2 else { return [] }
    guard days[0].day <= days[1].day else {
      diagnostics.error(
        "'bracket' must go from the earlier to the later day", at: node.place,
        found: "\(days[0].day), \(days[1].day)")
      return []
    }
    return [(.bracket(days[0].day, days[1].day), node.place)]
  }

  private func onOrAfter(
    _ reader: MappingReader, lastDay: Int
  ) -> [(window: RetentionWindow, place: SourcePlace?)] {
    let days = dayNumbers(reader, "on_or_after", from: 1)
    let until = reader.node("until").flatMap {
      diagnostics.wholeNumber($0, "'until'", in: 1...Self.maximumDay + 1)
    }
    return days.map { day, place in
      if let until, until <= day {
        diagnostics.error(
          "'until' must be later than day \(day), found \(until)",
          at: reader.node("until")?.place, found: String(until))
      }
      return (.onOrAfter(day, until: max(until ?? lastDay + 1, day + 1)), place)
    }
  }

  private mutating func append(
    _ windows: [(window: RetentionWindow, place: SourcePlace?)], _ reader: MappingReader
  ) {
    let prefix = reader.node("id").flatMap { diagnostics.identifier($0, "'id'") }
    if reader.has("where"), !reader.has("event") {
      diagnostics.error("'where' needs 'event'", at: reader.keyMark("where"), found: "where")
    }
    let pattern = reader.has("event") ? self.pattern(reader, in: "a retention measure") : nil
    let anchor = reader.node("anchor").flatMap { self.anchor($0) } ?? Anchor.entry
    for (window, place) in windows {
      let id = [prefix, window.name].compactMap { $0 }.joined(separator: "_")
      if !retentionIDs.insert(id).inserted {
        diagnostics.error(
          "two retention measures are called 'retention_\(id)'; give one an 'id' of its own",
          at: place, found: id)
      } else {
        flow.retention.append(
          RetentionMeasure(id: id, window: window, pattern: pattern, anchor: anchor))
      }
    }
  }
}

extension RetentionWindow {
  /// The metric's name without `retention_`: `d7`, `on_or_after_d7`, `d80_110`.
  public var name: String {
    switch self {
    case .day(let day): "d\(day)"
    case .bracket(let first, let last): "d\(first)_\(last)"
    case .onOrAfter(let first, _): "on_or_after_d\(first)"
    }
  }
}
