import CScanKernel

/// A value of 1 to 32 bytes with zeros behind it, and its code; no bytes where there is none.
struct KnownValue {
  var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  var count: Int = 0
  var code: UInt32 = 0
}

/// Codes of the values that a slot held lately, in places found by mixing a value's bytes.
///
/// A value of up to 32 bytes is four words, zeros behind its bytes, and its length. Equal words and
/// lengths mean equal values, so one comparison replaces the search in the name table, and nothing
/// in it depends on how long the value is.
///
/// Invariant: `entries` holds as many initialised elements as there are places; an entry that was
/// never filled has no bytes, and no looked-up value is without.
@safe struct ValueCache {
  typealias Address = UnsafePointer<UInt8>

  static let maximumBytes = 32
  private static let placeCount = 64
  private let entries: UnsafeMutablePointer<KnownValue>

  init() {
    unsafe entries = .allocate(capacity: Self.placeCount)
    unsafe entries.initialize(repeating: KnownValue(), count: Self.placeCount)
  }

  func deallocate() {
    unsafe entries.deallocate()
  }

  /// A value of 1...32 bytes and its code; 32 bytes can be read from its beginning.
  @inline(__always)
  static func known(_ start: Address, _ count: Int, _ code: UInt32) -> KnownValue {
    let masks = unsafe UnsafeRawPointer(scan_tail_masks()) + (32 &- count)
    let raw = unsafe UnsafeRawPointer(start)
    return unsafe KnownValue(
      words: (
        word(raw, masks, at: 0), word(raw, masks, at: 8), word(raw, masks, at: 16),
        word(raw, masks, at: 24)
      ), count: count, code: code)
  }

  /// Where the value is kept, if it is.
  @inline(__always)
  func place(of value: KnownValue) -> UnsafeMutablePointer<KnownValue> {
    let first = (value.words.0 ^ value.words.2) &* 0x9E37_79B9_7F4A_7C15
    let second = (value.words.1 ^ value.words.3 &* 3) &* 0xD6E8_FEB8_6659_FD93
    return unsafe entries + Int(truncatingIfNeeded: (first &+ second) &>> 58)
  }

  @inline(__always)
  private static func word(
    _ raw: UnsafeRawPointer, _ masks: UnsafeRawPointer, at offset: Int
  ) -> UInt64 {
    unsafe raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      & masks.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  @inline(__always)
  static func isHit(_ place: UnsafeMutablePointer<KnownValue>, _ entry: KnownValue) -> Bool {
    let known = unsafe place.pointee
    let first = (known.words.0 ^ entry.words.0) | (known.words.1 ^ entry.words.1)
    let second = (known.words.2 ^ entry.words.2) | (known.words.3 ^ entry.words.3)
    return first | second == 0 && known.count == entry.count
  }
}
