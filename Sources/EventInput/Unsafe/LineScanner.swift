import CScanKernel

/// What kind of value a leaf holds after a line; the raw value of `LineScanner.kinds`.
///
/// Those of values that may be a name are odd, and no other is (`EventScanner.rulesWithValues`).
enum ValueKind {
  /// Absent or null.
  static let missing: UInt8 = 0
  static let string: UInt8 = 1
  static let escapedString: UInt8 = 3
  static let number: UInt8 = 5
  static let boolean: UInt8 = 7
  static let container: UInt8 = 8
}

/// Walks one line of JSON and notes where the values of the plan's leaves lie.
///
/// One pass, forward, no tree. Keys are predicted: each remembers three keys that came after it,
/// and one comparison of 16 or 32 bytes, white space and colon included, shows whether one does
/// again. Everything else goes the general way, and is learned.
///
///     {"event":"page","user_id":"u1","properties":{"page_name":"plan"}}
///     record 7 ──────► record 9 ─────► record 4 ───► node 1, record 12
///
/// The text's invariants are those of `JSONLexer`. The memory belongs to the `ScanMemory` that
/// made the scanner and lives as long as that. `starts`, `ends` and `kinds` have a place for each
/// leaf and one more (number `leafCount`) for values that nobody asked for. Leaves below a node
/// that isn't `met` are missing.
@safe struct LineScanner {
  typealias Address = UnsafePointer<UInt8>

  let lexer: JSONLexer
  let keys: UnsafeMutablePointer<KeyRecords>
  let tree: UnsafePointer<PathTree>
  let leafCount: Int
  let starts: UnsafeMutablePointer<Address>
  let ends: UnsafeMutablePointer<Address>
  let kinds: UnsafeMutablePointer<UInt8>
  /// For each node the record before its first key.
  let nodeStarts: KeyRecord.Address
  /// For each node which of `kinds` are of leaves below it; of the root all, and `met` behind them.
  let nodeLeaves: UnsafePointer<(first: Int32, end: Int32)>
  /// For each node whether the line had something in its place: 0 or 1. Behind `kinds`.
  let met: UnsafeMutablePointer<UInt8>
  /// The node of all keys with some beginning (`EventFormat.anyEnding`), or -1: of these keys those
  /// without an object don't take away what another one holds.
  let sharedNode: Int32
  /// For each node what becomes of a list in its object's place.
  let listPlaces: UnsafePointer<ListPlace>
  let scratch: UnsafeMutablePointer<ScratchBuffer>

  /// Reads an object from its `{`, and nothing of what its node held before is left; returns the
  /// address after its `}`, or nil with the failure in `lexer.state`.
  func scanObject(_ start: Address, node: Int32, depth: Int) -> Address? {
    wipe(node)
    return unsafe walkObject(start, node: node, depth: depth)
  }

  private func walkObject(_ start: Address, node: Int32, depth: Int) -> Address? {
    if depth > JSONLexer.maximumDepth { return unsafe lexer.fail(.tooDeep, at: start) }
    var p = unsafe start + 1
    if unsafe p.pointee == UInt8(ascii: "}") { return unsafe p + 1 }
    // The record whose follower is to be predicted; nil after a key that has none.
    var record = unsafe Optional(nodeStarts + Int(node))
    var isFirst = true
    while true {
      let leaf: Int
      let child: Int32
      if let found = unsafe record?.pointee.follower(p) {
        unsafe record = found
        unsafe p += found.pointee.count
        leaf = unsafe Int(found.pointee.leaf)
        child = unsafe found.pointee.child
      } else {
        if isFirst {
          let first = unsafe lexer.skipSpace(p)
          if unsafe first.pointee == UInt8(ascii: "}") { return unsafe first + 1 }
        }
        guard let key = unsafe generalKey(p, node: node) else { return nil }
        unsafe p = key.value
        leaf = Int(key.leaf)
        child = key.child
        if let next = unsafe key.record { unsafe record?.pointee.learn(next) }
        unsafe record = key.record
      }
      isFirst = false
      guard let next = unsafe scanValue(p, leaf: leaf, child: child, depth: depth) else {
        return nil
      }
      unsafe p = next
      if unsafe p.pointee <= 0x20 { unsafe p = lexer.skipSpace(p) }
      if unsafe p.pointee == UInt8(ascii: ",") {
        unsafe p += 1
      } else if unsafe p.pointee == UInt8(ascii: "}") {
        return unsafe p + 1
      } else {
        return unsafe lexer.fail(.malformed, at: p)
      }
    }
  }

