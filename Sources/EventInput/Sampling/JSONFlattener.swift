/// Turns one line of JSON into its scalars by path: slow, and for any keys; for drafts and for the
/// search for personal text, where nobody knows yet which fields matter.
struct JSONFlattener {
  /// How much of a line is looked at.
  enum Depth {
    /// Values that may become names in a flow file: short ones, and none in lists.
    case names
    /// All values, also long ones, those in lists under the path of the list, and the whole values
    /// of a line that is cut off.
    case everything
  }

  var cursor: JSONCursor
  private let embedded: Set<String>
  private let lists: Set<String>
  private let hasTexts: Bool
  let described: DescribedNames
  let reach: Depth
  private(set) var scalars: [String: String] = [:]
  /// Where lists stand that are no objects written otherwise.
  private(set) var arrays: Set<String> = []

  /// The path of an entry of a list, while it is read.
  private static let entry = "[]"
  private static let maximumDepth = 16
  private static let maximumScalars = 400
  private static let maximumNameBytes = 256

  /// The scalars of an object, by keys joined with dots; nil if it is none.
  static func scalars(
    of bytes: [UInt8], format: EventFormat, depth: Depth = .names
  ) -> [String: String]? {
    var flattener = JSONFlattener(bytes, format, depth)
    guard flattener.object(path: "", depth: 0) || depth == .everything else { return nil }
    return flattener.scalars
  }

  /// The keys of a line's scalars outside of lists, and the lists that hold objects, the outermost.
  static func shape(
    of bytes: [UInt8], format: EventFormat
  ) -> (keys: [String], lists: [String]) {
    var flattener = JSONFlattener(bytes, format, .everything)
    _ = flattener.object(path: "", depth: 0)
    let paths = flattener.scalars.keys.sorted()
    func isInside(_ path: String, _ list: String) -> Bool { path.hasPrefix(list + ".") }
    let lists = flattener.arrays.filter { list in paths.contains { isInside($0, list) } }
    let outermost = lists.filter { list in !lists.contains { isInside(list, $0) } }.sorted()
    return (paths.filter { path in !outermost.contains { isInside(path, $0) } }, outermost)
  }

  private init(_ bytes: [UInt8], _ format: EventFormat, _ depth: Depth) {
    cursor = JSONCursor(bytes)
    reach = depth
    embedded = Set((format.embedded + format.properties).map { $0.joined(separator: ".") })
    hasTexts = format.hasTexts
    described = DescribedNames.of(format.name)
    lists = Set(format.lists.map { $0.joined(separator: ".") })
  }

  /// For a text inside of another one's line.
  init(_ bytes: [UInt8], _ outer: JSONFlattener) {
    cursor = JSONCursor(bytes)
    reach = outer.reach
    lists = outer.lists
    described = outer.described
    (embedded, hasTexts) = ([], false)
  }

