/// Writes words and numbers of few bytes one behind the other; the caller has made room.
@safe struct ByteWriter {
  private(set) var next: UnsafeMutableRawPointer

  init(at start: UnsafeMutableRawPointer) { unsafe next = start }

  @inline(__always)
  mutating func append<Word: FixedWidthInteger & BitwiseCopyable>(_ word: Word) {
    unsafe next.storeBytes(of: word.littleEndian, as: Word.self)
    unsafe next += MemoryLayout<Word>.size
  }

  /// Seven bits a byte, lowest first, the eighth set on all but the last.
  @inline(__always)
  mutating func append(varint value: UInt64) {
    var value = value
    while value >= 0x80 {
      append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    append(UInt8(truncatingIfNeeded: value))
  }

  /// A number below 2^61 as few bytes: how many follow the first stands in its lowest three bits.
  /// There must be room for 8 bytes, however few it takes: so there is no branch, and nothing to
  /// guess for the processor.
  @inline(__always)
  mutating func append(counted value: UInt64) {
    let shifted = value << 3
    let more = (63 - (shifted | 1).leadingZeroBitCount) >> 3
    unsafe next.storeBytes(of: (shifted | UInt64(more)).littleEndian, as: UInt64.self)
    unsafe next += more + 1
  }
}
