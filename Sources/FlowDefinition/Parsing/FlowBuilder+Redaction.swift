internal import Yams

/// `redact:`, the paths whose values are dropped on reading.
extension FlowBuilder {
  /// Read last: a path that any other part of the file uses can't be dropped.
  ///
  /// - Parameter root: of the whole file, to say where a redacted path is used.
  mutating func readRedaction(_ file: MappingReader, _ root: Node) {
    var places: [String: SourcePlace?] = [:]
    for node in file.list("redact") ?? [] {
      guard let path = diagnostics.path(node, "an item of 'redact'") else { continue }
      if path == "*" || path.split(separator: ".").dropLast().contains("*") {
        diagnostics.error(
          "'redact' takes a '*' only as the last part of a path, such as properties.user.*, "
            + "found '\(path)'", at: node.place, found: path)
      } else if places.updateValue(node.place, forKey: path) != nil {
        diagnostics.error("'\(path)' stands twice in 'redact'", at: node.place, found: path)
      } else {
        flow.redactedPaths.append(path)
      }
    }
    if places.isEmpty { return }
    var refused: Set<String> = []
    for use in flow.usedPaths {
      guard let path = flow.redaction(of: use.path), refused.insert(path).inserted
      else { continue }
      let place = self.place(of: use, in: root).map { " at line \($0.line):\($0.column)" }
      let remedy =
        use.section == nil
        ? "every flow reads it, so it can't be dropped"
        : "take it out of 'redact', or stop using it"
      diagnostics.error(
        "'\(path)' is redacted here but used by \(use.user)\(place ?? ""); \(remedy)",
        at: places[path] ?? nil, found: path)
    }
  }

  /// Where the file asks for a path; `nil` where it does not do so itself.
  private func place(of use: UsedPath, in root: Node) -> SourcePlace? {
    guard let section = use.section, let mapping = root.mapping else { return nil }
    let sections = section == "where" ? Self.conditionSections : [section]
    for spelling in use.spellings {
      for (key, value) in mapping where sections.contains(key.scalar?.string ?? "") {
        if let place = firstPlace(of: spelling, in: value, below: section) { return place }
      }
    }
    return nil
  }

  /// Where events with conditions may stand.
  private static let conditionSections = [
    "goals", "friction", "retention", "funnels", "experiments",
  ]

  /// - Parameter section: `where` if only keys of conditions count.
  private func firstPlace(
    of spelling: String, in node: Node, below section: String
  ) -> SourcePlace? {
    switch node {
    case .scalar(let scalar):
      section != "where" && scalar.string == spelling ? node.place : nil
    case .sequence(let sequence):
      sequence.lazy.compactMap { firstPlace(of: spelling, in: $0, below: section) }.first
    case .mapping(let mapping):
      mapping.lazy.compactMap { key, value in
        if section == "where" && key.scalar?.string == "where" {
          return firstPlace(of: spelling, in: value, below: "conditions")
        }
        if section != "where", key.scalar?.string == spelling {
          return key.place
        }
        return firstPlace(of: spelling, in: value, below: section)
      }.first
    case .alias: nil
    }
  }
}
