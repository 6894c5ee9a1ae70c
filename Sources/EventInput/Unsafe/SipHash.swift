/// SipHash-2-4 with 128 bits of output, after the reference code of Aumasson and Bernstein.
///
/// Reads the bytes it is given and nothing else: the last, partial word is put together byte by
/// byte, so no padding is needed.
struct SipHash: Sendable {
  let key0: UInt64
  let key1: UInt64

  /// The 128-bit hash; `low` is the first eight bytes of the reference output, read little-endian.
  @inline(__always)
  func hash(_ bytes: UnsafeRawBufferPointer) -> (low: UInt64, high: UInt64) {
    var v0 = key0 ^ 0x736f_6d65_7073_6575
    var v1 = key1 ^ 0x646f_7261_6e64_6f6d ^ 0xee
    var v2 = key0 ^ 0x6c79_6765_6e65_7261
    var v3 = key1 ^ 0x7465_6462_7974_6573

    let count = bytes.count
    let whole = count & ~7
    var offset = 0
    while offset < whole {
      let word = UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      v3 ^= word
      Self.round(&v0, &v1, &v2, &v3)
      Self.round(&v0, &v1, &v2, &v3)
      v0 ^= word
      offset &+= 8
    }
    let last = Self.lastWord(bytes, from: whole) | UInt64(truncatingIfNeeded: count) << 56
    v3 ^= last
    Self.round(&v0, &v1, &v2, &v3)
    Self.round(&v0, &v1, &v2, &v3)
    v0 ^= last

    v2 ^= 0xee
    for _ in 0..<4 { Self.round(&v0, &v1, &v2, &v3) }
    let low = v0 ^ v1 ^ v2 ^ v3
    v1 ^= 0xdd
    for _ in 0..<4 { Self.round(&v0, &v1, &v2, &v3) }
    return (low, v0 ^ v1 ^ v2 ^ v3)
  }

  @inline(__always)
  private static func lastWord(_ bytes: UnsafeRawBufferPointer, from whole: Int) -> UInt64 {
    let rest = bytes.count &- whole
    if rest >= 4 {
      // Two overlapping halves: the first four bytes, and the last four shifted into place.
      let first = UInt64(
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: whole, as: UInt32.self)))
      let second = UInt64(
        UInt32(
          littleEndian: bytes.loadUnaligned(
            fromByteOffset: bytes.count &- 4, as: UInt32.self)))
      return first | second &<< UInt64(truncatingIfNeeded: (rest &- 4) &* 8)
    }
    var word: UInt64 = 0
    var index = 0
    while index < rest {
      word |= UInt64(bytes[whole &+ index]) &<< UInt64(truncatingIfNeeded: index &* 8)
      index &+= 1
    }
    return word
  }

  @inline(__always)
  private static func round(
    _ v0: inout UInt64, _ v1: inout UInt64, _ v2: inout UInt64, _ v3: inout UInt64
  ) {
    v0 &+= v1
    v2 &+= v3
    v1 = rotated(v1, by: 13) ^ v0
    v3 = rotated(v3, by: 16) ^ v2
    v0 = rotated(v0, by: 32)
    v2 &+= v1
    v0 &+= v3
    v1 = rotated(v1, by: 17) ^ v2
    v3 = rotated(v3, by: 21) ^ v0
    v2 = rotated(v2, by: 32)
  }

  @inline(__always)
  private static func rotated(_ word: UInt64, by bits: UInt64) -> UInt64 {
    word &<< bits | word &>> (64 &- bits)
  }
}
