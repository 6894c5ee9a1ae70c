/// Tuples of codes as one code: how an action or a context becomes four bytes.
///
/// Codes are given in order of appearance, so they mean something only within one table; tables of
/// several workers are united by `FactTables`.
///
/// A tuple is kept as a row of a multiple of four words, zeros behind its values: so rows are
/// hashed two words and compared four words at a time.
///
/// The first code is that of no values. A tuple for which there is no more room gets it, too.
///
/// Invariants: `rows` holds `count` rows of `rowWidth` words, at most `capacity`. Callers pass
/// rows of `rowWidth` words.
struct TupleTable: Sendable {
  let width: Int
  /// How many words a row has: those of a tuple, and zeros.
  let rowWidth: Int
  private(set) var count = 0
  /// How often a tuple was looked up that has no place.
  private(set) var misses = 0
  private let capacity: Int
  private var rows: [UInt32] = []
  private var buckets: [UInt32]
  private var mask: Int
  /// Two for four words of a row.
  private let multipliers: [UInt64]

  init(width: Int, capacity: Int) {
    self.width = width
    self.capacity = capacity
    rowWidth = (width + 3) & ~3
    buckets = Array(repeating: .max, count: 256)
    mask = 255
    multipliers = TupleTable.makeMultipliers(rowWidth / 2)
    let none = [UInt32](repeating: 0, count: width)
    _ = unsafe none.withUnsafeBufferPointer { unsafe code(of: $0) }
  }

  static func ofActions(width: Int) -> TupleTable {
    TupleTable(width: width, capacity: Fact.maximumActions)
  }

  static func ofContexts(width: Int) -> TupleTable {
    TupleTable(width: width, capacity: Fact.maximumContexts)
  }

  /// The code of the tuple in `tuple`, which has `width` elements.
  mutating func code(of tuple: UnsafeBufferPointer<UInt32>) -> UInt32 {
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: max(1, rowWidth)) { row in
      unsafe row.initialize(repeating: 0)
      for place in 0..<min(width, tuple.count) { unsafe row[place] = tuple[place] }
      guard let start = row.baseAddress else { return 0 }
      return unsafe code(ofRow: UnsafeRawPointer(start))
    }
  }

  private mutating func code(ofRow row: UnsafeRawPointer) -> UInt32 {
    var position = unsafe hash(row) & mask
    while true {
      let code = buckets[position]
      if code == .max { break }
      if unsafe matches(code, row) { return code }
      position = (position + 1) & mask
    }
    if count == capacity {
      misses += 1
      return Fact.withoutPlace
    }
    let code = UInt32(truncatingIfNeeded: count)
    unsafe rows.append(
      contentsOf: UnsafeBufferPointer(
        start: row.assumingMemoryBound(to: UInt32.self), count: rowWidth))
    count += 1
    buckets[position] = code
    if count * 2 > buckets.count { grow() }
    return code
  }

  /// The codes of many rows at once, which begin `stride` words apart.
  ///
  /// A table of many tuples lies outside the nearest cache. Loads that do not wait for each other
  /// overlap: the buckets of all rows are read first, and only then the rows they name.
  mutating func codes(
    ofRows rows: UnsafePointer<UInt32>, stride: Int,
    into codes: UnsafeMutableBufferPointer<UInt32>
  ) {
    unsafe buckets.withUnsafeBufferPointer { buckets in
      for index in codes.indices {
        unsafe codes[index] = buckets[hash(UnsafeRawPointer(rows + index &* stride)) & mask]
      }
    }
    for index in codes.indices {
      let row = unsafe UnsafeRawPointer(rows + index &* stride)
      if unsafe codes[index] == .max || !matches(codes[index], row) {
        unsafe codes[index] = code(ofRow: row)
      }
    }
  }

  func tuple(_ code: UInt32) -> ArraySlice<UInt32> {
    rows[(Int(code) * rowWidth)..<(Int(code) * rowWidth + width)]
  }

  /// One value of a tuple.
  func value(_ code: Int, at place: Int) -> UInt32 { rows[code * rowWidth + place] }

  /// All tuples, one behind the other.
  var values: [UInt32] {
    (0..<count).flatMap { tuple(UInt32(truncatingIfNeeded: $0)) }
  }

  @inline(__always)
  private func matches(_ code: UInt32, _ row: UnsafeRawPointer) -> Bool {
    unsafe rows.withUnsafeBytes { rows in
      let start = Int(code) &* rowWidth &* 4
      var difference = SIMD4<UInt32>.zero
      for offset in Swift.stride(from: 0, to: rowWidth &* 4, by: 16) {
        unsafe difference |=
          rows.loadUnaligned(fromByteOffset: start &+ offset, as: SIMD4<UInt32>.self)
          ^ row.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt32>.self)
      }
      return difference == .zero
    }
  }

  /// Multilinear hashing: every two values times an odd number of their own, all added up, so that
  /// no multiplication waits for another; one more brings what differs to the upper bits.
  @inline(__always)
  private func hash(_ row: UnsafeRawPointer) -> Int {
    unsafe multipliers.withUnsafeBufferPointer { multipliers in
      var sum: UInt64 = 0
      for index in multipliers.indices {
        unsafe sum &+=
          row.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self) &* multipliers[index]
      }
      return Int(truncatingIfNeeded: (sum &* 0x9E37_79B9_7F4A_7C15) >> 32)
    }
  }

  /// Odd numbers without a pattern: the sequence of splitmix64 (Steele, Lea, Flood 2014).
  private static func makeMultipliers(_ count: Int) -> [UInt64] {
    var state: UInt64 = 0
    return (0..<count).map { _ in
      state &+= 0x9E37_79B9_7F4A_7C15
      var word = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
      word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
      return (word ^ word >> 31) | 1
    }
  }

  private mutating func grow() {
    mask = buckets.count * 2 - 1
    buckets = Array(repeating: .max, count: mask + 1)
    unsafe rows.withUnsafeBytes { all in
      guard let start = all.baseAddress else { return }
      for code in 0..<count {
        var position = unsafe hash(start + code * rowWidth * 4) & mask
        while buckets[position] != .max { position = (position + 1) & mask }
        buckets[position] = UInt32(truncatingIfNeeded: code)
      }
    }
  }
}
