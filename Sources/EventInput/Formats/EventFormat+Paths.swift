extension EventFormat {
  /// The fields of the canonical event that are neither properties nor context.
  static let rootFields: Set<String> = [
    "event", "message_id", "user_id", "previous_id", "device_id", "session_id", "timestamp", "flow",
    "flow_version", "experiment", "variant", "experiments",
  ]

  /// Where a canonical path is found in this format, the likeliest place first.
  func paths(for path: Path) -> [Path] {
    guard hasColumns else { return ownPaths(for: path) }
    let own = ownPaths(for: path)
    let flattened = own.flatMap(flattened)
    let small = Self.inSmallLetters(path)
    // Inside of a column's object before a column of the same name.
    return unique(
      own + small.flatMap { ownPaths(for: $0) } + columns(for: path) + flattened
        + small.flatMap { columns(for: $0) })
  }

  /// The columns that a value inside of an object becomes: `properties.$device_id`,
  /// `properties_$device_id`, and `$device_id`, which nothing but a tool's own name begins like.
  func flattened(_ path: Path) -> [Path] {
    guard path.count > 1, let last = path.last else { return [] }
    if last == Self.both { return flattened(Array(path.dropLast())).map { $0 + [Self.both] } }
    let joined = [".", "_", "__"].map { [path.joined(separator: $0)] }
    return joined + (last.hasPrefix("$") ? [[last]] : [])
  }

  /// A path whose column is in capitals as it is in small letters, which the names of a table's
  /// columns are turned into where all of them are in capitals: by itself, for what a column's
  /// object holds keeps its names, and as a whole, for columns that stand for what is inside.
  private static func inSmallLetters(_ path: Path) -> [Path] {
    guard let column = path.first, column == column.uppercased(), column != column.lowercased()
    else { return [] }
    let isInCapitals = path.allSatisfy { $0 == $0.uppercased() }
    return [[column.lowercased()] + path.dropFirst()]
      + (isInCapitals && path.count > 1 ? [path.map { $0.lowercased() }] : [])
  }

  /// The columns of a table that a value inside of an object may have: `properties_page_name`, and
  /// in place of `properties` what the format calls them.
  private func columns(for path: Path) -> [Path] {
    guard path.count > 1 else { return [path] }
    let inner = Array(path.dropFirst())
    let containers = path[0] == "properties" ? properties.filter { !$0.isEmpty } : []
    let paths = containers.map { $0 + inner } + [path, inner]
    let joined = ["_", "__"].flatMap { separator in paths.map { $0.joined(separator: separator) } }
    return joined.map { [$0] } + [[path.joined(separator: ".")]]
  }

  func ownPaths(for path: Path) -> [Path] {
    guard let root = path.first else { return [path] }
    if let known = places[path] { return known }
    let rest = Array(path.dropFirst())
    if name == .canonical { return canonicalPaths(for: path, root, rest) }
    switch root {
    case "properties" where !rest.isEmpty: return inside(rest)
    case "context" where !rest.isEmpty:
      let own = joinsNames ? [path.joined(separator: "_")] : path
      return unique([own] + inside(rest) + inside([rest[rest.count - 1]]))
    case "experiments" where rest.count == 1:
      return inside(path)
        + variantPrefixes.map { flat($0.container + [$0.prefix + rest[0]]) }
    case _ where Self.rootFields.contains(root): return inside(path)
    default: return unique([path] + inside(path))
    }
  }

  /// A field of the event itself is never read as a property. Which flow an event is of may stand
  /// among the properties, as in tools' formats; a lone variant there may be a product's.
  private func canonicalPaths(for path: Path, _ root: String, _ rest: Path) -> [Path] {
    if ["flow", "flow_version", "experiments"].contains(root) {
      return [path, ["properties"] + path]
    }
    guard ["properties", "context"].contains(root), let name = rest.first,
      !Self.rootFields.contains(name)
    else { return [path] }
    return [path, rest]
  }

  /// A property's name in everything that holds properties.
  private func inside(_ names: Path) -> [Path] {
    properties.map { flat($0 + names) }
  }

  /// In lists names are flat, and in the columns of tables.
  private func flat(_ path: Path) -> Path {
    if joinsNames { return [path.joined(separator: "_")] }
    for list in lists where path.starts(with: list) && path.count > list.count + 1 {
      return list + [path[list.count...].joined(separator: "_")]
    }
    return path
  }

  /// The format for a plan that looks at these paths. Of all keys with some beginning, those in the
  /// plan are named: a key with a name of its own isn't looked for among the others.
  func naming(_ paths: [Path]) -> EventFormat {
    guard let any = properties.firstIndex(where: { $0.last?.hasSuffix(Self.anyEnding) == true })
    else { return self }
    let beginning = String(properties[any][0].dropLast())
    var format = self
    for path in unique(paths.compactMap { $0.count > 1 ? [$0[0]] : nil })
    where path[0].hasPrefix(beginning) && !format.properties.contains(path) {
      format.properties.insert(path, at: any)
    }
    return format
  }

  private func unique(_ paths: [Path]) -> [Path] {
    var seen: Set<Path> = []
    return paths.filter { seen.insert($0).inserted }
  }
}

extension ScanPlan {
  /// This plan for dumps of a format: every field at the places where the format has it.
  ///
  /// A field that the flow file gives a path of its own is looked for there first, as written.
  /// Fields at redacted places are left out, but for ids: of those nothing but a hash is kept, and
  /// without them other people are counted.
  func reading(as format: EventFormat) -> ScanPlan {
    var plan = placed(in: format)
    plan.mapped = mappedPlaces(in: format)
    let redacted = redaction.paths.places(in: format)
    if !redacted.isEmpty {
      plan.fields.removeAll {
        $0.constant == nil && !$0.role.isIdentifier && redacted.covers(Self.place(of: $0))
      }
    }
    return plan
  }

  /// Where a format has what a field is read from.
  func places(of field: FieldRule, in format: EventFormat) -> [String] {
    var plan = self
    plan.fields = [field]
    return plan.placed(in: format).fields.map(Self.place)
  }

  private static func place(of field: FieldRule) -> String {
    // Of a joined place, the two values are joined under the name of the first.
    let path = field.path.last == "+" ? field.path.dropLast() : field.path[...]
    return path.joined(separator: ".")
  }

  private func placed(in format: EventFormat) -> ScanPlan {
    let format = format.naming(fields.map(\.path))
    var plan = self
    plan.fields = fields.flatMap { field in
      guard field.constant == nil else { return [field] }
      // Tools have calls of their own for it (`AliasCalls`).
      if field.role == .otherUser && ![.canonical, .table].contains(format.name) {
        return field.isOwn ? [field] : []
      }
      // The name of the event is what the format takes for it: a table may have a column `event`
      // with other names, or one that says nothing (Snowplow's is `unstruct`).
      let isOwn = field.isOwn && !(field.path == ["event"] && format.places[["event"]] != nil)
      let paths = (isOwn ? [field.path] : []) + format.paths(for: field.path)
      return paths.map { path in
        var placed = field
        placed.path = path
        for value in format.silent[path] ?? [] { placed.aliases[value] = "" }
        return placed
      }
    }
    return plan
  }
}
