/// Durations counted in buckets of three significant digits; sparse, and mergeable by adding.
///
/// HdrHistogram's bucket rule with unit 1 ms and 2,048 sub-buckets: below 2,048 ms every
/// millisecond has a bucket, above it a bucket is 2^(⌊log2 v⌋ − 10) ms wide. The largest value is
/// 400 days; longer ones count there.
public struct TimeHistogram: Sendable, Hashable {
  /// Pages of 256 buckets one after the other, in the order in which they were first used.
  private var counts: [UInt32] = []
  /// For each page the place of its first bucket in `counts`; −1 where it was never used.
  private var pageStarts: [Int32] = []
  /// How many durations were recorded.
  public private(set) var count = 0

  /// The longest duration that has a bucket, 400 days; longer ones are counted there.
  public static let maximumMilliseconds: Int64 = 400 * 86_400_000
  private static let pageSize = 256

  /// A histogram without durations.
  public init() {}

  /// Counts one duration; negative ones count as 0.
  public mutating func record(_ milliseconds: Int64) { record(milliseconds, count: 1) }

  /// Counts `count` durations of one length.
  public mutating func record(_ milliseconds: Int64, count added: Int) {
    let bucket = TimeHistogram.bucket(of: milliseconds)
    let page = bucket / TimeHistogram.pageSize
    if page >= pageStarts.count || pageStarts[page] < 0 { addPage(page) }
    counts[Int(pageStarts[page]) + bucket % TimeHistogram.pageSize] += UInt32(clamping: added)
    count += added
  }

  /// Counts one duration in each of some buckets.
  mutating func record(buckets: ArraySlice<UInt16>) {
    // First the pages, so that nothing but counting is left for the second pass: its reads of
    // memory then wait side by side.
    for bucket in buckets {
      let page = Int(bucket) / TimeHistogram.pageSize
      if page >= pageStarts.count || pageStarts[page] < 0 { addPage(page) }
    }
    let pageStarts = pageStarts
    var counts = counts.mutableSpan
    for bucket in buckets {
      let start = Int(pageStarts[Int(bucket) / TimeHistogram.pageSize])
      counts[start + Int(bucket) % TimeHistogram.pageSize] &+= 1
    }
    count += buckets.count
  }

  private mutating func addPage(_ page: Int) {
    while pageStarts.count <= page { pageStarts.append(-1) }
    pageStarts[page] = Int32(counts.count)
    counts.append(contentsOf: repeatElement(0, count: TimeHistogram.pageSize))
  }

  /// Adds the durations of another histogram, bucket by bucket.
  public mutating func merge(_ other: TimeHistogram) {
    for (page, start) in other.pageStarts.enumerated() where start >= 0 {
      if page >= pageStarts.count || pageStarts[page] < 0 { addPage(page) }
      let (own, start) = (Int(pageStarts[page]), Int(start))
      let added = other.counts.span
      var sums = counts.mutableSpan
      for index in 0..<TimeHistogram.pageSize { sums[own + index] &+= added[start + index] }
    }
    count += other.count
  }

  /// The non-empty buckets by lower edge in milliseconds, smallest first, with their counts.
  public var buckets: [(lowerEdgeMilliseconds: Int64, count: Int)] {
    // With these labels: an array of others would be cast element by element.
    var result: [(lowerEdgeMilliseconds: Int64, count: Int)] = []
    forEachBucket { bucket, count in
      result.append((TimeHistogram.lowerEdge(of: bucket), count))
      return true
    }
    return result
  }

  /// The lower edge, in milliseconds, of the bucket that holds the ⌈p/100 × n⌉-th smallest value
  /// (nearest rank, at least the first); `nil` when empty.
  public func percentile(_ percent: Int) -> Int64? { percentiles([percent]).first }

  /// Several percentiles as above, in ascending order; none when empty.
  public func percentiles(_ percents: [Int]) -> [Int64] {
    guard count > 0 else { return [] }
    let ranks = percents.map { max(1, (count * $0 + 99) / 100) }
    var seen = 0
    var found: [Int64] = []
    forEachBucket { bucket, count in
      seen += count
      while found.count < ranks.count, seen >= ranks[found.count] {
        found.append(TimeHistogram.lowerEdge(of: bucket))
      }
      return found.count < ranks.count
    }
    return found
  }

  /// The percentiles over everyone, where people who never do it are recorded as
  /// ``maximumMilliseconds``; `nil` where fewer than the share ever do it.
  public func percentilesOfAll(_ percents: [Int]) -> [Int64?] {
    let never = TimeHistogram.lowerEdge(around: TimeHistogram.maximumMilliseconds)
    return percentiles(percents).map { $0 == never ? nil : $0 }
  }

  /// Calls `body` with the non-empty buckets, smallest first, until it returns false.
  private func forEachBucket(_ body: (_ bucket: Int, _ count: Int) -> Bool) {
    for (page, start) in pageStarts.enumerated() where start >= 0 {
      for index in 0..<TimeHistogram.pageSize {
        let count = counts[Int(start) + index]
        if count > 0, !body(page * TimeHistogram.pageSize + index, Int(count)) { return }
      }
    }
  }

  /// The lower edge of the bucket that a duration falls into.
  public static func lowerEdge(around milliseconds: Int64) -> Int64 {
    lowerEdge(of: bucket(of: milliseconds))
  }

  /// The bucket of a duration.
  static func bucket(of milliseconds: Int64) -> Int {
    HistogramBuckets.bucket(of: min(max(milliseconds, 0), maximumMilliseconds))
  }

  /// The smallest duration of a bucket.
  static func lowerEdge(of bucket: Int) -> Int64 { HistogramBuckets.lowerEdge(of: bucket) }

  /// Whether all buckets have equal counts, in whatever order pages were first used.
  public static func == (left: TimeHistogram, right: TimeHistogram) -> Bool {
    left.count == right.count && left.buckets.elementsEqual(right.buckets) { $0 == $1 }
  }

  /// Takes the number of durations only: equal histograms may have their pages in another order.
  public func hash(into hasher: inout Hasher) { hasher.combine(count) }
}
