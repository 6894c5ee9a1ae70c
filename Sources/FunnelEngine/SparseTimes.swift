/// Durations of few people: the counts of a ``TimeHistogram``'s buckets, without its pages.
public struct SparseTimes: Sendable, Hashable {
  private var counts: [UInt16: Int] = [:]
  /// How many durations were recorded.
  public private(set) var count = 0

  /// No durations.
  public init() {}

  /// Buckets and their counts, smallest first.
  var buckets: [(bucket: Int, count: Int)] {
    counts.sorted { $0.key < $1.key }.map { (Int($0.key), $0.value) }
  }

  mutating func record(bucket: UInt16, count added: Int) {
    counts[bucket, default: 0] += added
    count += added
  }

  /// Adds the durations of other people.
  public mutating func merge(_ other: SparseTimes) {
    counts.merge(other.counts) { $0 + $1 }
    count += other.count
  }

  /// As ``TimeHistogram/percentile(_:)``.
  public func percentile(_ percent: Int) -> Int64? {
    let rank = max(1, (count * percent + 99) / 100)
    var seen = 0
    for (bucket, count) in counts.sorted(by: { $0.key < $1.key }) {
      seen += count
      if seen >= rank { return TimeHistogram.lowerEdge(of: Int(bucket)) }
    }
    return nil
  }
}
