/// The places in events whose values are dropped on reading, as dotted paths from the root.
public struct RedactedPaths: Sendable, Hashable {
  /// Whose value is dropped, whatever it is.
  private var values: Set<String> = []
  /// Inside of which everything is dropped.
  private var containers: Set<String> = []

  /// Nothing is dropped.
  public static let none = RedactedPaths([])

  /// - Parameter texts: as the flow file has them; `.*` at the end means everything inside.
  public init(_ texts: some Sequence<String>) {
    for text in texts { add(text) }
  }

  private mutating func add(_ text: String) {
    if text.hasSuffix(".*") {
      containers.insert(String(text.dropLast(2)))
    } else {
      values.insert(text)
    }
  }

  /// As the flow file has them, in order.
  public var texts: [String] { (values + containers.map { "\($0).*" }).sorted() }

  /// Whether nothing is dropped.
  public var isEmpty: Bool { values.isEmpty && containers.isEmpty }

  /// Whether the value at a path is dropped, by itself or with an object that it lies in.
  public func covers(_ path: String) -> Bool {
    if isEmpty { return false }
    return Self.spellings(of: path).contains(where: coversAsWritten)
  }

  /// Whether the canonical event's value at a path is dropped from events of some format.
  public func mayDrop(_ path: [String]) -> Bool {
    if isEmpty { return false }
    if covers(path.joined(separator: ".")) { return true }
    let formats = EventFormat.spellings
    return (formats + formats.map { $0.withColumns() }).contains { format in
      format.paths(for: path).contains { place in
        covers(place.filter { $0 != EventFormat.both }.joined(separator: "."))
      }
    }
  }

  private func coversAsWritten(_ path: String) -> Bool {
    if values.contains(path) { return true }
    for index in path.utf8.indices where path.utf8[index] == UInt8(ascii: ".") {
      let container = String(path[..<index])
      if values.contains(container) || containers.contains(container) { return true }
    }
    return false
  }

  /// Whether an object or list at a path is dropped, by itself or as what is inside of it.
  func coversContent(_ path: String) -> Bool {
    covers(path) || !isEmpty && Self.spellings(of: path).contains(where: containers.contains)
  }

  /// Whether anything at a path or inside of it is dropped.
  func reaches(_ path: String) -> Bool {
    if isEmpty { return false }
    if coversContent(path) { return true }
    return Self.spellings(of: path).contains { path in
      let inside = "\(path)."
      return values.contains { $0.hasPrefix(inside) }
        || containers.contains { $0.hasPrefix(inside) }
    }
  }

  /// A path in all ways in which it may be redacted.
  ///
  /// What a schema describes lies in its raw column, too, whatever name the reader gives it, and
  /// as long as no number says which of a list's items is meant, all are.
  private static func spellings(of path: String) -> [String] {
    var found = [path]
    for names in DescribedNames.ofAllFormats {
      let root = DescribedNames.root(of: path)
      guard names.isMember(root) else { continue }
      let item = ListItem(root)
      let rest = path.dropFirst(root.count)
      found += ["\(item.list)\(rest)", "\(item.list)[\(item.number)]\(rest)"]
      found += names.columns(ofMember: root).map { "\($0).\(item.list)\(rest)" }
      if let any = names.anyPath(path) ?? names.anyRoot(root) { found.append(any) }
    }
    return found
  }

  /// The paths to drop from events of a format: each path as it is written, and the fields in which
  /// the format keeps the canonical event's value of that path.
  func places(in format: EventFormat) -> RedactedPaths {
    if isEmpty { return self }
    func placed(_ path: String) -> [String] {
      let path = path.split(separator: ".").map(String.init)
      return ([path] + format.paths(for: path)).filter { $0.last != EventFormat.both }
        .map { $0.joined(separator: ".") }
    }
    /// The fields that lie in an object of the canonical event.
    func inside(_ path: String) -> [String] {
      let path = path.split(separator: ".").map(String.init)
      let fields = format.places.filter { $0.key.count > path.count && $0.key.starts(with: path) }
      return fields.values.joined().map { field in
        (field.last == EventFormat.both ? field.dropLast() : field).joined(separator: ".")
      }
    }
    let ofValues: [String] = values.flatMap { placed($0) + inside($0) }
    let ofContainers: [String] = containers.flatMap(inside)
    return RedactedPaths(ofValues + ofContainers + containers.flatMap(placed).map { "\($0).*" })
  }

  /// The places in every format: for lines whose format may have been mistaken. Of lists of which
  /// one item is redacted, all are.
  var inAllFormats: RedactedPaths {
    let placed = EventFormat.spellings.flatMap {
      [places(in: $0), places(in: $0.withColumns())]
    }
    let texts = placed.flatMap(\.values) + placed.flatMap(\.containers).map { "\($0).*" }
    return RedactedPaths(
      texts
        + written.map { path in
          let root = DescribedNames.root(of: path)
          return ListItem(root).list + path.dropFirst(root.count)
        })
  }

  /// Raw columns that may hold what a schema describes and is redacted: there it has no name yet.
  var rawColumns: Set<String> {
    let roots = written.map { DescribedNames.root(of: $0) }
    return Set(
      DescribedNames.ofAllFormats.flatMap { names in
        roots.filter(names.isMember).flatMap { names.columns(ofMember: $0) }
      })
  }

  /// As a flow file has them.
  private var written: [String] { values + containers.map { "\($0).*" } }
}
