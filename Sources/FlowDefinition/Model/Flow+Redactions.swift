extension Flow {
  /// The redaction that drops the value at a path, whatever export it is read from; `nil` if none
  /// does.
  public func redaction(of path: String) -> String? {
    let spellings = Self.spellings(of: path).flatMap(Self.containers)
    return spellings.first(where: redactedPaths.contains)
      ?? redactedPaths.first { Self.isOfEvent($0, Set(spellings)) }
  }

  /// Every redaction that drops the value at a path: that of the value, or of an object around it.
  private static func containers(of path: String) -> [String] {
    var found = [path]
    for index in path.indices where path[index] == "." {
      found += [String(path[..<index]), "\(path[..<index]).*"]
    }
    return found
  }

  /// A path in all ways in which it may be redacted.
  ///
  /// Snowplow's SDKs name entities and self-describing events by their schemas, which its rows have
  /// together in one column; and what an event says is a property of it, whatever its schema.
  private static func spellings(of path: String) -> [String] {
    let root = path.prefix { $0 != "." }
    let rest = path.dropFirst(root.count)
    if root.hasPrefix("contexts_") {
      let list = root.prefix { $0 != "[" }
      let first = list.count == root.count ? ["\(list)[0]\(rest)"] : []
      return [path, "\(list)\(rest)", "contexts.\(list)", "derived_contexts.\(list)"] + first
    }
    if root.hasPrefix("unstruct_event_") {
      return [path, "unstruct_event.\(root)", "properties\(rest)"]
    }
    return root == "properties" ? [path, "unstruct_event.data.data\(rest)"] : [path]
  }

  /// Whether a redaction drops, of one schema's events, what is read as any event's property.
  private static func isOfEvent(_ redaction: String, _ spellings: Set<String>) -> Bool {
    guard redaction.hasPrefix("unstruct_event_") else { return false }
    return spellings.contains("properties\(redaction.drop { $0 != "." })")
  }
}
