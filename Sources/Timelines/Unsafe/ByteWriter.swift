/// Writes words and varints one behind the other; the caller has made room.
struct ByteWriter {
  private(set) var next: UnsafeMutableRawPointer

  init(at start: UnsafeMutableRawPointer) { next = start }

  @inline(__always)
  mutating func append<Word: FixedWidthInteger & BitwiseCopyable>(_ word: Word) {
    next.storeBytes(of: word.littleEndian, as: Word.self)
    next += MemoryLayout<Word>.size
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
}
