import CScanKernel

/// Where the quotes of a text lie, and the bytes that make a line special: strip by strip, so that
/// the lists and the text they are of stay in the cache.
///
///     text      {"event":"page","url":"\/plan"}\n
///     quotes     1     7 9    14 …             `quotes[nextQuote]` is the first of the line
///     specials                      24      31   an escape, and the line feed
///
/// Special are control characters, line feeds among them, backslashes that begin an escape, and
/// what is no valid UTF-8. A line is plain that has nothing special before its line feed but
/// escapes that JSON knows: its quotes open and close strings in turn, and all it needs besides is
/// that these strings stand where strings may.
///
/// Invariants: `quotes` and `specials` have room for `capacity` entries, of which the first
/// `quoteCount + sentinelCount` and `specialCount` are initialised; entries are offsets from `base`
/// in rising order, and cover the text up to `indexedBytes`. Behind the last quote stand sentinels
/// that lead to no quote; before the first one is room for one more entry. The text's invariants
/// are those of `JSONLexer`.
struct TextIndex {
  typealias Address = UnsafePointer<UInt8>

  static let stripBytes = 1 << 12
  /// More quotes than a text between two values can have: it has 32 bytes.
  static let sentinelCount = 32
  /// Room for the quotes of five strips, were they nothing else: a line that is longer than a strip
  /// is looked at this way as long as its quotes, and those of one strip more, find room.
  private static let capacity = 24 << 10
  /// What the kernel may write behind the last entry, and find twice in a strip.
  private static let slack = 64 + stripBytes / 64

  let quotes: UnsafeMutablePointer<UInt32>
  private let specials: UnsafeMutablePointer<scan_special>
  private let way = scan_best_way()
  private(set) var base: Address
  private var byteCount = 0
  private var indexedBytes = 0
  private(set) var quoteCount = 0
  private var specialCount = 0
  /// The first quote that was not passed yet, and the first special byte.
  private(set) var nextQuote = 0
  private var nextSpecial = 0
  /// The special byte at the end of the plain line that is next.
  private var lineSpecial = 0

  init(nothing: Address) {
    base = nothing
    let count = Self.capacity + Self.slack
    let places = UnsafeMutablePointer<UInt32>.allocate(capacity: 1 + count)
    places.initialize(repeating: 0, count: 1 + count)
    quotes = places + 1
    specials = .allocate(capacity: count)
    specials.initialize(repeating: scan_special(), count: count)
  }

  func deallocate() {
    (quotes - 1).deallocate()
    specials.deallocate()
  }

  /// Begins anew, with the text from `start` to `end`.
  mutating func begin(_ start: Address, _ end: Address) {
    base = start
    byteCount = end - start
    indexedBytes = 0
    (quoteCount, specialCount, nextQuote, nextSpecial, lineSpecial) = (0, 0, 0, 0, 0)
  }

  /// The line feed of the line that is next, if the line is plain; nil where it is not, or is too
  /// long to be looked at this way.
  @inline(__always)
  mutating func plainLineEnd() -> Address? {
    if nextSpecial == specialCount && !extend() { return nil }
    let special = base + Int(specials[nextSpecial].place)
    lineSpecial = nextSpecial
    return special.pointee == UInt8(ascii: "\n") ? special : lineEndBehindEscapes()
  }

  @inline(never)
  private mutating func lineEndBehindEscapes() -> Address? {
    while true {
      let special = base + Int(specials[lineSpecial].place)
      switch special.pointee {
      case UInt8(ascii: "\n"): return special
      case UInt8(ascii: "\r"): return special[1] == UInt8(ascii: "\n") ? special + 1 : nil
      case UInt8(ascii: "\\"):
        if JSONLexer.lengthOfEscape(special + 1) == nil { return nil }
      default: return nil
      }
      lineSpecial &+= 1
      if lineSpecial == specialCount && !extend() { return nil }
    }
  }

  /// How many quotes stand in the line that `plainLineEnd` gave the end of.
  @inline(__always)
  var lineQuoteCount: Int { Int(specials[lineSpecial].quotes) &- nextQuote }

  /// How many escapes stand in the line.
  @inline(__always)
  var lineEscapeCount: Int { lineSpecial &- nextSpecial }

  /// Whether any escape stands in a string that is meant, by the number of the quote before it.
  func hasEscape(where isMeant: (_ quote: Int) -> Bool) -> Bool {
    (nextSpecial..<lineSpecial).contains { isMeant(Int(specials[$0].quotes) - nextQuote - 1) }
  }

  /// The quotes of the line that is next; before the first one stands, from here on, where it ends.
  @inline(__always)
  func lineQuotes(end: Address) -> UnsafePointer<UInt32> {
    let first = quotes + nextQuote
    first[-1] = UInt32(truncatingIfNeeded: end - base)
    return UnsafePointer(first)
  }

  /// Passes a line that `plainLineEnd` gave the end of; `quotes` of them were in it.
  @inline(__always)
  mutating func pass(to lineEnd: Address, quotes: Int) {
    nextQuote &+= quotes
    nextSpecial = lineSpecial &+ 1
    // A carriage return is a special byte of its own.
    if base + Int(specials[nextSpecial &- 1].place) != lineEnd { passSpecials(before: lineEnd + 1) }
  }

  /// Passes everything before `next`, where a line begins.
  mutating func pass(to next: Address) {
    if next - base > indexedBytes { return begin(next, base + byteCount) }
    let offset = UInt32(truncatingIfNeeded: next - base)
    while nextQuote < quoteCount && quotes[nextQuote] < offset { nextQuote += 1 }
    passSpecials(before: next)
  }

  private mutating func passSpecials(before next: Address) {
    let offset = UInt32(truncatingIfNeeded: next - base)
    while true {
      while nextSpecial < specialCount && specials[nextSpecial].place < offset { nextSpecial += 1 }
      if nextSpecial < specialCount || indexedBytes >= next - base { return }
      // A strip ended between a carriage return and its line feed.
      if !extend() { return begin(next, base + byteCount) }
    }
  }

  /// Indexes strips until there is another special byte to come; false if there is no room for
  /// that.
  @inline(never)
  private mutating func extend() -> Bool {
    keepUnpassed()
    let known = specialCount
    while specialCount == known {
      let strip = min(Self.stripBytes, byteCount - indexedBytes)
      guard strip > 0, quoteCount + strip + Self.sentinelCount <= Self.capacity,
        specialCount + strip <= Self.capacity
      else { return false }
      let found = scan_index(
        way, base + indexedBytes, strip, indexedBytes, UInt32(truncatingIfNeeded: indexedBytes),
        UInt32(truncatingIfNeeded: quoteCount), quotes + quoteCount, specials + specialCount)
      indexedBytes += strip
      quoteCount += Int(found.quotes)
      specialCount += Int(found.specials)
    }
    // At the text's last byte, a line feed, no quote will be found.
    (quotes + quoteCount).update(
      repeating: UInt32(truncatingIfNeeded: byteCount - 1), count: Self.sentinelCount)
    return true
  }

  /// Moves what is of the line that is next to the beginning of the lists.
  private mutating func keepUnpassed() {
    quoteCount -= nextQuote
    quotes.update(from: quotes + nextQuote, count: quoteCount)
    specialCount -= nextSpecial
    for index in 0..<specialCount {
      specials[index] = specials[nextSpecial + index]
      specials[index].quotes -= UInt32(truncatingIfNeeded: nextQuote)
    }
    lineSpecial = max(0, lineSpecial - nextSpecial)
    nextQuote = 0
    nextSpecial = 0
  }
}
