/// SipHash-2-4 with 128 bits of output, after the reference code of Aumasson and Bernstein.
///
/// Reads the bytes it is given and nothing else: the last, partial word is put together byte by
/// byte, so no padding is needed.
struct SipHash: Sendable {
  typealias Hash = (low: UInt64, high: UInt64)

  let key0: UInt64
  let key1: UInt64

  /// The 128-bit hash; `low` is the first eight bytes of the reference output, read little-endian.
  @inline(__always)
  func hash(_ bytes: UnsafeRawBufferPointer) -> Hash {
    var state = State(self)
    let count = bytes.count
    let whole = count & ~7
    var offset = 0
    while offset < whole {
      unsafe state.absorb(Self.word(bytes, at: offset))
      offset &+= 8
    }
    unsafe state.absorb(Self.lastWord(bytes, from: whole))
    state.begin()
    for _ in 0..<4 { state.round() }
    let low = state.word
    state.goOn()
    for _ in 0..<4 { state.round() }
    return (low, state.word)
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// What is left behind the whole words, and the length.
  @inline(__always)
  private static func lastWord(_ bytes: UnsafeRawBufferPointer, from whole: Int) -> UInt64 {
    let length = UInt64(truncatingIfNeeded: bytes.count) << 56
    let rest = bytes.count &- whole
    if rest >= 4 {
      // Two overlapping halves: the first four bytes, and the last four shifted into place.
      let first = unsafe UInt64(
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: whole, as: UInt32.self)))
      let second = unsafe UInt64(
        UInt32(
          littleEndian: bytes.loadUnaligned(
            fromByteOffset: bytes.count &- 4, as: UInt32.self)))
      return length | first | second &<< UInt64(truncatingIfNeeded: (rest &- 4) &* 8)
    }
    var word = length
    var index = 0
    while index < rest {
      unsafe word |= UInt64(bytes[whole &+ index]) &<< UInt64(truncatingIfNeeded: index &* 8)
      index &+= 1
    }
    return word
  }

  /// The four words that the bytes are worked into.
  private struct State {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64

    @inline(__always)
    init(_ key: SipHash) {
      v0 = key.key0 ^ 0x736f_6d65_7073_6575
      v1 = key.key1 ^ 0x646f_7261_6e64_6f6d ^ 0xee
      v2 = key.key0 ^ 0x6c79_6765_6e65_7261
      v3 = key.key1 ^ 0x7465_6462_7974_6573
    }

    @inline(__always)
    var word: UInt64 { v0 ^ v1 ^ v2 ^ v3 }

    /// After the last bytes, before the rounds of the first word.
    @inline(__always)
    mutating func begin() { v2 ^= 0xee }

    /// Before the rounds of the second word.
    @inline(__always)
    mutating func goOn() { v1 ^= 0xdd }

    @inline(__always)
    mutating func absorb(_ word: UInt64) {
      v3 ^= word
      round()
      round()
      v0 ^= word
    }

    @inline(__always)
    mutating func round() {
      v0 &+= v1
      v2 &+= v3
      v1 = Self.rotated(v1, by: 13) ^ v0
      v3 = Self.rotated(v3, by: 16) ^ v2
      v0 = Self.rotated(v0, by: 32)
      v2 &+= v1
      v0 &+= v3
      v1 = Self.rotated(v1, by: 17) ^ v2
      v3 = Self.rotated(v3, by: 21) ^ v0
      v2 = Self.rotated(v2, by: 32)
    }

    @inline(__always)
    private static func rotated(_ word: UInt64, by bits: UInt64) -> UInt64 {
      word &<< bits | word &>> (64 &- bits)
    }
  }
}
