/// The moment up to which the data is taken to be complete (SPEC 6).
public enum Horizon {
  private static let dayMilliseconds: Int64 = 86_400_000
  private static let personsNeeded = 3

  /// The latest fact time T such that at least 3 persons have facts in (T − 24 h, T]; the latest
  /// fact time if there is no such T; `nil` without facts.
  public static func latestComplete(_ partitions: [TimelinePartition]) -> Int64? {
    let top = topTimes(partitions)
    guard let latest = top.first else { return nil }
    // The usual case: the three persons seen last were seen within one day.
    if top.count == personsNeeded && top[0] - top[personsNeeded - 1] < dayMilliseconds {
      return latest
    }
    return slowly(partitions) ?? latest
  }

  /// The last moments of the persons seen last, latest first, at most three.
  private static func topTimes(_ partitions: [TimelinePartition]) -> [Int64] {
    var top: [Int64] = []
    for partition in partitions {
      for person in 0..<partition.personCount {
        let last = partition.facts[partition.starts[person + 1] - 1].timeMilliseconds
        if top.count == personsNeeded && last <= top[personsNeeded - 1] { continue }
        top.append(last)
        top.sort(by: >)
        if top.count > personsNeeded { top.removeLast() }
      }
    }
    return top
  }

  private static func slowly(_ partitions: [TimelinePartition]) -> Int64? {
    var all: [(time: Int64, person: Int)] = []
    var person = 0
    for partition in partitions {
      for own in 0..<partition.personCount {
        for index in partition.starts[own]..<partition.starts[own + 1] {
          all.append((partition.facts[index].timeMilliseconds, person))
        }
        person += 1
      }
    }
    all.sort { $0.time > $1.time }
    var inWindow: [Int: Int] = [:]
    var end = 0
    for start in all.indices {
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
