/// Reads an array of key and typed value, as Google Analytics exports its parameters, into the
/// leaves that an object with those keys would have filled.
///
///     [{"key":"page_name","value":{"string_value":"plan"}},{"key":"page_number",…}]
///     {"list":[{"element":{"key":"page_name",…}},…]}     as BigQuery writes lists to Parquet
///     [{"identity_type":"customer_id","identity":"u1"},…]     who somebody is, by mParticle
///     {"page_name":{"string_value":"plan"},…}     an object of such values; of plain ones it was
///                                                 walked with the line
///
/// Invariants: those of `FormatReader`; the entries' own scanner has memory of its own.
final class ListReader {
  private let container: FormatReader.Container
  private let lines: LineScanner
  private let leafOfKey: [[UInt8]: Int]
  /// The leaves of keys that were met, plus one; 0 for a key that nobody asked for.
  private let leafOfKnownKey = ValueCache()
  private let entryMemory: ScanMemory
  private let entry: LineScanner
  private let keyLeaves: [Int]
  private let valueLeaves: [Int]
  private let listLeaves: [Int]
  /// The values of an object's member, by their types.
  private let typeLeaves: [Int]
  /// The members of an object that are asked for.
  private let memberLeaves: [Int]

  /// What an entry calls its key and its values, the likeliest first; the second are mParticle's.
  static let keys = [["key"], ["identity_type"]]
  static let values =
    types.map { ["value", $0] } + [["value"], ["identity"]]
  /// What a value of its type is called, in BigQuery's rows and where Firebase calls functions.
  static let types = [
    "string_value", "int_value", "float_value", "double_value", "stringValue", "intValue",
    "floatValue", "doubleValue",
  ]
  /// The members that hold the list, and each of its entries, where the levels that lists have in
  /// Parquet and Avro are written out.
  static let lists = ["list", "array"]
  static let entries = ["element", "item"]

  /// Where an entry has what stands at these places, also where it is in a member of its own.
  private static func places(_ names: [[String]]) -> [[String]] {
    names + entries.flatMap { entry in names.map { [entry] + $0 } }
  }

  /// Where the list stands.
  let path: [String]

  init(_ path: [String], _ container: FormatReader.Container, lines: LineScanner, tree: PathTree) {
    (self.path, self.container) = (path, container)
    self.lines = lines
    let children = tree.nodes[Int(container.node)].children.filter { $0.leaf >= 0 }
    memberLeaves = children.map { Int($0.leaf) }
    leafOfKey = Dictionary(children.map { ($0.name, Int($0.leaf)) }) { first, _ in first }
    let (keys, values) = (Self.places(Self.keys), Self.places(Self.values))
    let lists = Self.lists.map { [$0] }
    let types = Self.types.map { [$0] }
    let paths = keys + values + types + lists
    let plan = ScanPlan(
      fields: paths.map { FieldRule(path: $0, role: .session) }, tables: [], slotTables: [],
      eventSlot: 0)
    entryMemory = ScanMemory(plan: plan, key: .fixed)
    entry = entryMemory.scanner.lines
    let leaves = entryMemory.leaves(of: paths)
    keyLeaves = Array(leaves.prefix(keys.count))
    valueLeaves = Array(leaves[keys.count..<(keys.count + values.count)])
    typeLeaves = Array(leaves.dropFirst(keys.count + values.count).prefix(types.count))
    listLeaves = Array(leaves.suffix(lists.count))
  }

  deinit { leafOfKnownKey.deallocate() }

