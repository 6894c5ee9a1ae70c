internal import ExperimentStatistics

/// From when to when the facts are taken to be complete, and which of them are misdated
/// (definitions 1.4 and 1.5): clocks that are far off must not end the data.
public struct DataSpan: Sendable, Hashable {
  /// The last moment up to which the facts are taken to be complete.
  public let horizonMilliseconds: Int64
  /// The last moment that isn't misdated: ``horizonMilliseconds``, unless `--as-of` sets another.
  public let latestMilliseconds: Int64
  /// Facts before or after are misdated.
  public let datedMilliseconds: ClosedRange<Int64>
  /// The usual number of persons on a date.
  public let usualPersons: Int
  /// How many persons it takes that a date is one of the data's.
  public let enoughPersons: Int
  /// Persons on dates outside of `datedMilliseconds`, each counted once a date.
  public let misdatedPersonDays: Int
  /// The data's first date with far fewer persons than any before, of the last ones; `nil` where
  /// they end evenly.
  public let shortDay: ShortDay?

  /// A date on which part of the data seems to be missing.
  public struct ShortDay: Sendable, Hashable {
    /// When the date begins in UTC, in milliseconds since 1970.
    public let startMilliseconds: Int64
    /// How many persons have facts on it.
    public let persons: Int
    /// The fewest on any of the 28 dates before.
    public let leastPersons: Int
  }

  /// `nil` without facts.
  ///
  /// - Parameter census: of all facts up to the moment that was asked for.
  init?(_ census: DayCensus) {
    let days = census.days
    guard let rhythm = DataRhythm(days) else { return nil }
    let kept = days[rhythm.datedDays]
    guard let first = kept.first, let last = kept.last else { return nil }
    let end = kept.last { $0.persons >= rhythm.enoughPersons } ?? last
    horizonMilliseconds = end.lastMilliseconds
    let upToLatest = days[rhythm.datedDays.lowerBound...]
    latestMilliseconds =
      (upToLatest.last { $0.persons >= rhythm.enoughPersons } ?? last).lastMilliseconds
    let length = DayCensus.dayMilliseconds
    datedMilliseconds = Int64(first.number) * length...(Int64(last.number) + 1) * length - 1
    usualPersons = rhythm.usualPersons
    enoughPersons = rhythm.enoughPersons
    misdatedPersonDays =
      days[..<rhythm.datedDays.lowerBound].reduce(0) { $0 + $1.persons }
      + days[rhythm.datedDays.upperBound...].reduce(0) { $0 + $1.persons }
    shortDay = DataSpan.shortDay(kept, before: end.number)
  }

  /// How many of the last whole dates are looked at, and how many before them.
  private static let lastDays = 3
  private static let daysBefore = 28
  /// Below these chances a date is lower than the dates before have it by themselves: than all of
  /// them together, and than the one with the fewest people, which knows the weekends.
  private static let chanceOfUsual = 0.001
  private static let chanceOfLeast = 0.05

  private static func shortDay(_ days: ArraySlice<DayCensus.Day>, before end: Int) -> ShortDay? {
    var persons: [Int: Int] = [:]
    for day in days where day.number >= end - lastDays - daysBefore {
      persons[day.number] = day.persons
    }
    let start = end - lastDays
    let before = (start - daysBefore..<start).map { persons[$0] ?? 0 }
    guard let least = before.min() else { return nil }
    let sum = before.reduce(0, +)
    let short = (start..<end).first { day in
      let count = persons[day] ?? 0
      return count * 2 < least
        && PoissonDrop(count: count, others: sum, otherPeriods: daysBefore).pValue < chanceOfUsual
        && PoissonDrop(count: count, others: least, otherPeriods: 1).pValue < chanceOfLeast
    }
    return short.map {
      ShortDay(
        startMilliseconds: Int64($0) * DayCensus.dayMilliseconds, persons: persons[$0] ?? 0,
        leastPersons: least)
    }
  }
}
