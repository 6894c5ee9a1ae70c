internal import EventInput

/// Finds the horizon among facts that come in any order, and keeps few of them.
///
/// Once a moment is known with enough persons in the day up to it, no earlier one can be the
/// horizon. Of the facts up to it only the last ones of the three persons seen last matter: a day
/// that reaches back to an earlier fact reaches back to those three, and has enough persons. Kept
/// are these and what is later than the moment: as a rule little, the facts of wrong clocks. Where
/// no day has enough persons, all distinct moments of the few persons are.
struct HorizonSearch: Sendable {
  private static let dayMilliseconds: Int64 = 86_400_000
  private static let personsNeeded = 3
  private static let leastRoom = 256

  private struct Seen: Sendable, Hashable {
    var timeMilliseconds: Int64
    var person: IdentifierHash
  }

  /// In order of time, latest first, but for those that came since it was put in order.
  private var seen: [Seen] = []
  /// How many may stand there before some are dropped.
  private var room = HorizonSearch.leastRoom
  /// Facts of this moment or before it change nothing.
  private(set) var floorMilliseconds = Int64.min

  @inline(__always)
  mutating func add(_ timeMilliseconds: Int64, of person: IdentifierHash) {
    if timeMilliseconds > floorMilliseconds {
      keep(Seen(timeMilliseconds: timeMilliseconds, person: person))
    }
  }

  /// Adds what another search has found.
  mutating func add(_ other: HorizonSearch) {
    for fact in other.seen { add(fact.timeMilliseconds, of: fact.person) }
  }

  /// The latest moment with enough persons in the day up to it; the latest of all if there is no
  /// such moment, `nil` without facts.
  mutating func finish() -> Int64? {
    order()
    let place = completePlace() ?? 0
    return seen.isEmpty ? nil : seen[place].timeMilliseconds
  }

  private mutating func keep(_ fact: Seen) {
    seen.append(fact)
    if seen.count < room { return }
    order()
    if let place = completePlace() { drop(before: place) }
    room = max(HorizonSearch.leastRoom, seen.count * 2)
  }

  private mutating func order() {
    seen.sort {
      $0.timeMilliseconds != $1.timeMilliseconds
        ? $0.timeMilliseconds > $1.timeMilliseconds : $0.person < $1.person
    }
    var kept = 0
    for index in seen.indices where index == 0 || seen[index] != seen[kept - 1] {
      seen[kept] = seen[index]
      kept += 1
    }
    seen.removeLast(seen.count - kept)
  }

  /// Drops what is earlier than a moment with enough persons, but for three of them.
  private mutating func drop(before place: Int) {
    var last: [Seen] = []
    for fact in seen[place...] where last.count < HorizonSearch.personsNeeded {
      if !last.contains(where: { $0.person == fact.person }) { last.append(fact) }
    }
    seen.replaceSubrange(place..., with: last)
    floorMilliseconds = last.last?.timeMilliseconds ?? floorMilliseconds
  }

  /// Where the latest moment stands that has enough persons in the day up to it.
  private func completePlace() -> Int? {
    var factsInDay: [IdentifierHash: Int] = [:]
    var end = 0
    for place in seen.indices {
      let first = seen[place].timeMilliseconds - HorizonSearch.dayMilliseconds
      while end < seen.count && seen[end].timeMilliseconds > first {
        factsInDay[seen[end].person, default: 0] += 1
        end += 1
      }
      if factsInDay.count >= HorizonSearch.personsNeeded { return place }
      let person = seen[place].person
      factsInDay[person, default: 1] -= 1
      if factsInDay[person] == 0 { factsInDay[person] = nil }
    }
    return nil
  }
}
