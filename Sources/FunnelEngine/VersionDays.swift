/// What those who started with each version of the flow did, by the day on which they started: the
/// counters of the rates that experiments show.
public struct VersionDays: Sendable {
  struct Key: Hashable {
    var version: String
    /// Since 1970-01-01.
    var day: Int
  }

  let columns: ClusterColumns
  private(set) var counts: [Key: [Int]] = [:]

  init(_ layout: CounterLayout) { columns = ClusterColumns(layout) }

  /// Adds people; versions that read alike, such as several `(other)`, are one.
  mutating func add(_ key: Key, _ more: [Int]) {
    guard var sums = counts.removeValue(forKey: key) else {
      counts[key] = more
      return
    }
    for place in sums.indices { sums[place] += more[place] }
    counts[key] = sums
  }

  /// Adds the people of another tally of the same flow.
  mutating func merge(_ other: VersionDays) {
    for (key, more) in other.counts { add(key, more) }
  }

  /// A rate of a version by the day of entry, since 1970-01-01; of days on which somebody has it.
  ///
  /// - Parameters:
  ///   - numerators: counters of the layout that are added up above the line.
  ///   - denominator: the counter below the line.
  public func rate(
    _ numerators: [Int], among denominator: Int, of version: String
  ) -> [Int: (successes: Int, trials: Int)] {
    let above = numerators.map(columns.place)
    let below = columns.place(denominator)
    guard below >= 0, !above.contains(-1) else { return [:] }
    var days: [Int: (successes: Int, trials: Int)] = [:]
    for (key, counts) in counts where key.version == version && counts[below] > 0 {
      days[key.day] = (above.reduce(0) { $0 + counts[$1] }, counts[below])
    }
    return days
  }
}
