/// Times from one moment of a funnel to another: all of them while they are few, and a histogram of
/// three significant digits beyond that.
public struct FunnelTimes: Sendable, Hashable {
  /// Fewer times than these are kept one by one.
  public static let exactLimit = 10_000

  private var histogram = TimeHistogram()
  /// `nil` where there are too many.
  private var each: [Int64]? = []
  /// Of all times, in milliseconds.
  private var sum: Int64 = 0

  /// How many times were recorded.
  public var count: Int { histogram.count }

  /// Whether percentiles and counts are of the times themselves.
  public var isExact: Bool { each != nil }

  /// The mean of all times, exact however many there are; `nil` without any.
  public var meanMilliseconds: Double? { count == 0 ? nil : Double(sum) / Double(count) }

  mutating func record(_ milliseconds: Int64) {
    histogram.record(milliseconds)
    add(milliseconds)
    each?.append(milliseconds)
    dropEach()
  }

  mutating func merge(_ other: FunnelTimes) {
    histogram.merge(other.histogram)
    add(other.sum)
    if let others = other.each { each?.append(contentsOf: others) } else { each = nil }
    dropEach()
  }

  /// A sum of more than any count of years stays there.
  private mutating func add(_ milliseconds: Int64) {
    let (total, overflows) = sum.addingReportingOverflow(milliseconds)
    sum = overflows ? .max : total
  }

  private mutating func dropEach() {
    if (each?.count ?? 0) >= Self.exactLimit { each = nil }
  }

  /// The ⌈p/100 × n⌉-th smallest time (nearest rank, at least the first) in milliseconds, or the
  /// lower edge of its bucket; `nil` when empty.
  public func percentile(_ percent: Int) -> Int64? {
    guard let each, !each.isEmpty else { return histogram.percentile(percent) }
    return each.sorted()[max(1, (each.count * percent + 99) / 100) - 1]
  }

  /// How many times are below the first edge, from each edge to the next, and from the last on.
  ///
  /// - Parameter edges: in milliseconds, ascending.
  public func counts(between edges: [Int64]) -> [Int] {
    var counts = Array(repeating: 0, count: edges.count + 1)
    func add(_ time: Int64, _ count: Int) {
      counts[edges.firstIndex { time < $0 } ?? edges.count] += count
    }
    if let each {
      for time in each { add(time, 1) }
    } else {
      for bucket in histogram.buckets { add(bucket.lowerEdgeMilliseconds, bucket.count) }
    }
    return counts
  }

  /// Whether both hold the same times, in whatever order they were recorded.
  public static func == (left: FunnelTimes, right: FunnelTimes) -> Bool {
    left.histogram == right.histogram && left.sum == right.sum
      && left.each?.sorted() == right.each?.sorted()
  }

  /// Takes the sum of the times only: it does not depend on their order.
  public func hash(into hasher: inout Hasher) { hasher.combine(sum) }
}
