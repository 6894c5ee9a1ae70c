internal import EventInput

/// Counts the persons of one partition by date, from facts in any order: each person once a date.
struct PersonDays {
  private(set) var census = DayCensus()
  private var persons = IdentifierTable()
  /// By person: the date of the fact that was met last.
  private var lastDays: [UInt32] = []
  /// Persons on dates that were met.
  private var seen = IdentifierTable()
  /// The last moment of the date that was met last: kept here until another date comes.
  private var lastMilliseconds = Int64.min
  private var lastDay = UInt32.max

  /// Begins with the persons of another partition.
  mutating func beginPartition() {
    persons.removeAll()
    lastDays.removeAll(keepingCapacity: true)
    seen.removeAll()
  }

  /// The partition's number for a person.
  mutating func number(of person: IdentifierHash) -> UInt32 {
    let number = persons.intern(person)
    if Int(number) == lastDays.count { lastDays.append(.max) }
    return number
  }

  /// Takes in that a person has a fact at a moment.
  @inline(__always)
  mutating func add(_ person: UInt32, at milliseconds: Int64) {
    let day = DayCensus.day(of: milliseconds)
    if day != lastDay {
      finish()
      lastDay = day
      lastMilliseconds = milliseconds
    } else if milliseconds > lastMilliseconds {
      lastMilliseconds = milliseconds
    }
    if lastDays[Int(person)] != day { note(person, on: day) }
  }

  @inline(never)
  private mutating func note(_ person: UInt32, on day: UInt32) {
    lastDays[Int(person)] = day
    let pair = UInt64(person) << 32 | UInt64(day)
    let count = seen.count
    // The table takes the low half for a hash.
    let key = IdentifierHash(high: pair, low: (pair &* 0x9E37_79B9_7F4A_7C15) >> 24)
    if Int(seen.intern(key)) == count {
      census.add(persons: 1, on: day, lastMilliseconds: .min)
    }
  }

  /// Counts what was only noted so far; called at the end.
  mutating func finish() {
    if lastDay != .max {
      census.add(persons: 0, on: lastDay, lastMilliseconds: lastMilliseconds)
    }
  }
}
