internal import EventInput

/// How many persons have facts on each date in UTC, and when each date's last fact is.
///
/// Dates stand in pages that are made when a date of theirs is first seen, so that a clock that is
/// decades off costs one page.
struct DayCensus: Sendable {
  /// One date with facts.
  struct Day: Sendable, Hashable {
    /// Since 1970-01-01.
    var number: Int
    var persons: Int
    var lastMilliseconds: Int64
  }

  private struct Entry {
    var lastMilliseconds = Int64.min
    var persons = 0
  }

  static let dayMilliseconds: Int64 = 86_400_000
  private static let daysOfPage = 256

  private var pages: [[Entry]] = []

  /// The dates with facts, in order.
  var days: [Day] {
    pages.enumerated().flatMap { page, entries in
      entries.enumerated().compactMap { place, entry in
        entry.persons == 0
          ? nil
          : Day(
            number: page * DayCensus.daysOfPage + place, persons: entry.persons,
            lastMilliseconds: entry.lastMilliseconds)
      }
    }
  }

  /// The number of the date that a moment from 1970 on is in.
  @inline(__always)
  static func day(of milliseconds: Int64) -> UInt32 {
    UInt32(truncatingIfNeeded: UInt64(bitPattern: milliseconds) / UInt64(dayMilliseconds))
  }

  /// Counts some more persons on a date, and moments of it, of which the last is given.
  mutating func add(persons: Int, on day: UInt32, lastMilliseconds: Int64) {
    let page = Int(day) / DayCensus.daysOfPage
    while pages.count <= page { pages.append([]) }
    if pages[page].isEmpty {
      pages[page] = Array(repeating: Entry(), count: DayCensus.daysOfPage)
    }
    let place = Int(day) % DayCensus.daysOfPage
    pages[page][place].persons += persons
    pages[page][place].lastMilliseconds = max(
      pages[page][place].lastMilliseconds, lastMilliseconds)
  }

  /// Counts what another part of the facts shows; each person on a date is in one part.
  mutating func add(_ other: DayCensus) {
    for day in other.days {
      add(
        persons: day.persons, on: UInt32(truncatingIfNeeded: day.number),
        lastMilliseconds: day.lastMilliseconds)
    }
  }

  /// Counts the persons of a partition.
  mutating func add(_ partition: TimelinePartition) {
    for person in 0..<partition.personCount {
      let range = partition.starts[person]..<partition.starts[person + 1]
      guard let first = range.first else { continue }
      var last = partition.facts[first].timeMilliseconds
      for index in range.dropFirst() {
        let time = partition.facts[index].timeMilliseconds
        if DayCensus.day(of: time) != DayCensus.day(of: last) {
          add(persons: 1, on: DayCensus.day(of: last), lastMilliseconds: last)
        }
        last = time
      }
      add(persons: 1, on: DayCensus.day(of: last), lastMilliseconds: last)
    }
  }
}
