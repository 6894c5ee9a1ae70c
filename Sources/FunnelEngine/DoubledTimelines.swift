/// How many persons have the timeline of another person to the second, as those do who are in the
/// exports of two tools under two ids. A timeline of ``OddPeople/leastCopies`` people or more is
/// that of a script, and not counted here.
///
/// Of all timelines those with the smallest hashes are kept, so that memory has a bound and what is
/// kept depends on no order (a bottom-k sketch: Cohen and Kaplan, PODC 2007). The share of doubles
/// among them is that of all.
struct DoubledTimelines: Sendable {
  private static let most = 8_192
  /// Persons by the hash of their timeline.
  private var counts: [UInt64: Int] = [:]
  /// Hashes above are not kept.
  private var bound = UInt64.max
  /// Persons of any hash.
  private var persons = 0

  /// What is written down: timelines by their hashes, in the order of these.
  struct Record: Codable {
    var persons: Int
    var bound: UInt64
    var hashes: [UInt64]
    var counts: [Int]
  }

  init() {}

  init(_ record: Record) {
    persons = record.persons
    bound = record.bound
    counts = Dictionary(zip(record.hashes, record.counts), uniquingKeysWith: +)
  }

  var record: Record {
    var kept = self
    kept.prune()
    let sorted = kept.counts.sorted { $0.key < $1.key }
    return Record(
      persons: persons, bound: kept.bound, hashes: sorted.map(\.key), counts: sorted.map(\.value))
  }

  mutating func add(_ hash: UInt64) {
    persons += 1
    if hash > bound { return }
    counts[hash, default: 0] += 1
    if counts.count > 2 * Self.most { prune() }
  }

  mutating func merge(_ other: DoubledTimelines) {
    persons += other.persons
    bound = min(bound, other.bound)
    for (hash, count) in other.counts { counts[hash, default: 0] += count }
    prune()
  }

  private mutating func prune() {
    if counts.count > Self.most { bound = min(bound, counts.keys.sorted()[Self.most - 1]) }
    counts = counts.filter { $0.key <= bound }
  }

  /// About how many persons there are beyond one for each timeline of few.
  var doubled: Int {
    var kept = self
    kept.prune()
    let sampled = kept.counts.values.reduce(0, +)
    let doubles = kept.counts.values.reduce(0) { $0 + ($1 < OddPeople.leastCopies ? $1 - 1 : 0) }
    return sampled == persons || sampled == 0
      ? doubles : Int((Double(doubles) / Double(sampled) * Double(persons)).rounded())
  }
}
