internal import EventInput

/// Counts the persons of one partition by date, from facts in any order: each person once a date.
struct PersonDays {
  private struct Seen: Hashable {
    var person: IdentifierHash
    var day: UInt32

    /// The person's hash is as good as random.
    func hash(into hasher: inout Hasher) { hasher.combine(person.low &+ UInt64(day)) }
  }

  private(set) var census = DayCensus()
  private var seen: Set<Seen> = []
  /// The last moment of the date that was met last: kept here until another date comes.
  private var lastMilliseconds = Int64.min
  private var lastDay = UInt32.max

  /// Begins with the persons of another partition.
  mutating func beginPartition() { seen.removeAll(keepingCapacity: true) }

  /// Takes in a moment at which anybody has a fact.
  ///
  /// - Returns: the date.
  @inline(__always)
  mutating func add(_ milliseconds: Int64) -> UInt32 {
    let day = DayCensus.day(of: milliseconds)
    if day != lastDay {
      finish()
      lastDay = day
      lastMilliseconds = milliseconds
    } else if milliseconds > lastMilliseconds {
      lastMilliseconds = milliseconds
    }
    return day
  }

  /// Takes in that a person has facts on a date.
  mutating func add(_ person: IdentifierHash, on day: UInt32) {
    guard seen.insert(Seen(person: person, day: day)).inserted else { return }
    census.add(persons: 1, on: day, lastMilliseconds: .min)
  }

  /// Counts what was only noted so far; called at the end.
  mutating func finish() {
    if lastDay != .max {
      census.add(persons: 0, on: lastDay, lastMilliseconds: lastMilliseconds)
    }
  }
}
