import CScanKernel

/// Codes of the values that a slot held lately: 64 places, found by mixing the value's bytes.
///
/// A value of up to 32 bytes is four words, zeros behind its bytes, and its length. Equal words and
/// lengths mean equal values, so one comparison replaces the search in the name table, and nothing
/// in it depends on how long the value is.
///
/// Invariant: `entries` holds `placeCount` initialised elements; an entry that was never filled has
/// count 0, which no looked-up value has.
struct ValueCache {
  typealias Address = UnsafePointer<UInt8>

  struct Entry {
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    var count = 0
    var code: UInt32 = 0
  }

  static let maximumBytes = 32
  private static let placeCount = 64
  private let entries: UnsafeMutablePointer<Entry>

  init() {
    entries = .allocate(capacity: Self.placeCount)
    entries.initialize(repeating: Entry(), count: Self.placeCount)
  }

  func deallocate() {
    entries.deallocate()
  }

  /// The place and words of a value of 1...32 bytes; 32 bytes can be read from its beginning.
  @inline(__always)
  func probe(_ start: Address, count: Int) -> (place: UnsafeMutablePointer<Entry>, entry: Entry) {
    let masks = UnsafeRawPointer(scan_tail_masks()) + (32 &- count)
    let raw = UnsafeRawPointer(start)
    var entry = Entry()
    entry.count = count
    entry.words.0 = raw.loadUnaligned(as: UInt64.self) & masks.loadUnaligned(as: UInt64.self)
    entry.words.1 = Self.word(raw, masks, at: 8)
    entry.words.2 = Self.word(raw, masks, at: 16)
    entry.words.3 = Self.word(raw, masks, at: 24)
    let first = (entry.words.0 ^ entry.words.2) &* 0x9E37_79B9_7F4A_7C15
    let second = (entry.words.1 ^ entry.words.3 &* 3) &* 0xD6E8_FEB8_6659_FD93
    let place = Int(truncatingIfNeeded: (first &+ second) &>> 58)
    return (entries + place, entry)
  }

  @inline(__always)
  private static func word(
    _ raw: UnsafeRawPointer, _ masks: UnsafeRawPointer, at offset: Int
  ) -> UInt64 {
    raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      & masks.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  @inline(__always)
  static func isHit(_ place: UnsafeMutablePointer<Entry>, _ entry: Entry) -> Bool {
    let known = place.pointee
    let first = (known.words.0 ^ entry.words.0) | (known.words.1 ^ entry.words.1)
    let second = (known.words.2 ^ entry.words.2) | (known.words.3 ^ entry.words.3)
    return first | second == 0 && known.count == entry.count
  }
}
