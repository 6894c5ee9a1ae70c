/// Durations of many histograms, counted many at a time.
///
/// All histograms together are larger than the caches, and durations come one for each in turn. So
/// they are noted, and a histogram is brought into the caches for some hundreds at once.
struct TimeRecorder {
  private var histograms: [TimeHistogram] = []
  /// Buckets noted and not yet counted, `batch` places for each histogram.
  private var noted: [UInt16] = []
  /// For each histogram how many are noted.
  private var notedCounts: [UInt16] = []

  private static let batch = 512
  /// So many histograms have places for notes, 1 KB each. There are more only where the data has
  /// very many groups, and then each of them has few persons.
  private static let noting = 4096

  /// Makes some more histograms; they are numbered on from those there are.
  mutating func addHistograms(_ count: Int) {
    histograms.append(contentsOf: repeatElement(TimeHistogram(), count: count))
    let places = min(histograms.count, TimeRecorder.noting) - notedCounts.count
    noted.append(contentsOf: repeatElement(0, count: places * TimeRecorder.batch))
    notedCounts.append(contentsOf: repeatElement(0, count: places))
  }

  mutating func record(_ milliseconds: Int64, in histogram: Int) {
    guard histogram < notedCounts.count else { return histograms[histogram].record(milliseconds) }
    let place = Int(notedCounts[histogram])
    // There are fewer than 2^15 buckets.
    noted[histogram * TimeRecorder.batch + place] = UInt16(
      truncatingIfNeeded: TimeHistogram.bucket(of: milliseconds))
    notedCounts[histogram] = UInt16(truncatingIfNeeded: place + 1)
    if place + 1 == TimeRecorder.batch { count(histogram) }
  }

  /// Counts what is noted, and gives all histograms away.
  mutating func finish() -> [TimeHistogram] {
    for histogram in notedCounts.indices { count(histogram) }
    defer { self = TimeRecorder() }
    return histograms
  }

  private mutating func count(_ histogram: Int) {
    let start = histogram * TimeRecorder.batch
    histograms[histogram].record(
      buckets: noted[start..<(start + Int(notedCounts[histogram]))])
    notedCounts[histogram] = 0
  }
}
