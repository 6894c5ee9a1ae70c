internal import EventInput
internal import Timelines

/// Finds what may be the real end of an onboarding: an event that people have once, but days after
/// the start, as an approval, a delivery or a first transfer.
struct LateEndSearch {
  private struct Seen {
    var once = 0
    var before = 0
    var delays: [Int64] = []
  }

  /// Windows that people think in, in days.
  private static let windows = [2, 3, 5, 7, 14, 21, 30, 45, 60, 90]
  private static let maximumCandidates = 3

  /// - Parameters:
  ///   - start: the event that begins the onboarding; `nil` for the first one of the setup.
  ///   - setup: events that people have once and early.
  ///   - others: events that are no end, whatever people have.
  static func find(
    _ timelines: SampledTimelines, start: String?, setup: Set<String>, without others: Set<String>
  ) -> [LateEnd] {
    var seen: [String: Seen] = [:]
    var starters = 0
    for person in timelines.people {
      let beginning = person.first { event in
        start.map { $0 == event.event } ?? setup.contains(event.event)
      }
      guard let beginning = beginning?.timeMilliseconds else { continue }
      starters += 1
      var own: [String: [Int64]] = [:]
      for event in person where isCandidate(event.event, setup, others) {
        own[event.event, default: []].append(event.timeMilliseconds - beginning)
      }
      for (name, delays) in own {
        guard let delay = delays.min() else { continue }
        if delays.count == 1 { seen[name, default: Seen()].once += 1 }
        if delay < 0 { seen[name, default: Seen()].before += 1 }
        seen[name, default: Seen()].delays.append(delay)
      }
    }
    return seen.compactMap { name, seen in end(name, seen, of: starters) }
      .sorted { left, right in
        let hints = (NameHint.end(left.name), NameHint.end(right.name))
        if hints.0 != hints.1 { return hints.0 > hints.1 }
        return left.people != right.people ? left.people > right.people : left.name < right.name
      }.prefix(maximumCandidates).map { $0 }
  }

  private static func isCandidate(
    _ name: String, _ setup: Set<String>, _ others: Set<String>
  ) -> Bool {
    !setup.contains(name) && !others.contains(name) && FlowDraft.isName(name)
      && !NameHint.isFailure(name) && !NameHint.isSkip(name) && !AutomaticEvents.isOfAnyApp(name)
  }

  private static func end(_ name: String, _ seen: Seen, of starters: Int) -> LateEnd? {
    let people = seen.delays.count
    guard people >= max(5, starters / 20), seen.once * 10 >= people * 9,
      seen.before * 20 <= people
    else { return nil }
    let delays = seen.delays.sorted()
    // Most have it after the window of a day that a draft has.
    guard delays[(people - 1) / 2] > OrderEvidence.dayMilliseconds else { return nil }
    let most = delays[min(people - 1, people * 19 / 20)]
    let days = windows.first { Int64($0) * OrderEvidence.dayMilliseconds >= most }
    guard let days else { return nil }
    return LateEnd(
      name: name, people: people, windowDays: days,
      evidence: "\(RoleRanking.grouped(people)) of \(RoleRanking.grouped(starters)) people who "
        + "start have it, most of them days later; it needs 'window: \(days)d'")
  }
}
