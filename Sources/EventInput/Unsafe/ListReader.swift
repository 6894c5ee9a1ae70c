/// Reads an array of key and typed value, as Google Analytics exports its parameters, into the
/// leaves that an object with those keys would have filled.
///
///     [{"key":"page_name","value":{"string_value":"plan"}},{"key":"page_number",…}]
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
  private let keyLeaf: Int
  private let valueLeaves: [Int]

  /// The types that a value can have, in the order in which they are looked at.
  private static let types = ["string_value", "int_value", "float_value", "double_value"]

  init(_ container: FormatReader.Container, lines: LineScanner, tree: PathTree) {
    self.container = container
    self.lines = lines
    let children = tree.nodes[Int(container.node)].children.filter { $0.leaf >= 0 }
    leafOfKey = Dictionary(children.map { ($0.name, Int($0.leaf)) }) { first, _ in first }
    let paths = [["key"]] + Self.types.map { ["value", $0] }
    let plan = ScanPlan(
      fields: paths.map { FieldRule(path: $0, role: .session) }, tables: [], slotTables: [],
      eventSlot: 0)
    entryMemory = ScanMemory(plan: plan, key: .fixed)
    entry = entryMemory.scanner.lines
    let leaves = entryMemory.leaves(of: paths)
    keyLeaf = leaves[0]
    valueLeaves = Array(leaves.dropFirst())
  }

  deinit { leafOfKnownKey.deallocate() }

  /// False if an entry is no JSON, which can't be in a line that was walked.
  func read() -> Bool {
    guard unsafe lines.kinds[container.leaf] == ValueKind.container else { return true }
    var p = unsafe lines.starts[container.leaf]
    guard unsafe p.pointee == UInt8(ascii: "[") else { return true }
    while true {
      unsafe p = lines.lexer.skipSpace(p + 1)
      if unsafe p.pointee == UInt8(ascii: "]") { return true }
      let next =
        unsafe p.pointee == UInt8(ascii: "{")
        ? entry.scanObject(p, node: 0, depth: 2) : lines.lexer.valueEnd(p, depth: 2)
      guard let next = unsafe next else { return false }
      if unsafe p.pointee == UInt8(ascii: "{") { take() }
      unsafe p = lines.lexer.skipSpace(next)
      if unsafe p.pointee != UInt8(ascii: ",") { return unsafe p.pointee == UInt8(ascii: "]") }
    }
  }

  /// Puts the entry's value where its key says.
  private func take() {
    guard unsafe entry.kinds[keyLeaf] == ValueKind.string else { return }
    guard
      let leaf = unsafe leaf(
        ofKey: entry.starts[keyLeaf], entry.ends[keyLeaf] - entry.starts[keyLeaf])
    else { return }
    for value in valueLeaves where unsafe entry.kinds[value] != ValueKind.missing {
      unsafe lines.kinds[leaf] = entry.kinds[value]
      unsafe lines.starts[leaf] = entry.starts[value]
      unsafe lines.ends[leaf] = entry.ends[value]
      return
    }
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
