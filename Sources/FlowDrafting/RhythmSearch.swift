internal import EventInput

/// Events that come as a clock does: a machine sends them, whatever they are called.
struct RhythmSearch {
  /// Gaps between a person's events of one name.
  private struct Seen {
    var people = 0
    var regular = 0
  }

  /// Fewer gaps of one person show no rhythm, and fewer people may be an accident.
  private static let leastGaps = 5
  private static let leastPeople = 3
  /// Who answers a reminder every evening comes within some tens of minutes.
  private static let mostOffMilliseconds: Int64 = 300_000

  /// Names of which nearly all people who have them often have them at equal distances.
  static func find(_ timelines: SampledTimelines) -> Set<String> {
    var seen: [String: Seen] = [:]
    for person in timelines.people {
      var times: [String: [Int64]] = [:]
      for event in person { times[event.event, default: []].append(event.timeMilliseconds) }
      for (name, times) in times where times.count > leastGaps {
        seen[name, default: Seen()].people += 1
        if isRegular(times) { seen[name, default: Seen()].regular += 1 }
      }
    }
    return Set(
      seen.filter { name, seen in
        seen.people >= leastPeople && seen.regular * 5 >= seen.people * 4
          && FlowDraft.isName(name)
      }.keys)
  }

  /// Whether four of five gaps are within a twentieth of the middle one, and within five minutes.
  private static func isRegular(_ times: [Int64]) -> Bool {
    let gaps = zip(times.dropFirst(), times).map { $0 - $1 }.sorted()
    let middle = gaps[gaps.count / 2]
    guard middle >= 1_000 else { return false }
    let most = min(middle / 20, mostOffMilliseconds)
    let near = gaps.filter { abs($0 - middle) <= most }
    return near.count * 5 >= gaps.count * 4
  }
}