  @inline(__always)
  private func scanValue(_ p: Address, leaf: Int, child: Int32, depth: Int) -> Address? {
    let byte = unsafe p.pointee
    if byte == UInt8(ascii: "\"") {
      var end = unsafe scan_string_end(p + 1)
      var kind = ValueKind.string
      if unsafe end.pointee != UInt8(ascii: "\"") {
        unsafe lexer.state.pointee.hasEscapes = false
        guard let found = unsafe lexer.stringEnd(end) else { return nil }
        unsafe end = found
        if unsafe lexer.state.pointee.hasEscapes { kind = ValueKind.escapedString }
      }
      if child >= 0 {
        if unsafe child == sharedNode && end == p + 1 { return unsafe end + 1 }
        meet(child)
        if unsafe isText(ofJSON: p) {
          unsafe lexer.state.pointee.hasInnerText = true
        }
      }
      unsafe starts[leaf] = p + 1
      unsafe ends[leaf] = end
      unsafe kinds[leaf] = kind
      return unsafe end + 1
    }
    if byte == UInt8(ascii: "{") && child >= 0 {
      unsafe kinds[leaf] = ValueKind.container
      // Not what an earlier line left there: who asks for arrays looks at the first byte.
      unsafe starts[leaf] = p
      unsafe ends[leaf] = p + 1
      meet(child)
      return unsafe walkObject(p, node: child, depth: depth + 1)
    }
    return unsafe scanOther(p, leaf: leaf, child: child, depth: depth)
  }

  /// Whether a text whose inside is wanted begins like an object with something in it, like a list
  /// of objects, there also over several lines, or like a text of JSON once more.
  @inline(__always)
  private func isText(ofJSON p: Address) -> Bool {
    if unsafe p[1] == UInt8(ascii: "{") { return unsafe p[2] != UInt8(ascii: "}") }
    if unsafe p[1] == UInt8(ascii: "\\") { return unsafe p[2] == UInt8(ascii: "\"") }
    return unsafe p[1] == UInt8(ascii: "[")
      && (p[2] == UInt8(ascii: "{") || p[2] <= 0x20 || p[2] == UInt8(ascii: "\\"))
  }

  @inline(never)
  private func scanOther(_ p: Address, leaf: Int, child: Int32, depth: Int) -> Address? {
    if unsafe p.pointee <= 0x20 {
      // A spelling without white space also fits a text that has some before the value.
      let value = unsafe lexer.skipSpace(p)
      if unsafe value.pointee <= 0x20 { return unsafe lexer.fail(.malformed, at: value) }
      return unsafe scanValue(value, leaf: leaf, child: child, depth: depth)
    }
    if child >= 0 {
      if unsafe p.pointee == UInt8(ascii: "["), unsafe listPlaces[Int(child)] != .elsewhere {
        return unsafe scanList(p, leaf: leaf, child: child, depth: depth)
      }
      if child == sharedNode { return unsafe lexer.valueEnd(p, depth: depth + 1) }
      meet(child)
    }
    switch unsafe p.pointee {
    case UInt8(ascii: "{"), UInt8(ascii: "["): unsafe kinds[leaf] = ValueKind.container
    case UInt8(ascii: "n"): unsafe kinds[leaf] = ValueKind.missing
    case UInt8(ascii: "t"), UInt8(ascii: "f"): unsafe kinds[leaf] = ValueKind.boolean
    default: unsafe kinds[leaf] = ValueKind.number
    }
    guard let end = unsafe lexer.valueEnd(p, depth: depth + 1) else { return nil }
    unsafe starts[leaf] = p
    unsafe ends[leaf] = end
    return unsafe end
  }

  /// Reads a list in the place of an object: one object in it as if it stood there alone.
  @inline(never)
  private func scanList(_ start: Address, leaf: Int, child: Int32, depth: Int) -> Address? {
    guard let end = unsafe lexer.valueEnd(start, depth: depth + 1) else { return nil }
    let first = unsafe lexer.skipSpace(start + 1)
    let isEmpty = unsafe first.pointee == UInt8(ascii: "]")
    if isEmpty && child == sharedNode { return unsafe end }
    meet(child)
    if unsafe !isEmpty && !walkAlone(first, to: end - 1, child: child, depth: depth + 2) {
      wipe(child)
      if unsafe listPlaces[Int(child)] == .properties {
        unsafe lexer.state.pointee.hasOtherList = true
      }
    }
    unsafe starts[leaf] = start
    unsafe ends[leaf] = end
    unsafe kinds[leaf] = ValueKind.container
    return unsafe end
  }

