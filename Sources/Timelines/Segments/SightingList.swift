internal import EventInput

/// Who was seen on the devices of one partition, and when, as bytes:
///
///     16 bytes   device ┐ each the high half, then the low half
///     16 bytes   user   ┘
///     varint     how many moments follow
///     varint     milliseconds since the moment before, of the first since 1970; each once
///
/// One pair may stand in several places.
struct SightingList {
  private(set) var bytes: [UInt8] = []
  private(set) var pairs = 0

  /// - Parameter facts: of this user on this device, in order of time.
  mutating func append(user: IdentifierHash, device: IdentifierHash, _ facts: [StoredFact]) {
    var moments = 0
    var last: Int64?
    for fact in facts where fact.fact.timeMilliseconds != last {
      moments += 1
      last = fact.fact.timeMilliseconds
    }
    bytes.append(device)
    bytes.append(user)
    append(UInt64(moments))
    var before: Int64 = 0
    var isFirst = true
    for fact in facts {
      let time = fact.fact.timeMilliseconds
      if time == before && !isFirst { continue }
      append(UInt64(bitPattern: time - before))
      (before, isFirst) = (time, false)
    }
    pairs += 1
  }

  private mutating func append(_ varint: UInt64) {
    var value = varint
    while value >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: value))
  }

  /// Calls `body` for each pair with its moments, in order.
  ///
  /// - Throws: `StoredDamage` where bytes make no sense, and what `body` throws.
  static func forEach(
    in bytes: [UInt8],
    _ body: (_ device: IdentifierHash, _ user: IdentifierHash, _ moments: [Int64]) throws -> Void
  ) throws {
    var place = 0
    func word() throws(StoredDamage) -> UInt64 {
      guard place + 8 <= bytes.count else { throw StoredDamage() }
      defer { place += 8 }
      return bytes[place..<place + 8].littleEndianNumber
    }
    func varint() throws(StoredDamage) -> UInt64 {
      var value: UInt64 = 0
      for shift in stride(from: UInt64(0), to: 63, by: 7) {
        guard place < bytes.count else { throw StoredDamage() }
        let byte = bytes[place]
        place += 1
        value |= UInt64(byte & 0x7F) << shift
        if byte < 0x80 { return value }
      }
      throw StoredDamage()
    }
    var moments: [Int64] = []
    while place < bytes.count {
      let device = IdentifierHash(high: try word(), low: try word())
      let user = IdentifierHash(high: try word(), low: try word())
      let count = try varint()
      // Every moment takes a byte at least.
      guard count <= UInt64(bytes.count - place) else { throw StoredDamage() }
      moments.removeAll(keepingCapacity: true)
      var time: Int64 = 0
      for _ in 0..<count {
        time &+= Int64(bitPattern: try varint())
        moments.append(time)
      }
      try body(device, user, moments)
    }
  }
}
