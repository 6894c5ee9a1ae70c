internal import EventInput

/// A user and the moments they were seen on a device: 16 bytes of key, then for each moment the
/// milliseconds since the one before as a counted number.
enum SightingCoding {
  /// 42 bits of time take 6 bytes; while the last is written, 8 are touched.
  static func maximumBytes(_ count: Int) -> Int { 16 + count * 6 + 2 }

  @inline(__always)
  static func append(
    _ user: IdentifierHash, _ count: Int, to writer: inout ByteWriter, _ factAt: (Int) -> Fact
  ) {
    writer.append(user.high)
    writer.append(user.low)
    var time: UInt64 = 0
    for index in 0..<count {
      let own = factAt(index).timeAndAction >> Fact.actionBits
      writer.append(counted: own &- time)
      time = own
    }
  }

  static func readUser(_ reader: inout ByteReader) -> IdentifierHash {
    IdentifierHash(high: reader.word(UInt64.self), low: reader.word(UInt64.self))
  }

  static func readMoments(
    _ count: Int, from reader: inout ByteReader, _ body: (Int64) -> Void
  ) {
    var time: UInt64 = 0
    for _ in 0..<count {
      time &+= reader.counted()
      body(Int64(truncatingIfNeeded: time))
    }
  }
}
