import CScanKernel

/// What stands between two values of a line, learned from the text: the end of one string, what
/// encloses them, keys, and the quote that begins the next string.
///
///     {"event":"page","flow":"aiq","properties":{"page_number":2,"page_name":"plan"},"v":"1"}
///     ^^^^^^^^^^    ^^^^^^^^^^   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ ^^^^^^^^^^^^^^    ^^^^^^^   ^^
///     a value next             more than 32 bytes: two records,    a value next           the end
///                              then a number
///
/// Invariants: the spelling has `count` bytes, 1...32, `quoteCount` quotes among them; `leaf` is
/// valid for the plan's tree; `firstEdge` is an edge of the same graph or -1.
struct GapRecord {
  enum Kind: UInt8 {
    /// A string begins behind it.
    case string
    /// A number, `true` or `false` begins behind it; `null` is part of a gap.
    case scalar
    /// Another record follows at once.
    case part
    /// It ends with the line feed.
    case lineEnd
  }

  var spelling = scan_spelling()
  var count: Int32 = 0
  var quoteCount: Int32 = 0
  /// Where the value behind it goes; the plan's leaf count for values nobody asked for.
  var leaf: Int32
  /// What may come next; -1 for nothing.
  var firstEdge: Int32 = -1
  var firstEffect: Int32 = 0
  var effectCount: Int32 = 0
  var kind: Kind
  /// To 128 bytes, two lines of the cache.
  private var padding: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  init(leaf: Int32, kind: Kind) {
    self.leaf = leaf
    self.kind = kind
  }

  /// Whether a scalar stands behind the record at `p`, if it says so: before a scalar stands what
  /// may also stand before the quote of a string.
  @inline(__always)
  func isScalar(at p: UnsafePointer<UInt8>) -> Bool {
    if kind != .scalar { return true }
    switch p[Int(count)] {
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "f"),
      UInt8(ascii: "t"):
      return true
    default: return false
    }
  }
}

/// What a record says besides where the next value goes: a container that begins inside it, or what
/// an earlier value of the same key held.
struct GapEffect {
  /// A node whose leaves are wiped, or -1.
  var wipedNode: Int32
  /// Where the value goes; the plan's leaf count for none.
  var leaf: Int32
  var valueKind: UInt8
  /// Offsets from the record's first byte.
  var start: Int32
  var end: Int32
}

/// A way from one record to the next.
struct GapEdge {
  var record: Int32
  /// Another way from the same record, or -1.
  var next: Int32
}
