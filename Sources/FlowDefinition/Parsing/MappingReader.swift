internal import Yams

/// Reads one YAML mapping whose keys are known, and reports every key that isn't.
struct MappingReader {
  let diagnostics: Diagnostics
  /// Where the mapping begins.
  let mark: SourcePlace?
  private var values: [String: (key: SourcePlace?, node: Node)] = [:]
  /// Known keys that an unknown one was probably meant to be: they aren't reported as missing too.
  private var misspelt: Set<String> = []

  /// `nil`, with a mistake reported, where the node is no mapping. `what` names it in messages.
  init?(_ node: Node, what: String, allowed: [String], _ diagnostics: Diagnostics) {
    self.diagnostics = diagnostics
    self.mark = node.place
    guard let entries = MappingReader.entries(of: node, what: what, diagnostics) else {
      return nil
    }
    for entry in entries {
      guard allowed.contains(entry.name) else {
        diagnostics.unknown("key", entry.name, at: entry.mark, allowed: allowed)
        if let key = NearestSpelling.of(entry.name, among: allowed) { misspelt.insert(key) }
        continue
      }
      values[entry.name] = (entry.mark, entry.node)
    }
  }

  /// The entries of a mapping whose keys are the user's own, in the file's order.
  static func entries(
    of node: Node, what: String, _ diagnostics: Diagnostics
  ) -> [(name: String, mark: SourcePlace?, node: Node)]? {
    guard let mapping = node.mapping else {
      diagnostics.wrongType(what, "a mapping", node)
      return nil
    }
    var entries: [(name: String, mark: SourcePlace?, node: Node)] = []
    for (key, value) in mapping {
      guard let scalar = key.scalar else {
        diagnostics.wrongType("a key", "text", key)
        continue
      }
      // Keys that stood twice were reported when the text was read; the later one is out.
      if YAMLText.isSetAside(scalar.string) { continue }
      entries.append((scalar.string, key.place, value))
    }
    return entries
  }

  /// The value of a key. A key without a value is a mistake, not an absent key.
  func node(_ key: String) -> Node? {
    guard let value = values[key] else { return nil }
    if let scalar = value.node.scalar, ScalarText.isNull(scalar) {
      diagnostics.error("'\(key)' has no value", at: value.key, found: "nothing")
      return nil
    }
    return value.node
  }

  func has(_ key: String) -> Bool { values[key] != nil }

  /// Whether exactly one of some keys is there; reports both and neither.
  func hasOne(of keys: [String], in what: String) -> Bool {
    let found = keys.filter(has)
    if found.count == 1 { return true }
    if found.isEmpty, keys.contains(where: misspelt.contains) { return false }
    let names = keys.map { "'\($0)'" }
    let all = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    let count = found.isEmpty ? "none" : keys.count == 2 ? "both" : found.joined(separator: ", ")
    diagnostics.error(
      "\(what) needs one of \(all), found \(count)",
      at: found.isEmpty ? mark : keyMark(found[1]), found: count)
    return false
  }

  func keyMark(_ key: String) -> SourcePlace? { values[key]?.key ?? mark }

  /// The value of a key that must be there.
  func required(_ key: String, in what: String) -> Node? {
    if !has(key), !misspelt.contains(key) {
      diagnostics.error("\(what) needs the key '\(key)'", at: mark, found: "nothing")
    }
    return node(key)
  }

  // MARK: Values of one type

  func text(_ key: String) -> String? {
    node(key).flatMap { diagnostics.text($0, "'\(key)'") }
  }

  func identifier(_ key: String, in what: String, forbidding character: Character? = nil) -> String?
  {
    required(key, in: what).flatMap {
      diagnostics.identifier($0, "'\(key)'", forbidding: character)
    }
  }

  func boolean(_ key: String) -> Bool? {
    node(key).flatMap { diagnostics.boolean($0, "'\(key)'") }
  }

  func duration(_ key: String) -> Int64? {
    node(key).flatMap { diagnostics.duration($0, "'\(key)'") }
  }

  func choice<Choice: RawRepresentable & CaseIterable>(_ key: String, _ type: Choice.Type)
    -> Choice? where Choice.RawValue == String
  {
    node(key).flatMap { diagnostics.choice($0, "'\(key)'", type) }
  }

  func list(_ key: String) -> [Node]? {
    node(key).flatMap { diagnostics.list($0, "'\(key)'") }
  }

}
