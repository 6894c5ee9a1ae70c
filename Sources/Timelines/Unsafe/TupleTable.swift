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
  /// Two for four words of a row, so an even number.
  private let numbers: [UInt64]

  init(width: Int, capacity: Int) {
    self.width = width
    self.capacity = capacity
    rowWidth = (width + 3) & ~3
    buckets = Array(repeating: .max, count: 256)
    mask = 255
    numbers = TupleTable.makeNumbers(rowWidth / 2)
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
    let (mask, rowWidth) = (mask, rowWidth)
    unsafe buckets.withUnsafeBufferPointer { buckets in
      unsafe numbers.withUnsafeBufferPointer { numbers in
        for index in codes.indices {
          let row = unsafe UnsafeRawPointer(rows + index &* stride)
          unsafe codes[index] = buckets[Self.hash(row, numbers) & mask]
        }
      }
    }
    unsafe self.rows.withUnsafeBytes { known in
      guard let known = known.baseAddress else { return }
      for index in codes.indices where unsafe codes[index] != .max {
        let row = unsafe UnsafeRawPointer(rows + index &* stride)
        let own = unsafe known + Int(codes[index]) &* rowWidth &* 4
        if unsafe !Self.areEqual(own, row, rowWidth) { unsafe codes[index] = .max }
      }
    }
    for index in codes.indices where unsafe codes[index] == .max {
      unsafe codes[index] = code(ofRow: UnsafeRawPointer(rows + index &* stride))
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
      guard let start = rows.baseAddress else { return false }
      return unsafe Self.areEqual(start + Int(code) &* rowWidth &* 4, row, rowWidth)
    }
  }

  @inline(__always)
  private static func areEqual(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ rowWidth: Int
  ) -> Bool {
    var difference = SIMD4<UInt32>.zero
    var offset = 0
    while offset < rowWidth &* 4 {
      unsafe difference |=
        left.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt32>.self)
        ^ right.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt32>.self)
      offset &+= 16
    }
    return difference == .zero
  }

  @inline(__always)
  private func hash(_ row: UnsafeRawPointer) -> Int {
    unsafe numbers.withUnsafeBufferPointer { unsafe Self.hash(row, $0) }
  }

  /// One multiplication for four values: two times the next two, each with a number of their own,
  /// and what came before among them. Many rows are hashed at once, so it is no matter that the
  /// products of one wait for each other.
  @inline(__always)
  private static func hash(
    _ row: UnsafeRawPointer, _ numbers: UnsafeBufferPointer<UInt64>
  ) -> Int {
    var mixed: UInt64 = 0
    var index = 0
    while index < numbers.count {
      let first = unsafe row.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self)
      let second = unsafe row.loadUnaligned(fromByteOffset: index &* 8 &+ 8, as: UInt64.self)
      let product = unsafe (first ^ numbers[index] ^ mixed)
        .multipliedFullWidth(by: second ^ numbers[index &+ 1])
      mixed = product.high ^ product.low
      index &+= 2
    }
    return Int(truncatingIfNeeded: mixed >> 32)
  }

  /// Odd numbers without a pattern: the sequence of splitmix64 (Steele, Lea, Flood 2014).
  private static func makeNumbers(_ count: Int) -> [UInt64] {
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
