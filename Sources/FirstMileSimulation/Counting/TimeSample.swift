/// The times of one slice, and their percentiles.
struct TimeSample: Sendable {
  /// Of persons who never move on: longer than any time.
  static let never = Int64.max

  private(set) var milliseconds: [Int64] = []

  mutating func add(_ time: Int64) {
    // Times beyond 400 days share one bucket.
    milliseconds.append(time >= 400 * World.day ? TimeSample.never : max(0, time))
  }

  mutating func merge(_ other: TimeSample) { milliseconds += other.milliseconds }

  /// The smallest time that at least so many percent do not exceed, to three significant digits.
  func percentiles(_ percents: [Int]) -> [Int64?] {
    let sorted = milliseconds.sorted()
    return percents.map { percent in
      let rank = max(1, (percent * sorted.count + 99) / 100)
      guard rank <= sorted.count, sorted[rank - 1] != TimeSample.never else { return nil }
      return TimeSample.lowerEdge(sorted[rank - 1])
    }
  }

  /// The lower edge of the bucket of an HdrHistogram of three significant digits and units of 1 ms:
  /// from 2048 on, each doubling has 1024 buckets.
  static func lowerEdge(_ time: Int64) -> Int64 {
    guard time >= 2_048 else { return time }
    let shift = Int64(63 - time.leadingZeroBitCount - 10)
    return (time >> shift) << shift
  }
}
