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
