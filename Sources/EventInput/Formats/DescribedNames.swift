/// The names of what schemas describe: the raw columns of a format that hold such data, and the
/// members that its SDKs make of them (`SchemaName`).
struct DescribedNames: Sendable, Hashable {
  /// What stands before the schema's name in a member, by the raw column.
  let prefixes: [String: String]
  /// Beginnings of members that all hold properties, whatever their schema.
  private let beginnings: [String]
  /// Members of the tool itself, which hold ids.
  private let own: Set<String>

  private static let ofFormats = Dictionary(
    uniqueKeysWithValues: EventFormat.Name.allCases.map { ($0, DescribedNames(.named($0))) })

  /// Those of all formats that have such data, for lines whose format may have been mistaken.
  static let ofAllFormats = EventFormat.Name.allCases.map(of).filter { !$0.prefixes.isEmpty }

  static func of(_ format: EventFormat.Name) -> DescribedNames {
    ofFormats[format] ?? DescribedNames(.named(format))
  }

  private init(_ format: EventFormat) {
    prefixes = Dictionary(
      format.described.map { ($0.column.joined(separator: "."), $0.prefix) }
    ) { first, _ in first }
    beginnings = format.properties.compactMap(\.first).filter {
      $0.hasSuffix(EventFormat.anyEnding)
    }.map { String($0.dropLast()) }
    own = Set(format.firstItems.compactMap(\.first).map { ListItem($0).list })
  }

  /// Whether a key at the root is such a member, of whatever number in its list.
  func isMember(_ key: String) -> Bool {
    if prefixes.isEmpty { return false }
    return prefixes.values.contains { key.hasPrefix($0 + "_") } && !key.contains(".")
  }

  /// Whether a path lies in such a member, or in a raw column.
  func holds(_ path: String) -> Bool {
    if prefixes.isEmpty { return false }
    let root = Self.root(of: path)
    return prefixes[root] != nil || isMember(root)
  }

  /// Whether a path lies in an entity that the app has sent with its events: in a member whose
  /// values are no properties of the event itself, nor ids of the tool's own.
  func isEntity(_ path: String) -> Bool {
    if prefixes.isEmpty { return false }
    let root = Self.root(of: path)
    return isMember(root) && !beginnings.contains(where: root.hasPrefix)
      && !own.contains(ListItem(root).list)
  }

  /// The path with a root that stands for the members of all schemas; `nil` for others.
  func anyPath(_ path: String) -> String? {
    let rest = path.drop { $0 != "." }
    return rest.isEmpty ? nil : anyRoot(path).map { $0 + rest }
  }

  /// The root that stands for the members of all schemas; `nil` where a path is in no such member.
  func anyRoot(_ path: String) -> String? {
    beginnings.first(where: path.hasPrefix).map { $0 + EventFormat.anyEnding }
  }

  /// The raw columns that a member may have been in.
  func columns(ofMember key: String) -> [String] {
    prefixes.filter { key.hasPrefix($0.value + "_") }.map(\.key).sorted()
  }

  /// The key at the root.
  static func root(of path: String) -> String {
    path.utf8.firstIndex(of: UInt8(ascii: ".")).map { String(path[..<$0]) } ?? path
  }
}
