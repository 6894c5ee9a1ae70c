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
  /// When the first of these dates with enough persons begins: people are known from then on. One
  /// clock that is behind begins no data that anybody could be looked up in.
  public let knownFromMilliseconds: Int64
  /// The usual number of persons on a date.
  public let usualPersons: Int
  /// How many persons it takes that a date is one of the data's.
  public let enoughPersons: Int
  /// Persons on dates outside of `datedMilliseconds`, each counted once a date.
  public let misdatedPersonDays: Int
  /// The data's first date with far fewer persons than any before, of the last ones; `nil` where
  /// they end evenly.
  public let shortDay: ShortDay?
  /// Earlier dates on which hardly anybody has facts, in order: a part of the data is missing.
  public let missingDays: [ShortDay]

  /// A date on which part of the data seems to be missing.
  public struct ShortDay: Sendable, Hashable {
    /// When the date begins in UTC, in milliseconds since 1970.
    public let startMilliseconds: Int64
    /// How many persons have facts on it.
    public let persons: Int
    /// The fewest on any of the 28 dates before; of a missing day, what its weekday usually has.
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
    let end = DataSpan.end(kept, rhythm) ?? last
    horizonMilliseconds = end.lastMilliseconds
    let upToLatest = days[rhythm.datedDays.lowerBound...]
    latestMilliseconds = (DataSpan.end(upToLatest, rhythm) ?? last).lastMilliseconds
    let length = DayCensus.dayMilliseconds
    datedMilliseconds = Int64(first.number) * length...(Int64(last.number) + 1) * length - 1
    let known = kept.first { $0.persons >= rhythm.enoughPersons } ?? first
    knownFromMilliseconds = Int64(known.number) * length
    usualPersons = rhythm.usualPersons
    enoughPersons = rhythm.enoughPersons
    misdatedPersonDays =
      days[..<rhythm.datedDays.lowerBound].reduce(0) { $0 + $1.persons }
      + days[rhythm.datedDays.upperBound...].reduce(0) { $0 + $1.persons }
    shortDay = DataSpan.shortDay(kept, before: end.number)
    missingDays = DataSpan.missingDays(kept, before: end.number)
  }

  /// So many dates may be those of clocks that run ahead: next to the other dates, and behind one
  /// on which hardly anybody was seen.
  private static let mostAhead = 2
  private static let mostAheadBehindGap = 6
  /// The dates with enough persons before these that say how many persons there should be. Dates
  /// between that have hardly anybody don't count: a clock may be weeks ahead.
  private static let datesBeforeAhead = 7

  /// The last date with enough persons, but for a few of hardly anybody: clocks that are days ahead
  /// would make numbers of people who have not had the time. An outage is no date of theirs from
  /// its third day on, nor is a week of few people behind a pause.
  private static func end(
    _ days: ArraySlice<DayCensus.Day>, _ rhythm: DataRhythm
  ) -> DayCensus.Day? {
    let candidates = days.filter { $0.persons >= rhythm.enoughPersons }
    for count in (1...mostAheadBehindGap).reversed() where candidates.count > count {
      let (before, ahead) = (candidates.dropLast(count), candidates.suffix(count))
      guard before.count >= datesBeforeAhead, let end = before.last, let next = ahead.first,
        count <= mostAhead || next.number > end.number + 1,
        let least = before.suffix(datesBeforeAhead).map(\.persons).min()
      else { continue }
      let isThin = zip(candidates.suffix(count + 1), ahead).allSatisfy { previous, day in
        DataSpan.isThin(day, beside: least, isUnderWay: day.number == previous.number + 1)
      }
      if isThin { return end }
    }
    return candidates.last
  }

  /// Whether a date has less than a tenth of the persons that others have; or, if it may not be
  /// over yet, of those that were to be expected of the part that was over at its last fact.
  private static func isThin(
    _ day: DayCensus.Day, beside persons: Int, isUnderWay: Bool
  ) -> Bool {
    let start = Int64(day.number) * DayCensus.dayMilliseconds
    let seconds = isUnderWay ? (day.lastMilliseconds - start) / 1000 : 86_400
    return Double(day.persons) * 10 * 86_400 < Double(persons) * Double(seconds)
  }

  /// How many of the last whole dates are looked at, and how many before them.
  private static let lastDays = 3
  private static let daysBefore = 28
  /// Below these chances a date is lower than the dates before have it by themselves: than all of
  /// them together, and than the one with the fewest people, which knows the weekends.
  private static let chanceOfUsual = 0.001
  private static let chanceOfLeast = 0.05

  /// How many persons a date of this weekday has to have that one with hardly any is missed.
  private static let leastMissed = 10
  private static let weeksBeside = 4

  /// Dates with less than a tenth of the persons that their weekday usually has, four weeks before
  /// and after, and of the nearest other dates on either side.
  private static func missingDays(
    _ days: ArraySlice<DayCensus.Day>, before end: Int
  ) -> [ShortDay] {
    guard let first = days.first?.number, first < end else { return [] }
    // The horizon's own date may not be over: it is a neighbour, and measures no weekday.
    var persons = Array(repeating: 0, count: end - first + 1)
    for day in days where day.number <= end { persons[day.number - first] = day.persons }
    let whole = 0..<(end - first)
    /// The lower median of the same weekday; in less than two weeks the lower of both neighbours.
    func usual(_ place: Int) -> Int {
      let weeks = (-weeksBeside...weeksBeside).filter { $0 != 0 }.map { place + 7 * $0 }
      let counts = weeks.filter(whole.contains).map { persons[$0] }.sorted()
      if !counts.isEmpty { return counts[(counts.count - 1) / 2] }
      let isBetween = place > 0 && place + 1 < persons.count
      return isBetween ? min(persons[place - 1], persons[place + 1]) : 0
    }
    let candidates = whole.filter {
      let usual = usual($0)
      return usual >= leastMissed && persons[$0] * 10 < usual
    }
    let isCandidate = Set(candidates)
    return candidates.compactMap { place in
      let before = persons.indices[..<place].last { !isCandidate.contains($0) }
      let after = persons.indices[(place + 1)...].first { !isCandidate.contains($0) }
      guard let before, let after,
        persons[place] * 10 < min(persons[before], persons[after])
      else { return nil }
      return ShortDay(
        startMilliseconds: Int64(first + place) * DayCensus.dayMilliseconds,
        persons: persons[place], leastPersons: usual(place))
    }
  }

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
