/// Cuts a line that `LineScanner` has taken into gaps, and teaches them to a graph.
///
/// Rare: once for each way in which lines are built.
struct GapLearner {
  typealias Address = UnsafePointer<UInt8>

  /// A container that is open: an object's node, -1 if nothing inside is wanted; -2 for an array.
  private static let array: Int32 = -2
  private let lines: LineScanner
  private let graph: UnsafeMutablePointer<GapGraph>
  private var open: [Int32] = []
  /// What is open where the gap begins, and what the value before it was.
  private var place: [UInt8] = [GapRecord.Kind.lineEnd.rawValue]
  private var gapStart: Address
  private var effects: [GapEffect] = []
  /// The record that was added last.
  private var last = Int32(GapTables.noRecord)
  /// Where the value of the key read last goes.
  private var leaf: Int32
  private var child: Int32 = 0
  private var isKeyNext = false

  private init(_ lines: LineScanner, _ graph: UnsafeMutablePointer<GapGraph>, _ line: Address) {
    self.lines = lines
    self.graph = graph
    gapStart = line
    leaf = Int32(lines.leafCount)
  }

  /// Learns a line of valid JSON; one that can't be learned, or only its first gaps, stays with
  /// `LineScanner`. So do lines with escapes in a key: only strings between gaps may have some.
  static func learn(
    _ line: Address, to lineEnd: Address, _ lines: LineScanner,
    into graph: UnsafeMutablePointer<GapGraph>
  ) {
    var learner = GapLearner(lines, graph, line)
    var p = line
    while p < lineEnd {
      guard let next = learner.token(p) else { return }
      p = next
    }
    _ = learner.endGap(p + 1, .lineEnd)
  }

  /// Takes what stands at `p`; nil if the line can't be learned.
  private mutating func token(_ p: Address) -> Address? {
    switch p.pointee {
    case UInt8(ascii: "{"): return begin(object: true, p)
    case UInt8(ascii: "["): return begin(object: false, p)
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      _ = open.popLast()
      return p + 1
    case UInt8(ascii: ","):
      isKeyNext = open.last != Self.array
      forgetKey()
      return p + 1
    case UInt8(ascii: "\""): return isKeyNext ? key(p) : string(p)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "t"):
      return scalar(p)
    default: return p + 1
    }
  }

  private mutating func forgetKey() {
    leaf = Int32(lines.leafCount)
    child = -1
  }

  private mutating func begin(object isObject: Bool, _ p: Address) -> Address? {
    // At a wanted value's end somebody may look: only the walk from value to value finds that.
    let isWanted = leaf < Int32(lines.leafCount)
    if isObject ? isWanted && child < 0 : isWanted || child >= 0 { return nil }
    if isObject && child >= 0 { addEffect(ValueKind.container, p, p + 1) }
    open.append(isObject ? child : Self.array)
    isKeyNext = isObject
    forgetKey()
    return p + 1
  }

  private mutating func key(_ p: Address) -> Address? {
    let end = Self.quote(after: p)
    let text = UnsafeBufferPointer(start: p + 1, count: end - p - 1)
    if text.contains(UInt8(ascii: "\\")) { return nil }
    forgetKey()
    if let node = open.last, node >= 0 {
      if let found = lines.tree.pointee.child(of: node, named: text) {
        if found.leaf >= 0 { leaf = found.leaf }
        child = found.node
      }
    }
    isKeyNext = false
    return end + 1
  }

  private mutating func string(_ p: Address) -> Address? {
    if child >= 0 { addEffect(ValueKind.string, p, p) }
    guard endGap(p + 1, .string) else { return nil }
    gapStart = Self.quote(after: p)
    return gapStart + 1
  }

  private mutating func scalar(_ p: Address) -> Address? {
    if p.pointee == UInt8(ascii: "n") {
      // Part of how the line is built: it has no value that somebody might read.
      if child >= 0 || leaf < Int32(lines.leafCount) { addEffect(ValueKind.missing, p, p) }
      return p + 4
    }
    if child >= 0 { addEffect(ValueKind.missing, p, p) }
    guard let end = lines.lexer.scalarEnd(p), endGap(p, .scalar) else { return nil }
    gapStart = end
    return end
  }

  /// What the record has to say of a value; the part it is in is found when the gap ends.
  private mutating func addEffect(_ kind: UInt8, _ start: Address, _ end: Address) {
    effects.append(
      GapEffect(
        wipedNode: child, leaf: leaf, valueKind: kind, start: Int32(start - gapStart),
        end: Int32(end - gapStart)))
  }

  /// Adds the records of the gap that ends before `end`; false if there is no room, or nothing to
  /// compare.
  private mutating func endGap(_ end: Address, _ kind: GapRecord.Kind) -> Bool {
    let gap = Array(UnsafeBufferPointer(start: gapStart, count: end - gapStart))
    if gap.isEmpty { return false }
    var start = 0
    while start < gap.count {
      let stop = min(start + 32, gap.count)
      let isLast = stop == gap.count
      let own = effects.filter { $0.start >= start && ($0.start < stop || isLast) }
      let record = GapRecord(
        leaf: isLast ? leaf : Int32(lines.leafCount), kind: isLast ? kind : .part)
      let number = graph.pointee.add(
        record, own.map { $0.moved(by: -start) }, place: place + gap[..<start],
        spelling: gap[start..<stop])
      guard number >= 0, graph.pointee.connect(last, number) else { return false }
      last = number
      start = stop
    }
    effects = []
    place = [kind.rawValue]
    for node in open { withUnsafeBytes(of: node.littleEndian) { place.append(contentsOf: $0) } }
    // No plain text has it: what follows is text.
    place.append(0xFF)
    return true
  }

  private static func quote(after p: Address) -> Address {
    var end = p + 1
    while end.pointee != UInt8(ascii: "\"") { end += end.pointee == UInt8(ascii: "\\") ? 2 : 1 }
    return end
  }
}

extension GapEffect {
  fileprivate func moved(by offset: Int) -> GapEffect {
    var moved = self
    moved.start += Int32(offset)
    moved.end += Int32(offset)
    return moved
  }
}
