internal import EventInput

// Numbers in segments: the lowest byte first.
extension [UInt8] {
  mutating func append(littleEndian number: some FixedWidthInteger) {
    for shift in stride(from: 0, to: number.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// - Parameter varint: at least 0; seven bits a byte, the lowest first.
  mutating func append(varint: Int) {
    var value = varint
    while value >= 0x80 {
      append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    append(UInt8(truncatingIfNeeded: value))
  }

  /// 16 bytes: the high half, then the low half.
  mutating func append(_ hash: IdentifierHash) {
    append(littleEndian: hash.high)
    append(littleEndian: hash.low)
  }
}

extension ArraySlice<UInt8> {
  /// The number that these bytes are, eight at most.
  var littleEndianNumber: UInt64 { reversed().reduce(0) { $0 << 8 | UInt64($1) } }
}
