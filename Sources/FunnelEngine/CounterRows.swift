/// Counters of the cells of a tally, one row after the other.
struct CounterRows {
  /// Counters of a row.
  let width: Int
  private(set) var count = 0
  /// A worker counts persons, and those are numbered in 32 bits.
  private var counts: [UInt32] = []

  init(width: Int) { self.width = width }

  /// The number of a new row, with zeros.
  mutating func addRow() -> Int {
    counts.append(contentsOf: repeatElement(0, count: width))
    count += 1
    return count - 1
  }

  /// Adds one to the first `listed` of some counters, in some rows.
  mutating func add(_ increments: [Int32], _ listed: Int, to rows: [Int]) {
    let width = width
    var counts = counts.mutableSpan
    for row in rows {
      let base = row * width
      for place in 0..<listed { counts[base + Int(increments[place])] &+= 1 }
    }
  }

  /// Adds one to some counters of one row.
  mutating func add(_ increments: [Int32], to row: Int) {
    let base = row * width
    for counter in increments { counts[base + Int(counter)] &+= 1 }
  }

  /// Adds a row to sums.
  func add(_ row: Int, to sums: inout [Int]) {
    for counter in sums.indices { sums[counter] += Int(counts[row * width + counter]) }
  }
}
