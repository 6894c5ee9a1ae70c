internal import Foundation

/// Names as small codes, in a bounded table.
///
/// Texts that Unicode takes for the same, such as é and an e with an accent behind it, are one
/// name, in its composed form: reports compare names as Swift does, which makes no difference
/// between them either (definitions 1.7).
///
/// Code 0 is "missing". Declared names have the codes 1, 2, 3 …; other names follow as they are
/// seen, but only the `limit` with the smallest stable hash keep a code of their own. A name that
/// a smaller hash has pushed out keeps its old code, which from then on reads as `(other)`: so the
/// set of names that are kept depends only on the set of names seen, never on their order, and two
/// tables merge into the table that one pass over both would have made.
///
/// A name of more than 256 bytes is known by its beginning and its hash, so that the memory of a
/// table has a bound whatever the input.
public struct NameTable: Sendable {
  /// The code of every name that has no place (tables that don't distinguish others).
  public static let other: UInt32 = 0xFFFF_FFFF
  /// Set in the codes of names without a place in tables that distinguish them.
  public static let otherFlag: UInt32 = 0x8000_0000
  /// Longer names are cut.
  static let maximumNameBytes = 256

  private enum Place {
    case declared
    case kept
    case evicted
  }

  private struct Entry {
    var bytes: [UInt8]
    var hash: UInt64
    var place: Place
  }

  /// Which names are declared, and how many others have a place.
  public let plan: NameTablePlan
  /// By code; entry 0 is "missing".
  private var entries: [Entry] = [Entry(bytes: [], hash: 0, place: .declared)]
  /// Codes of the declared and the kept names by their bytes.
  private var codesByName: [[UInt8]: UInt32] = [:]
  /// Codes of the kept names, the largest (hash, bytes) first: a binary heap.
  private var keptHeap: [UInt32] = []

  /// A table in which only the declared names have codes yet.
  public init(plan: NameTablePlan) {
    self.plan = plan
    for name in plan.declared {
      let bytes = Self.composed(Array(name.utf8))
      let code = UInt32(entries.count)
      entries.append(Entry(bytes: bytes, hash: Self.stableHash(bytes), place: .declared))
      if !bytes.isEmpty && codesByName[bytes] == nil { codesByName[bytes] = code }
    }
  }

  /// All codes given out so far that name something, evicted ones too.
  public var codes: Range<UInt32> { 1..<UInt32(entries.count) }

  /// The names that have a place and are not declared, in no order.
  package var keptNames: [String] { keptHeap.map { name(of: $0) } }

  /// The code of a name, which gets one if it has none and there is room; 0 for the empty name.
  public mutating func code(of name: String) -> UInt32 {
    code(ofBytes: Self.composed(Array(name.utf8)))
  }

  /// The code of a name given as UTF-8.
  public mutating func code(of bytes: UnsafeRawBufferPointer) -> UInt32 {
    unsafe code(ofBytes: Self.composed(Array(bytes)))
  }

  /// The form in which a name is known: Unicode's normalization form C.
  static func composed(_ name: [UInt8]) -> [UInt8] {
    if name.allSatisfy({ $0 < 0x80 }) { return name }
    let text = String(decoding: name, as: UTF8.self)
    return Array(text.precomposedStringWithCanonicalMapping.utf8)
  }

  /// The name, composed; `(none)` for 0, `(other)` for a name without a place.
  public func name(of code: UInt32) -> String {
    if code == 0 { return "(none)" }
    if isOther(code) { return "(other)" }
    return String(decoding: entries[Int(code)].bytes, as: UTF8.self)
  }

  /// Whether the code's name has no place (any more).
  public func isOther(_ code: UInt32) -> Bool {
    code >= UInt32(entries.count) || entries[Int(code)].place == .evicted
  }

  /// The code that a name seen now would get: codes of evicted names become `other`, or
  /// `otherFlag` with 16 bits of the hash where others are kept distinct.
  public func canonical(_ code: UInt32) -> UInt32 {
    guard code < UInt32(entries.count) else { return code }
    let entry = entries[Int(code)]
    return entry.place == .evicted ? otherCode(entry.hash) : code
  }

