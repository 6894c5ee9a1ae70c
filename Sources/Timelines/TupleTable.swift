/// Tuples of codes as one code: how an action or a context becomes four bytes.
///
/// Codes are given in order of appearance, so they mean something only within one table; tables of
/// several workers are united by `FactTables`.
struct TupleTable: Sendable {
  let width: Int
  private(set) var count = 0
  private(set) var values: [UInt32] = []
  private var buckets: [UInt32]
  private var mask: Int

  init(width: Int) {
    self.width = width
    buckets = Array(repeating: .max, count: 256)
    mask = 255
  }

  /// The code of the tuple in `tuple`, which has `width` elements.
  mutating func code(of tuple: UnsafeBufferPointer<UInt32>) -> UInt32 {
    var position = TupleTable.hash(tuple) & mask
    while true {
      let code = buckets[position]
      if code == .max { break }
      if matches(code, tuple) { return code }
      position = (position + 1) & mask
    }
    let code = UInt32(truncatingIfNeeded: count)
    values.append(contentsOf: tuple)
    count += 1
    buckets[position] = code
    if count * 2 > buckets.count { grow() }
    return code
  }

  func tuple(_ code: UInt32) -> ArraySlice<UInt32> {
    values[(Int(code) * width)..<(Int(code) * width + width)]
  }

  private func matches(_ code: UInt32, _ tuple: UnsafeBufferPointer<UInt32>) -> Bool {
    let start = Int(code) * width
    return values.withUnsafeBufferPointer { values in
      var difference: UInt32 = 0
      for index in 0..<width { difference |= values[start + index] ^ tuple[index] }
      return difference == 0
    }
  }

  private static func hash(_ tuple: UnsafeBufferPointer<UInt32>) -> Int {
    // Two chains, so that one multiplication need not wait for the other.
    var even: UInt64 = 0x9E37_79B9_7F4A_7C15
    var odd: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    var index = 0
    while index + 1 < tuple.count {
      even = (even ^ UInt64(tuple[index])) &* 0xFF51_AFD7_ED55_8CCD
      odd = (odd ^ UInt64(tuple[index + 1])) &* 0xC4CE_B9FE_1A85_EC53
      even ^= even >> 29
      odd ^= odd >> 31
      index += 2
    }
    if index < tuple.count { even = (even ^ UInt64(tuple[index])) &* 0xFF51_AFD7_ED55_8CCD }
    let hash = (even ^ (odd << 32 | odd >> 32)) &* 0x9FB2_1C65_1E98_DF25
    return Int(truncatingIfNeeded: hash >> 16)
  }

  private mutating func grow() {
    mask = buckets.count * 2 - 1
    buckets = Array(repeating: .max, count: mask + 1)
    values.withUnsafeBufferPointer { all in
      for code in 0..<count {
        let tuple = UnsafeBufferPointer(rebasing: all[(code * width)..<(code * width + width)])
        var position = TupleTable.hash(tuple) & mask
        while buckets[position] != .max { position = (position + 1) & mask }
        buckets[position] = UInt32(truncatingIfNeeded: code)
      }
    }
  }
}