  /// Whether a text at the root holds an object or one of the format's lists.
  private func isObject(_ text: String, _ path: String) -> Bool {
    guard let first = text.utf8.first else { return false }
    if described.isMember(path) { return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") }
    guard hasTexts else { return false }
    return first == UInt8(ascii: "{") && !path.contains(".")
      || first == UInt8(ascii: "[") && lists.contains(path)
  }

  private mutating func object(path: String, depth: Int) -> Bool {
    guard depth < Self.maximumDepth, cursor.take(UInt8(ascii: "{")) else { return false }
    if cursor.take(UInt8(ascii: "}")) { return true }
    repeat {
      guard let key = cursor.string(), cursor.take(UInt8(ascii: ":")),
        value(path: member(key, of: path), depth: depth + 1)
      else { return false }
    } while cursor.take(UInt8(ascii: ","))
    return cursor.take(UInt8(ascii: "}"))
  }

  /// The path of a member. A key that is itself a value, such as an e-mail address, is noted so.
  private mutating func member(_ key: String, of path: String) -> String {
    let isWrapping =
      path == Self.entry
      ? ListReader.entries.contains(key)
      : lists.contains(path) && ListReader.lists.contains(key)
    if isWrapping || isTyped(key, path) { return path }
    var key = key
    if reach == .everything, PersonalTextRecognizer.isValue(key: key) {
      note(path.isEmpty ? "*" : "\(path).*", key)
      key = "*"
    }
    return path.isEmpty ? key : "\(path).\(key)"
  }

  /// Whether a member of an object in a list's place holds its value by the value's type.
  private func isTyped(_ key: String, _ path: String) -> Bool {
    ListReader.types.contains(key) && lists.contains { path.hasPrefix($0 + ".") }
  }

  private mutating func array(path: String, depth: Int) -> Bool {
    guard depth < Self.maximumDepth, cursor.take(UInt8(ascii: "[")) else { return false }
    if cursor.take(UInt8(ascii: "]")) { return true }
    let isList = lists.contains(path)
    if reach == .names, described.isMember(path), described.anyRoot(path) == nil {
      return entities(path: path, depth: depth)
    }
    if reach == .everything && !isList {
      arrays.insert(path)
      repeat {
        guard value(path: path, depth: depth + 1) else { return false }
      } while cursor.take(UInt8(ascii: ","))
      return cursor.take(UInt8(ascii: "]"))
    }
    repeat {
      let known = scalars
      guard value(path: Self.entry, depth: depth + 1) else { return false }
      let entry = scalars.filter { $0.key.hasPrefix("[].") }
      scalars = known
      guard isList else { continue }
      guard let key = first(of: ListReader.keys, in: entry) else {
        // An object in a list, which holds the properties themselves.
        for (key, value) in entry {
          scalars["\(path).\(key.dropFirst(Self.entry.count + 1))"] = value
        }
        continue
      }
      if let value = first(of: ListReader.values, in: entry) { scalars["\(path).\(key)"] = value }
    } while cursor.take(UInt8(ascii: ","))
    return cursor.take(UInt8(ascii: "]"))
  }

  private func first(of places: [[String]], in entry: [String: String]) -> String? {
    places.lazy.compactMap { entry[([Self.entry] + $0).joined(separator: ".")] }.first
  }

  mutating func value(path: String, depth: Int) -> Bool {
    cursor.skipSpace()
    if let prefix = described.prefixes[path], readDescribed(path, prefix, depth: depth) {
      return true
    }
    switch cursor.byte {
    case UInt8(ascii: "{"): return object(path: path, depth: depth)
    case UInt8(ascii: "["): return array(path: path, depth: depth)
    case UInt8(ascii: "\""):
      guard let text = cursor.string() else { return false }
      if embedded.contains(path) || isObject(text, path) {
        return inner(text, path: path, depth: depth)
      }
      note(path, text)
      return true
    default:
      guard let text = word() else { return false }
      if text != "null" { note(path, text) }
      return true
    }
  }

  /// A number as events have it, `true`, `false` or `null`; also at the end of a line that is cut.
  private mutating func word() -> String? {
    let start = cursor.place
    while let byte = cursor.byte, ![0x2C, 0x7D, 0x5D].contains(byte), byte > 0x20 {
      cursor.place += 1
    }
    guard cursor.place > start else { return nil }
    let text = cursor.bytes[start..<cursor.place]
    return String(decoding: Decimal.plainText(text) ?? Array(text), as: UTF8.self)
  }

  private mutating func note(_ path: String, _ text: String) {
    guard !text.isEmpty, scalars.count < Self.maximumScalars,
      reach == .everything || text.utf8.count <= Self.maximumNameBytes
    else { return }
    // Of a key that is a value the key is kept, not what stands there.
    if reach == .everything, path.utf8.last == UInt8(ascii: "*"), scalars[path] != nil { return }
    scalars[path] = text
    // What any schema's event says is a property, whichever schema it has.
    if reach == .names, let anyPath = described.anyPath(path) { scalars[anyPath] = text }
  }

  /// Takes over what a text inside of this line holds.
  mutating func merge(_ inside: JSONFlattener) {
    scalars.merge(inside.scalars) { _, new in new }
    arrays.formUnion(inside.arrays)
  }

  /// A text that holds JSON; one that doesn't is left out.
  private mutating func inner(_ text: String, path: String, depth: Int) -> Bool {
    var inside = JSONFlattener(Array(text.utf8), self)
    let isWhole =
      text.utf8.first { $0 > 0x20 } == UInt8(ascii: "[")
      ? inside.array(path: path, depth: depth) : inside.object(path: path, depth: depth)
    if isWhole { merge(inside) }
    return true
  }
}
