import CScanKernel

/// Where the quotes of a text lie, and the bytes that make a line special: strip by strip, so that
/// the lists and the text they are of stay in the cache.
///
///     text      {"event":"page","flow":"aiq"}\n
///     quotes     1     7 9    14 …             `quotes[nextQuote]` is the first of the line
///     specials                       29        the line feed: nothing special before it
///
/// Special are backslashes, control characters, line feeds among them, and what is not ASCII: a
/// line whose first special byte is its line feed has no escapes, and its quotes open and close
/// strings in turn.
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
  /// What the kernel may write behind the last entry.
  private static let slack = 64

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
    (quoteCount, specialCount, nextQuote, nextSpecial) = (0, 0, 0, 0)
  }

  /// The line feed of the line that is next, if nothing special stands before it but a carriage
  /// return; nil where there is, or where the line is too long to be looked at this way.
  @inline(__always)
  mutating func plainLineEnd() -> Address? {
    if nextSpecial == specialCount && !extend() { return nil }
    let special = base + Int(specials[nextSpecial].place)
    if special.pointee == UInt8(ascii: "\n") { return special }
    return special.pointee == UInt8(ascii: "\r") && special[1] == UInt8(ascii: "\n")
      ? special + 1 : nil
  }

  /// How many quotes stand in the line that `plainLineEnd` gave the end of.
  @inline(__always)
  var lineQuoteCount: Int { Int(specials[nextSpecial].quotes) &- nextQuote }

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
    nextSpecial &+= 1
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

  /// Indexes strips until there is a special byte to come; false if there is no room for that.
  @inline(never)
  private mutating func extend() -> Bool {
    keepUnpassed()
    while nextSpecial == specialCount {
      let strip = min(Self.stripBytes, byteCount - indexedBytes)
      guard strip > 0, quoteCount + strip + Self.sentinelCount <= Self.capacity else {
        return false
      }
      let found = scan_index(
        way, base + indexedBytes, strip, UInt32(truncatingIfNeeded: indexedBytes),
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

  private mutating func keepUnpassed() {
    quoteCount -= nextQuote
    quotes.update(from: quotes + nextQuote, count: quoteCount)
    nextQuote = 0
    specialCount = 0
    nextSpecial = 0
  }
}