  /// Reads the object that is all there is up to an address; false where there is none, or more.
  private func walkAlone(_ first: Address, to end: Address, child: Int32, depth: Int) -> Bool {
    guard unsafe first.pointee == UInt8(ascii: "{"),
      let next = unsafe walkObject(first, node: child, depth: depth)
    else { return false }
    return unsafe lexer.skipSpace(next) == end
  }

  /// Forgets what an earlier value of the same key held: the last one wins. Nearly always there was
  /// none in the line.
  @inline(__always)
  private func meet(_ node: Int32) {
    if unsafe met[Int(node)] != 0 { return wipe(node) }
    unsafe met[Int(node)] = 1
  }

  /// Makes all leaves below a node missing.
  @inline(never)
  func wipe(_ node: Int32) {
    let leaves = unsafe nodeLeaves[Int(node)]
    unsafe (kinds + Int(leaves.first)).update(
      repeating: ValueKind.missing, count: Int(leaves.end &- leaves.first))
    unsafe met[Int(node)] = 1
  }
}

// Keys that were not predicted.
extension LineScanner {
  @safe struct Key {
    var value: Address
    var leaf: Int32
    var child: Int32
    /// nil if it can't be predicted: too long, or no more room.
    var record: KeyRecord.Address?
  }

  @inline(never)
  private func generalKey(_ start: Address, node: Int32) -> Key? {
    let quote = unsafe lexer.skipSpace(start)
    guard unsafe quote.pointee == UInt8(ascii: "\"") else {
      return unsafe lexer.fail(.malformed, at: quote).map(noKey)
    }
    var end = unsafe scan_string_end(quote + 1)
    unsafe lexer.state.pointee.hasEscapes = false
    if unsafe end.pointee != UInt8(ascii: "\"") {
      guard let found = unsafe lexer.stringEnd(end) else { return nil }
      unsafe end = found
    }
    let hasEscapes = unsafe lexer.state.pointee.hasEscapes
    let colon = unsafe lexer.skipSpace(end + 1)
    guard unsafe colon.pointee == UInt8(ascii: ":") else {
      return unsafe lexer.fail(.malformed, at: colon).map(noKey)
    }
    let value = unsafe lexer.skipSpace(colon + 1)
    let count = unsafe value - start
    guard count <= KeyRecord.maximumBytes else {
      let child = unsafe lookUp(quote + 1, end, hasEscapes: hasEscapes, node: node)
      return unsafe Key(value: value, leaf: child.leaf, child: child.node, record: nil)
    }
    var sample = unsafe spelling(start, count: count, node: node)
    let (known, slot) = unsafe keys.pointee.find(sample)
    if let known = unsafe known {
      return unsafe Key(
        value: value, leaf: known.pointee.leaf, child: known.pointee.child, record: known)
    }
    let child = unsafe lookUp(quote + 1, end, hasEscapes: hasEscapes, node: node)
    sample.leaf = child.leaf
    sample.child = child.node
    let record = unsafe keys.pointee.add(sample, at: slot)
    return unsafe Key(value: value, leaf: child.leaf, child: child.node, record: record)
  }

  private func noKey(_ p: Address) -> Key {
    unsafe Key(value: p, leaf: Int32(leafCount), child: -1, record: nil)
  }

  @inline(__always)
  private func spelling(_ start: Address, count: Int, node: Int32) -> KeyRecord {
    let masks = unsafe Self.words(UnsafeRawPointer(scan_tail_masks()) + (32 &- count))
    let text = unsafe Self.words(UnsafeRawPointer(start))
    let words = (text.0 & masks.0, text.1 & masks.1, text.2 & masks.2, text.3 & masks.3)
    return KeyRecord(words: words, masks: masks, count: count, node: node, leaf: Int32(leafCount))
  }

  @inline(__always)
  private static func words(_ raw: UnsafeRawPointer) -> (UInt64, UInt64, UInt64, UInt64) {
    unsafe (
      raw.loadUnaligned(as: UInt64.self),
      raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
      raw.loadUnaligned(fromByteOffset: 16, as: UInt64.self),
      raw.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
    )
  }

  /// What the plan wants of a key in a node.
  private func lookUp(
    _ start: Address, _ end: Address, hasEscapes: Bool, node: Int32
  ) -> (leaf: Int32, node: Int32) {
    var text = unsafe UnsafeBufferPointer(start: start, count: end - start)
    if hasEscapes {
      let target = unsafe scratch.pointee.room(for: end - start)
      let count = unsafe JSONText.unescape(start, end, into: target)
      unsafe text = UnsafeBufferPointer(start: target, count: count)
    }
    guard let child = unsafe tree.pointee.child(of: node, named: text) else {
      return (Int32(leafCount), -1)
    }
    return (child.leaf >= 0 ? child.leaf : Int32(leafCount), child.node)
  }
}
