/// Reads words and numbers of few bytes one behind the other; behind the end there are only zeros.
@safe struct ByteReader {
  private(set) var next: UnsafeRawPointer
  private let end: UnsafeRawPointer

  /// - Parameter end: the end of the bytes; `SegmentBytes.padding` zeros must follow it.
  init(at start: UnsafeRawPointer, end: UnsafeRawPointer) {
    unsafe next = start
    unsafe self.end = end
  }

  var isAtEnd: Bool { unsafe next >= end }

  /// How many bytes are left; negative where reading went too far.
  var remaining: Int { unsafe end - next }

  mutating func skip(_ count: Int) { unsafe next += min(count, max(0, remaining)) }

  @inline(__always)
  mutating func word<Word: FixedWidthInteger & BitwiseCopyable>(_: Word.Type) -> Word {
    if unsafe next > end { return 0 }
    defer { unsafe next += MemoryLayout<Word>.size }
    return unsafe Word(littleEndian: next.loadUnaligned(as: Word.self))
  }

  /// The inverse of `ByteWriter.append(varint:)`.
  @inline(__always)
  mutating func varint() -> UInt64 {
    if unsafe next > end { return 0 }
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while shift < 64 {
      let byte = unsafe next.load(as: UInt8.self)
      unsafe next += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { break }
      shift += 7
    }
    return value
  }

  /// The inverse of `ByteWriter.append(counted:)`.
  @inline(__always)
  mutating func counted() -> UInt64 {
    if unsafe next > end { return 0 }
    let word = unsafe UInt64(littleEndian: next.loadUnaligned(as: UInt64.self))
    let more = word & 7
    unsafe next += Int(more) + 1
    let unused = 56 &- more &* 8
    return ((word &<< unused) &>> unused) &>> 3
  }
}
