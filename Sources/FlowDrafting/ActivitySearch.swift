internal import EventInput
internal import Timelines

/// Which events show that people come back, and which only that a server wrote to them.
struct ActivitySearch {
  private static let visitMilliseconds: Int64 = 1_800_000

  /// Events of later days, by how many people have them there.
  static func find(_ timelines: SampledTimelines, without others: Set<String>) -> [RoleCandidate] {
    var people: [String: Int] = [:]
    var returned = 0
    for person in timelines.people {
      guard let beginning = person.first?.timeMilliseconds else { continue }
      let later = person.filter {
        $0.timeMilliseconds - beginning >= OrderEvidence.dayMilliseconds
          && !others.contains($0.event) && FlowDraft.isName($0.event)
      }
      if !later.isEmpty { returned += 1 }
      for name in Set(later.map(\.event)) { people[name, default: 0] += 1 }
    }
    return people.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(6).map { name, count in
      let share = Double(count) / Double(max(1, returned))
      return RoleCandidate(
        name: name, people: count,
        evidence: "\(RoleRanking.grouped(count)) of the \(RoleRanking.grouped(returned)) people "
          + "with events a day or more after their first have it then",
        score: share, share: share)
    }
  }

  /// Events that are called like what a server sends, and that mostly stand alone: no other event
  /// of the person is within half an hour.
  static func sentByServer(_ timelines: SampledTimelines) -> [String] {
    var all: [String: Int] = [:]
    var alone: [String: Int] = [:]
    for person in timelines.people {
      for (place, event) in person.enumerated() where NameHint.isSentByServer(event.event) {
        all[event.event, default: 0] += 1
        let before = place > 0 ? person[place - 1].timeMilliseconds : .min / 2
        let after = place + 1 < person.count ? person[place + 1].timeMilliseconds : .max / 2
        let at = event.timeMilliseconds
        if at - before > visitMilliseconds, after - at > visitMilliseconds {
          alone[event.event, default: 0] += 1
        }
      }
    }
    return all.keys.filter { FlowDraft.isName($0) && (alone[$0] ?? 0) * 2 >= (all[$0] ?? 0) }
      .sorted()
  }

  /// Events that SDKs send when an app is opened, where people who come back have others as well:
  /// those say more. Where hardly anybody would be back without them they stay.
  static func openings(_ timelines: SampledTimelines, without others: Set<String>) -> [String] {
    var (returned, withOthers) = (0, 0)
    var found: Set<String> = []
    for person in timelines.people {
      guard let beginning = person.first?.timeMilliseconds else { continue }
      var (isBack, hasOthers) = (false, false)
      for event in person where !others.contains(event.event) {
        let isOpening = AutomaticEvents.isAttended(event.event)
        if isOpening && FlowDraft.isName(event.event) { found.insert(event.event) }
        guard event.timeMilliseconds - beginning >= OrderEvidence.dayMilliseconds else { continue }
        isBack = true
        if !isOpening { hasOthers = true }
      }
      if isBack { returned += 1 }
      if hasOthers { withOthers += 1 }
    }
    return withOthers * 2 >= returned && withOthers > 0 ? found.sorted() : []
  }
}
