import CScanKernel

/// A value of 1 to 32 bytes with zeros behind it, and its code; no bytes where there is none.
struct KnownValue {
  var words: (SIMD2<UInt64>, SIMD2<UInt64>)
  var count: Int
  var code: UInt32
  /// So that one is as long as a line of the processor's caches.
  private var padding: (UInt64, UInt64) = (0, 0)

  @inline(__always)
  init(
    words: (SIMD2<UInt64>, SIMD2<UInt64>) = (.zero, .zero), count: Int = 0, code: UInt32 = 0
  ) {
    (self.words, self.count, self.code) = (words, count, code)
  }
}

/// Codes of the values that a slot held lately, in places found by mixing a value's bytes.
///
/// A value of up to 32 bytes is twice two words, zeros behind its bytes, and its length. Equal
/// words and lengths mean equal values, so one comparison replaces the search in the name table,
/// and nothing in it depends on how long the value is.
///
/// Invariant: `entries` holds as many initialised elements as there are places; an entry that was
/// never filled has no bytes, and no looked-up value is without.
@safe struct ValueCache {
  typealias Address = UnsafePointer<UInt8>

  static let maximumBytes = 32
  /// A value that finds its place taken is looked up in the name table each time.
  private static let placeCount = 128
  private let entries: UnsafeMutablePointer<KnownValue>

  init() {
    let size = MemoryLayout<KnownValue>.stride
    unsafe entries = UnsafeMutableRawPointer.allocate(
      byteCount: Self.placeCount * size, alignment: size
    ).bindMemory(to: KnownValue.self, capacity: Self.placeCount)
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
      words: (words(raw, masks, at: 0), words(raw, masks, at: 16)), count: count, code: code)
  }

  /// Where the value is kept, if it is.
  @inline(__always)
  func place(of value: KnownValue) -> UnsafeMutablePointer<KnownValue> {
    let halves = value.words.0 ^ value.words.1
    let first = halves[0] &* 0x9E37_79B9_7F4A_7C15
    let second = halves[1] &* 0xD6E8_FEB8_6659_FD93
    return unsafe entries + Int(truncatingIfNeeded: (first &+ second) &>> 57)
  }

  @inline(__always)
  private static func words(
    _ raw: UnsafeRawPointer, _ masks: UnsafeRawPointer, at offset: Int
  ) -> SIMD2<UInt64> {
    unsafe raw.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
      & masks.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
  }

  @inline(__always)
  static func isHit(_ place: UnsafeMutablePointer<KnownValue>, _ entry: KnownValue) -> Bool {
    let (first, second) = unsafe place.pointee.words
    return unsafe (first ^ entry.words.0) | (second ^ entry.words.1) == .zero
      && place.pointee.count == entry.count
  }
}
