import CScanKernel

/// What kind of value a leaf holds after a line; the raw value of `LineScanner.kinds`.
enum ValueKind {
  /// Absent or null.
  static let missing: UInt8 = 0
  static let string: UInt8 = 1
  static let escapedString: UInt8 = 2
  static let number: UInt8 = 3
  static let boolean: UInt8 = 4
  static let container: UInt8 = 5
}

/// Walks one line of JSON and notes where the values of the plan's leaves lie.
///
/// One pass, forward, no tree. Keys are predicted: each remembers which keys came after it the last
/// two times, and one comparison of 16 or 32 bytes, white space and colon included, shows
/// whether that holds again. Everything else goes the general way, and is learned.
///
///     {"event":"page","user_id":"u1","properties":{"page_name":"plan"}}
///     record 7 ──────► record 9 ─────► record 4 ───► node 1, record 12
///
/// The text's invariants are those of `JSONLexer`. The memory belongs to the `ScanMemory` that
/// made the scanner and lives as long as that. `starts`, `ends` and `kinds` have a place for each
/// leaf and one more (number `leafCount`) for values that nobody asked for.
@safe struct LineScanner {
  typealias Address = UnsafePointer<UInt8>

  let lexer: JSONLexer
  let keys: UnsafeMutablePointer<KeyRecords>
  let records: UnsafeMutablePointer<KeyRecord>
  let tree: UnsafePointer<PathTree>
  let leafCount: Int
  let starts: UnsafeMutablePointer<Address>
  let ends: UnsafeMutablePointer<Address>
  let kinds: UnsafeMutablePointer<UInt8>
  /// For each node the first record of its last object, and its leaves.
  let nodeStarts: UnsafeMutablePointer<Int32>
  let nodeLeaves: UnsafePointer<(first: Int32, end: Int32)>
  /// The node of all keys with some beginning (`EventFormat.anyEnding`), or -1: of these keys those
  /// without an object don't take away what another one holds.
  let sharedNode: Int32
  /// For each node what becomes of a list in its object's place.
  let listPlaces: UnsafePointer<ListPlace>
  let scratch: UnsafeMutablePointer<ScratchBuffer>

