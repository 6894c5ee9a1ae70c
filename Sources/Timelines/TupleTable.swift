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
  private let multipliers: [UInt32]

  init(width: Int) {
    self.width = width
    buckets = Array(repeating: .max, count: 256)
    mask = 255
    multipliers = TupleTable.makeMultipliers(width)
  }

  /// The code of the tuple in `tuple`, which has `width` elements.
  mutating func code(of tuple: UnsafeBufferPointer<UInt32>) -> UInt32 {
    var position = hash(tuple) & mask
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

  /// The codes of many tuples at once, which lie `stride` elements apart.
  ///
  /// A table of many tuples lies outside the nearest cache. Loads that do not wait for each other
  /// overlap: the buckets of all tuples are read first, and only then the tuples they name.
  mutating func codes(
    of tuples: UnsafeBufferPointer<UInt32>, stride: Int,
    into codes: UnsafeMutableBufferPointer<UInt32>
  ) {
    func tuple(_ index: Int) -> UnsafeBufferPointer<UInt32> {
      UnsafeBufferPointer(rebasing: tuples[(index * stride)..<(index * stride + width)])
    }
    buckets.withUnsafeBufferPointer { buckets in
      for index in codes.indices { codes[index] = buckets[hash(tuple(index)) & mask] }
    }
    for index in codes.indices {
      let own = tuple(index)
      if codes[index] == .max || !matches(codes[index], own) { codes[index] = code(of: own) }
    }
  }

  func tuple(_ code: UInt32) -> ArraySlice<UInt32> {
    values[(Int(code) * width)..<(Int(code) * width + width)]
  }

  @inline(__always)
  private func matches(_ code: UInt32, _ tuple: UnsafeBufferPointer<UInt32>) -> Bool {
    let start = Int(code) * width
    return values.withUnsafeBufferPointer { values in
      var difference: UInt32 = 0
      for index in 0..<width { difference |= values[start + index] ^ tuple[index] }
      return difference == 0
    }
  }

  /// Multilinear hashing: every value times an odd number of its own, all added up, so that no
  /// multiplication waits for another; one more brings what differs to the upper bits.
  @inline(__always)
  private func hash(_ tuple: UnsafeBufferPointer<UInt32>) -> Int {
    multipliers.withUnsafeBufferPointer { multipliers in
      var sum: UInt64 = 0
      for index in 0..<width { sum &+= UInt64(tuple[index]) &* UInt64(multipliers[index]) }
      return Int(truncatingIfNeeded: (sum &* 0x9E37_79B9_7F4A_7C15) >> 32)
    }
  }

  /// Odd numbers without a pattern: the sequence of splitmix64 (Steele, Lea, Flood 2014).
  private static func makeMultipliers(_ count: Int) -> [UInt32] {
    var state: UInt64 = 0
    return (0..<count).map { _ in
      state &+= 0x9E37_79B9_7F4A_7C15
      var word = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
      word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
      return UInt32(truncatingIfNeeded: word >> 32 ^ word) | 1
    }
  }

  private mutating func grow() {
    mask = buckets.count * 2 - 1
    buckets = Array(repeating: .max, count: mask + 1)
    values.withUnsafeBufferPointer { all in
      for code in 0..<count {
        let tuple = UnsafeBufferPointer(rebasing: all[(code * width)..<(code * width + width)])
        var position = hash(tuple) & mask
        while buckets[position] != .max { position = (position + 1) & mask }
        buckets[position] = UInt32(truncatingIfNeeded: code)
      }
    }
  }
}