  /// Takes over the names of another table with the same plan, and says how its codes read here.
  ///
  /// A code from the map can be evicted by a later name or merge: `canonical` gives the last word.
  public mutating func merge(_ other: NameTable) -> NameCodeMap {
    var codes: [UInt32] = [0]
    codes.reserveCapacity(other.entries.count)
    for entry in other.entries.dropFirst() {
      switch entry.place {
      case .evicted: codes.append(otherCode(entry.hash))
      case .declared, .kept: codes.append(code(ofBytes: entry.bytes))
      }
    }
    return NameCodeMap(codes: codes)
  }

  /// The hash that decides which names are kept: 64 bits of SipHash-2-4 under a public key, the
  /// same on every machine and in every version.
  public static func stableHash(of name: String) -> UInt64 {
    stableHash(Array(name.utf8))
  }

  private static func stableHash(_ bytes: [UInt8]) -> UInt64 {
    unsafe bytes.withUnsafeBytes {
      unsafe SipHash(key0: 0x4669_7273_744d_696c, key1: 0x6e61_6d65_7331).hash($0).low
    }
  }

  private func otherCode(_ hash: UInt64) -> UInt32 {
    plan.tellsOthersApart ? Self.otherFlag | UInt32(hash & 0xFFFF) : Self.other
  }

  private mutating func code(ofBytes name: [UInt8]) -> UInt32 {
    if name.isEmpty { return 0 }
    if let code = codesByName[name] { return code }
    let bytes = name.count > Self.maximumNameBytes ? Self.cut(name) : name
    if bytes.count != name.count, let code = codesByName[bytes] { return code }
    let hash = Self.stableHash(bytes)
    if keptHeap.count >= plan.limit {
      guard let largest = keptHeap.first,
        precedes((hash, bytes), (entries[Int(largest)].hash, entries[Int(largest)].bytes))
      else { return otherCode(hash) }
      evictLargest()
    }
    let code = UInt32(entries.count)
    guard code < Self.otherFlag else { return otherCode(hash) }
    entries.append(Entry(bytes: bytes, hash: hash, place: .kept))
    codesByName[bytes] = code
    keptHeap.append(code)
    siftUp(keptHeap.count - 1)
    return code
  }

  /// The beginning, cut between characters, and the hash of the whole.
  private static func cut(_ name: [UInt8]) -> [UInt8] {
    var end = maximumNameBytes - 24
    while end > 0 && name[end] & 0xC0 == 0x80 { end -= 1 }
    let digits = String(stableHash(name), radix: 16)
    let padding = String(repeating: "0", count: 16 - digits.count)
    return Array(name[..<end]) + Array("… \(padding)\(digits)".utf8)
  }
}

// The heap of kept names.
extension NameTable {
  private mutating func evictLargest() {
    guard let largest = keptHeap.first, let last = keptHeap.popLast() else { return }
    codesByName[entries[Int(largest)].bytes] = nil
    entries[Int(largest)].place = .evicted
    entries[Int(largest)].bytes = []
    guard !keptHeap.isEmpty else { return }
    keptHeap[0] = last
    var index = 0
    while true {
      var top = index
      for child in [2 * index + 1, 2 * index + 2] where child < keptHeap.count {
        if isLess(keptHeap[top], keptHeap[child]) { top = child }
      }
      if top == index { return }
      keptHeap.swapAt(top, index)
      index = top
    }
  }

  private mutating func siftUp(_ start: Int) {
    var index = start
    while index > 0, isLess(keptHeap[(index - 1) / 2], keptHeap[index]) {
      keptHeap.swapAt((index - 1) / 2, index)
      index = (index - 1) / 2
    }
  }

  private func isLess(_ left: UInt32, _ right: UInt32) -> Bool {
    let (left, right) = (entries[Int(left)], entries[Int(right)])
    return precedes((left.hash, left.bytes), (right.hash, right.bytes))
  }

  private func precedes(_ left: (UInt64, [UInt8]), _ right: (UInt64, [UInt8])) -> Bool {
    left.0 != right.0 ? left.0 < right.0 : left.1.lexicographicallyPrecedes(right.1)
  }
}
