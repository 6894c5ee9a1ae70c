/// Observed values with how often each was seen, in ascending order: a histogram without bins.
public struct ValueCounts: Sendable, Hashable {
  /// The distinct values, ascending.
  public let values: [Double]
  /// How many observations are at or below the value of the same index.
  let cumulative: [Int]

  /// Pairs may come in any order and repeat a value. Pairs whose count is not above zero or
  /// whose value is not finite are left out; counts whose sum would overflow are cut off there.
  public init(_ pairs: [(value: Double, count: Int)]) {
    var kept = pairs.filter { $0.count > 0 && $0.value.isFinite }
    // Histograms come in order.
    if !zip(kept, kept.dropFirst()).allSatisfy({ $0.value <= $1.value }) {
      kept.sort { $0.value < $1.value }
    }
    var values: [Double] = []
    var cumulative: [Int] = []
    values.reserveCapacity(kept.count)
    cumulative.reserveCapacity(kept.count)
    var total = 0
    for (value, count) in kept {
      let (sum, overflow) = total.addingReportingOverflow(count)
      total = overflow ? Int.max : sum
      if values.last == value {
        cumulative[cumulative.count - 1] = total
      } else {
        values.append(value)
        cumulative.append(total)
      }
    }
    self.values = values
    self.cumulative = cumulative
  }

  /// How many observations there are.
  public var total: Int { cumulative.last ?? 0 }

  /// The observation of a rank, from 1 for the smallest; the rank is held within the observations.
  /// Nil only where there are none.
  func value(atRank rank: Int) -> Double? {
    guard !values.isEmpty else { return nil }
    var low = 0
    var high = values.count - 1
    while low < high {
      let middle = (low + high) / 2
      if cumulative[middle] >= rank { high = middle } else { low = middle + 1 }
    }
    return values[low]
  }
}