  /// Reads an object from its `{`; returns the address after its `}`, or nil with the failure in
  /// `lexer.state`.
  func scanObject(_ start: Address, node: Int32, depth: Int) -> Address? {
    if depth > JSONLexer.maximumDepth { return unsafe lexer.fail(.tooDeep, at: start) }
    var p = unsafe start + 1
    wipe(node)
    // The record whose successor is to be predicted; -1 at the beginning.
    var previous: Int32 = -1
    var expected = unsafe nodeStarts[Int(node)]
    var alternative: Int32 = -1
    while true {
      var leaf: Int
      let child: Int32
      var record = expected
      if unsafe record < 0 || !KeyRecord.matches(records + Int(record), p) {
        record = alternative
        if unsafe record < 0 || !KeyRecord.matches(records + Int(record), p) { record = -1 }
      }
      if record >= 0 {
        let found = unsafe records + Int(record)
        unsafe p += found.pointee.count
        leaf = unsafe Int(found.pointee.leaf)
        child = unsafe found.pointee.child
        expected = unsafe found.pointee.next
        alternative = unsafe found.pointee.afterNext
      } else {
        if previous < 0 {
          let first = unsafe lexer.skipSpace(p)
          if unsafe first.pointee == UInt8(ascii: "}") { return unsafe first + 1 }
        }
        guard let key = unsafe generalKey(p, node: node) else { return nil }
        unsafe p = key.value
        leaf = Int(key.leaf)
        child = key.child
        record = key.record
        learn(previous, record, node: node)
        expected = unsafe record >= 0 ? records[Int(record)].next : -1
        alternative = unsafe record >= 0 ? records[Int(record)].afterNext : -1
      }
      // A record without a number (no room) must still not look like the beginning.
      previous = record >= 0 ? record : Int32.max

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
        wipe(child)
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
      return unsafe scanObject(p, node: child, depth: depth + 1)
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
      wipe(child)
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
    wipe(child)
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
      let next = unsafe scanObject(first, node: child, depth: depth)
    else { return false }
    return unsafe lexer.skipSpace(next) == end
  }

  /// Forgets what an earlier value of the same key held: the last one wins.
  @inline(__always)
  func wipe(_ node: Int32) {
    let leaves = unsafe nodeLeaves[Int(node)]
    let count = Int(leaves.end &- leaves.first)
    let raw = unsafe UnsafeMutableRawPointer(kinds + Int(leaves.first))
    // `ValueKind.missing` is 0. Few leaves: stores that overlap cost less than the call of a
    // function that clears memory.
    if count >= 8 {
      var offset = 0
      while offset < count &- 8 {
        unsafe raw.storeBytes(of: 0, toByteOffset: offset, as: UInt64.self)
        offset &+= 8
      }
      unsafe raw.storeBytes(of: 0, toByteOffset: count &- 8, as: UInt64.self)
    } else if count >= 4 {
      unsafe raw.storeBytes(of: 0, as: UInt32.self)
      unsafe raw.storeBytes(of: 0, toByteOffset: count &- 4, as: UInt32.self)
    } else if count > 0 {
      unsafe raw.storeBytes(of: 0, as: UInt8.self)
      unsafe raw.storeBytes(of: 0, toByteOffset: count / 2, as: UInt8.self)
      unsafe raw.storeBytes(of: 0, toByteOffset: count &- 1, as: UInt8.self)
    }
  }
}

// Keys that were not predicted.
extension LineScanner {
  @safe struct Key {
    var value: Address
    var leaf: Int32
    var child: Int32
    /// -1 if it can't be predicted: too long, or no more room.
    var record: Int32
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
      return unsafe Key(value: value, leaf: child.leaf, child: child.node, record: -1)
    }
    var sample = unsafe spelling(start, count: count, node: node)
    let (known, slot) = unsafe keys.pointee.find(sample)
    if known >= 0 {
      let record = unsafe records[Int(known)]
      return unsafe Key(value: value, leaf: record.leaf, child: record.child, record: known)
    }
    let child = unsafe lookUp(quote + 1, end, hasEscapes: hasEscapes, node: node)
    sample.leaf = child.leaf
    sample.child = child.node
    let record = unsafe keys.pointee.add(sample, at: slot)
    return unsafe Key(value: value, leaf: child.leaf, child: child.node, record: record)
  }

  private func noKey(_ p: Address) -> Key {
    unsafe Key(value: p, leaf: Int32(leafCount), child: -1, record: -1)
  }

  private func spelling(_ start: Address, count: Int, node: Int32) -> KeyRecord {
    let raw = unsafe UnsafeRawPointer(start)
    let masks = (
      KeyRecord.mask(count), KeyRecord.mask(count - 8), KeyRecord.mask(count - 16),
      KeyRecord.mask(count - 24)
    )
    let words = unsafe (
      raw.loadUnaligned(as: UInt64.self) & masks.0,
      raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self) & masks.1,
      raw.loadUnaligned(fromByteOffset: 16, as: UInt64.self) & masks.2,
      raw.loadUnaligned(fromByteOffset: 24, as: UInt64.self) & masks.3
    )
    return KeyRecord(
      words: words, masks: masks, count: count, node: node, leaf: Int32(leafCount), child: -1,
      next: -1, afterNext: -1)
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

  @inline(__always)
  private func learn(_ previous: Int32, _ record: Int32, node: Int32) {
    guard record >= 0 else { return }
    if previous < 0 {
      unsafe nodeStarts[Int(node)] = record
    } else if previous != Int32.max {
      let before = unsafe records + Int(previous)
      unsafe before.pointee.afterNext = before.pointee.next
      unsafe before.pointee.next = record
    }
  }
}
