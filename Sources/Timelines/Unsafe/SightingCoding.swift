internal import EventInput

/// The moments a user was seen on a device: for each the milliseconds since the one before as a
/// counted number.
enum SightingCoding {
  /// 42 bits of time take 6 bytes; while the last is written, 8 are touched.
  static func maximumBytes(_ count: Int) -> Int { count * 6 + 2 }

  @inline(__always)
  static func append(_ moments: [Int64], to writer: inout ByteWriter) {
    var last: Int64 = 0
    for moment in moments {
      writer.append(counted: UInt64(truncatingIfNeeded: moment &- last))
      last = moment
    }
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
