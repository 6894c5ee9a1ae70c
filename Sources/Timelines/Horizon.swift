internal import EventInput

/// The moment up to which the data is taken to be complete (SPEC 6).
public enum Horizon {
  private static let dayMilliseconds: Int64 = 86_400_000
  private static let personsNeeded = 3
  /// So many last moments are kept with the timelines: enough for the usual wrong clocks.
  static let momentsKept = 64

  /// The latest fact time T such that at least 3 persons have facts in (T − 24 h, T]; the latest
  /// fact time if there is no such T; `nil` without facts.
  ///
  /// - Throws: what reading timelines back from disk met.
  public static func latestComplete(_ timelines: Timelines) throws(SpillError) -> Int64? {
    let top = try timelines.latestMoments()
    guard let latest = top.first else { return nil }
    // The usual case: the three persons seen last were seen within one day.
    if top.count >= personsNeeded && top[0] - top[personsNeeded - 1] < dayMilliseconds {
      return latest
    }
    return try slowly(timelines) ?? latest
  }

  /// The last moments of a partition's persons, as many as `latestComplete` asks for at first.
  static func latestMoments(_ partition: TimelinePartition) -> [Int64] {
    var top = LatestMoments(count: momentsKept)
    collect(partition, into: &top)
    return top.finish()
  }

  /// The same of all persons whose facts were not gathered yet.
  static func latestMoments(
    of gatherer: any PartitionGathering, count: Int = momentsKept
  ) throws(SpillError) -> [Int64] {
    var floor = Int64.min
    var last: [IdentifierHash: Int64] = [:]
    try gatherer.forEachLastMoment { key, moment in
      guard moment > floor else { return }
      last[key] = max(last[key] ?? moment, moment)
      if last.count < 4 * count { return }
      let kept = last.sorted { $0.value > $1.value }.prefix(count)
      floor = kept.last?.value ?? floor
      last = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }
    return Array(last.values.sorted(by: >).prefix(count))
  }

  /// The latest of all partitions' latest moments.
  static func latestMoments(of parts: [[Int64]]) -> [Int64] {
    Array(parts.flatMap { $0 }.sorted(by: >).prefix(momentsKept))
  }

  /// The last moments of the persons seen last, latest first, at most `count`.
  private static func topTimes(
    _ timelines: Timelines, count: Int
  ) throws(SpillError) -> [Int64] {
    if case .collected(let facts) = timelines.store {
      return try facts.latestMoments(count: count)
    }
    var top = LatestMoments(count: count)
    for index in 0..<timelines.partitionCount {
      collect(try timelines.partition(index), into: &top)
    }
    return top.finish()
  }

  private static func collect(_ partition: TimelinePartition, into top: inout LatestMoments) {
    for person in 0..<partition.personCount {
      top.add(partition.facts[partition.starts[person + 1] - 1].timeMilliseconds)
    }
  }

  /// Looks at the facts of the last days before the `outliers`-th person was last seen, then at
  /// ever more: a few wrong clocks need no look at everything.
  private static func slowly(_ timelines: Timelines) throws(SpillError) -> Int64? {
    var outliers = momentsKept
    while true {
      let isKept = outliers == momentsKept
      let top = isKept ? try timelines.latestMoments() : try topTimes(timelines, count: outliers)
      let isAll = top.count < outliers
      let cutoff = isAll ? Int64.min : (top.last ?? 0) - 2 * dayMilliseconds
      let latest = try facts(timelines, after: cutoff)
      if let found = search(latest, after: cutoff) { return found }
      if isAll { return nil }
      outliers *= 32
    }
  }

  private static func facts(
    _ timelines: Timelines, after cutoff: Int64
  ) throws(SpillError) -> [(time: Int64, person: Int)] {
    // Nothing is gathered for the few facts that are looked at.
    if case .collected(let facts) = timelines.store {
      return try facts.facts(after: cutoff).sorted { $0.time > $1.time }
    }
    var found: [(time: Int64, person: Int)] = []
    var person = 0
    for index in 0..<timelines.partitionCount {
      let partition = try timelines.partition(index)
      for own in 0..<partition.personCount {
        var index = partition.starts[own + 1] - 1
        while index >= partition.starts[own] {
          let time = partition.facts[index].timeMilliseconds
          if time <= cutoff { break }
          found.append((time, person))
          index -= 1
        }
        person += 1
      }
    }
    return found.sorted { $0.time > $1.time }
  }

  /// The latest moment among `all`, latest first, that has enough persons in the day up to it; only
  /// moments whose whole day lies after the cutoff are told.
  private static func search(
    _ all: [(time: Int64, person: Int)], after cutoff: Int64
  ) -> Int64? {
    var inWindow: [Int: Int] = [:]
    var end = 0
    for start in all.indices {
      if cutoff > .min && all[start].time - dayMilliseconds < cutoff { return nil }
      while end < all.count && all[start].time - all[end].time < dayMilliseconds {
        inWindow[all[end].person, default: 0] += 1
        end += 1
      }
      if inWindow.count >= personsNeeded { return all[start].time }
      inWindow[all[start].person, default: 1] -= 1
      if inWindow[all[start].person] == 0 { inWindow[all[start].person] = nil }
    }
    return nil
  }
}
