/// The distribution of a sample's durations, with straight lines between the values that were seen,
/// so that chances change smoothly with a rise.
struct DurationShape {
  private let counts: ValueCounts
  private let total: Double

  /// The sample must not be empty.
  init(_ counts: ValueCounts) {
    self.counts = counts
    total = Double(max(1, counts.total))
  }

  /// The share of durations at or below a value.
  func share(atOrBelow value: Double) -> Double {
    let values = counts.values
    guard let last = values.last, value < last else { return 1 }
    guard value > 0 else { return 0 }
    let next = first { values[$0] > value }
    let (from, below) = before(next)
    let width = values[next] - from
    let part = width > 0 ? (value - from) / width : 1
    return (below + part * (Double(counts.cumulative[next]) - below)) / total
  }

  /// The value that has this share at or below it.
  func value(at share: Double) -> Double {
    let wanted = min(1, max(0, share)) * total
    let next = min(first { Double(counts.cumulative[$0]) >= wanted }, counts.values.count - 1)
    guard next >= 0 else { return 0 }
    let (from, below) = before(next)
    let height = Double(counts.cumulative[next]) - below
    return from + (counts.values[next] - from) * (height > 0 ? (wanted - below) / height : 1)
  }

  /// Durations begin at 0.
  private func before(_ index: Int) -> (value: Double, count: Double) {
    index > 0
      ? (counts.values[index - 1], Double(counts.cumulative[index - 1]))
      : (min(0, counts.values.first ?? 0), 0)
  }

  private func first(where holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, counts.values.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