  /// False if an entry is no JSON, which can't be in a line that was walked, or if none of several
  /// entries has a key or a value.
  func read() -> Bool {
    guard unsafe lines.kinds[container.leaf] == ValueKind.container else { return true }
    let start = unsafe lines.starts[container.leaf]
    // Of an object that was walked with the line only the first byte is kept.
    let isText = unsafe lines.ends[container.leaf] - start > 1
    guard var p = unsafe opening(start) else { return unsafe readObject(start, isText: isText) }
    var (entries, keys) = (0, 0)
    while true {
      unsafe p = lines.lexer.skipSpace(p + 1)
      if unsafe p.pointee == UInt8(ascii: "]") { return true }
      let next =
        unsafe p.pointee == UInt8(ascii: "{")
        ? entry.scanObject(p, node: 0, depth: 2) : lines.lexer.valueEnd(p, depth: 2)
      guard let next = unsafe next else { return false }
      let object = unsafe p.pointee == UInt8(ascii: "{") ? p : nil
      if unsafe object != nil {
        entries += 1
        if take() { keys += 1 }
      }
      unsafe p = lines.lexer.skipSpace(next)
      if unsafe p.pointee == UInt8(ascii: ",") { continue }
      guard unsafe p.pointee == UInt8(ascii: "]") else { return false }
      if entries == 0 || keys > 0 || !container.isProperties { return true }
      // One object is the properties themselves.
      guard entries == 1, let object = unsafe object else { return false }
      return unsafe readObject(object, isText: true)
    }
  }

  /// Reads an object's members, where they weren't walked with the line, and of those that are
  /// objects of a value by its type, the value.
  private func readObject(_ start: UnsafePointer<UInt8>, isText: Bool) -> Bool {
    guard unsafe start.pointee == UInt8(ascii: "{") else { return true }
    if unsafe isText && lines.scanObject(start, node: container.node, depth: 2) == nil {
      return false
    }
    for leaf in memberLeaves where unsafe lines.kinds[leaf] == ValueKind.container {
      let member = unsafe lines.starts[leaf]
      guard unsafe member.pointee == UInt8(ascii: "{"),
        unsafe entry.scanObject(member, node: 0, depth: 3) != nil,
        let value = typeLeaves.first(where: { unsafe entry.kinds[$0] != ValueKind.missing })
      else { continue }
      fill(leaf, from: value)
    }
    return true
  }

  /// Where the list itself begins; `nil` where there is none.
  private func opening(_ p: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    if unsafe p.pointee == UInt8(ascii: "[") { return unsafe p }
    guard unsafe p.pointee == UInt8(ascii: "{"),
      unsafe entry.scanObject(p, node: 0, depth: 2) != nil,
      let list = listLeaves.first(where: { unsafe entry.kinds[$0] == ValueKind.container }),
      unsafe entry.starts[list].pointee == UInt8(ascii: "[")
    else { return nil }
    return unsafe entry.starts[list]
  }

  /// Puts the entry's value where its key says; false where it has neither key nor value.
  private func take() -> Bool {
    guard let key = keyLeaves.first(where: { unsafe entry.kinds[$0] == ValueKind.string }) else {
      return (keyLeaves + valueLeaves).contains { unsafe entry.kinds[$0] != ValueKind.missing }
    }
    guard let leaf = unsafe leaf(ofKey: entry.starts[key], entry.ends[key] - entry.starts[key])
    else { return true }
    let value = valueLeaves.first {
      unsafe entry.kinds[$0] != ValueKind.missing && entry.kinds[$0] != ValueKind.container
    }
    if let value { fill(leaf, from: value) }
    return true
  }

  private func fill(_ leaf: Int, from value: Int) {
    unsafe lines.kinds[leaf] = entry.kinds[value]
    unsafe lines.starts[leaf] = entry.starts[value]
    unsafe lines.ends[leaf] = entry.ends[value]
  }

  @inline(__always)
  private func leaf(ofKey start: UnsafePointer<UInt8>, _ count: Int) -> Int? {
    guard (1...ValueCache.maximumBytes).contains(count) else { return unsafe find(start, count) }
    let key = unsafe ValueCache.known(start, count, 0)
    let place = unsafe leafOfKnownKey.place(of: key)
    if unsafe !ValueCache.isHit(place, key) {
      unsafe place.pointee = key
      unsafe place.pointee.code = find(start, count).map { UInt32($0) + 1 } ?? 0
    }
    return unsafe place.pointee.code > 0 ? Int(place.pointee.code) - 1 : nil
  }

  @inline(never)
  private func find(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int? {
    unsafe leafOfKey[Array(UnsafeBufferPointer(start: start, count: count))]
  }
}
