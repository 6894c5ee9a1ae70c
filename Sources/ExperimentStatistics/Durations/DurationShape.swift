/// The distribution of a sample's durations, with straight lines between the values that were seen,
/// so that chances change smoothly with a rise.
///
/// The i-th of n is taken for the quantile of i / (n + 1), the mean of its place (David and
/// Nagaraja, Order Statistics, 2003, section 2.3). What lies above the longest duration is spread
/// over half of it.
struct DurationShape {
  /// The values, and how many lie at or below each; one more than was seen for what is above.
  private let values: [Double]
  private let cumulative: [Double]
  private let total: Double

  /// The sample must not be empty.
  init(_ counts: ValueCounts) {
    let last = counts.values.last ?? 0
    values = counts.values + [max(1.5 * last, last + 1e-3)]
    cumulative = counts.cumulative.map(Double.init) + [Double(counts.total) + 1]
    total = Double(counts.total) + 1
  }

  /// The share of durations at or below a value.
  func share(atOrBelow value: Double) -> Double {
    guard let last = values.last, value < last else { return 1 }
    guard value > 0 else { return 0 }
    let next = first { values[$0] > value }
    let (from, below) = before(next)
    let width = values[next] - from
    let part = width > 0 ? (value - from) / width : 1
    return (below + part * (cumulative[next] - below)) / total
  }

  /// The value that has this share at or below it.
  func value(at share: Double) -> Double {
    let wanted = min(1, max(0, share)) * total
    let next = min(first { cumulative[$0] >= wanted }, values.count - 1)
    let (from, below) = before(next)
    let height = cumulative[next] - below
    return from + (values[next] - from) * (height > 0 ? (wanted - below) / height : 1)
  }

  /// The share of durations above what becomes of the value that has a share at or below it.
  ///
  /// Between the two values lie some durations, and the moved value falls into a gap between
  /// neighbours. Longer gaps are met more often, so a straight line across it counts half a
  /// duration too much between the values, and less of one where both lie in one gap.
  func shareAbove(_ share: Double, moved: (Double) -> Double) -> Double {
    let place = min(1, max(0, share)) * total
    let found = self.share(atOrBelow: moved(value(at: share))) * total
    let distance = (place - found).magnitude
    let lifted = distance < 1 ? distance - distance * distance / 2 : distance - 0.5
    // Of those on one side of the first value, which is itself one of them.
    let side = max(1, place < found ? total - place : place)
    let between = (place < found ? -lifted : lifted) * (1 + min(1, distance) / side)
    return min(1, max(0, 1 - (place - between) / total))
  }

  /// Durations begin at 0.
  private func before(_ index: Int) -> (value: Double, count: Double) {
    index > 0 ? (values[index - 1], cumulative[index - 1]) : (min(0, values.first ?? 0), 0)
  }

  private func first(where holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, values.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
