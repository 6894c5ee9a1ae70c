internal import ExperimentStatistics
package import FunnelEngine

/// Runs of dates on which hardly anybody started, although people do at other times and the data go
/// on: the app's own events are missing while those of others come (definitions 16,
/// `missing_starts`).
package enum MissingStarts {
  /// A date of such a run on which people usually start.
  package struct Day: Sendable, Hashable {
    /// Since 1970-01-01, in the flow's time zone.
    package let day: Int
    package let people: Int
    /// The lower median of its weekday, four weeks before and after.
    package let usual: Int

    /// `2026-02-03`
    package var date: String { CivilCalendar.label(ofDay: day, unit: .day) }
  }

  private static let weeksBeside = 4
  /// After four weeks without anybody there is nothing usual any more.
  private static let longestRun = 28
  /// A single window says too little of how much such dates differ.
  private static let fewestWindows = 2
  private static let daysBeside = 7
  /// Below this chance a run is lower than the lowest of the same weekdays beside it.
  private static let chance = 0.0001

  /// In the order of the dates.
  package static func days(_ tally: Tally) -> [Day] {
    guard let whole = tally.wholeDays, let begun = tally.starts.keys.min(),
      max(whole.lowerBound, begun) <= whole.upperBound
    else { return [] }
    let first = max(whole.lowerBound, begun)
    let starts = (first...whole.upperBound).map { tally.starts[$0] ?? 0 }
    let usual = starts.indices.map { self.usual($0, starts) }
    var found: [Day] = []
    var place = 0
    while place < starts.count {
      // Without another week nothing is usual.
      guard let own = usual[place], starts[place] * 10 <= own else {
        place += 1
        continue
      }
      let end =
        starts.indices[place...].first { index in
          usual[index].map { starts[index] * 10 > $0 } ?? true
        } ?? starts.count
      if isMissing(place..<end, starts) {
        found += (place..<end).compactMap { index in
          let usual = usual[index] ?? 0
          return usual > 0 ? Day(day: first + index, people: starts[index], usual: usual) : nil
        }
      }
      place = end
    }
    return found
  }

  /// Without those of a run that goes on up to the end of the data, which may be of people who
  /// started before.
  static func ended(_ days: [Day], _ tally: Tally) -> [Day] {
    let all = Set(days.map(\.day))
    var last = tally.wholeDays?.upperBound ?? .max
    while all.contains(last) { last -= 1 }
    return days.filter { $0.day <= last }
  }

  private static let shifts = (-weeksBeside...weeksBeside).filter { $0 != 0 }.map { $0 * 7 }

  private static func usual(_ place: Int, _ starts: [Int]) -> Int? {
    let counts = shifts.map { place + $0 }.filter(starts.indices.contains).map { starts[$0] }
      .sorted()
    return counts.isEmpty ? nil : counts[(counts.count - 1) / 2]
  }

  /// Whether chance, a season or a change of level doesn't explain a run of dates with hardly any
  /// starts.
  private static func isMissing(_ run: Range<Int>, _ starts: [Int]) -> Bool {
    guard run.count <= longestRun, run.lowerBound > 0 else { return false }
    let people = starts[run].reduce(0, +)
    let windows = shifts.filter { abs($0) >= run.count }
      .map { run.lowerBound + $0..<run.upperBound + $0 }
      .filter { starts.indices.contains($0.lowerBound) && $0.upperBound <= starts.count }
      .map { starts[$0].reduce(0, +) }
    guard windows.count >= fewestWindows, let least = windows.min(),
      // A single low date is nothing rare where starts come in bursts, and at the end of the data a
      // campaign may be over.
      people * (run.count == 1 || run.upperBound == starts.count ? 100 : 10) <= least,
      PoissonDrop(count: people, others: least, otherPeriods: 1).pValue < chance
    else { return false }
    func isFarBelow(_ days: ArraySlice<Int>) -> Bool {
      people * days.count * 10 < run.count * days.reduce(0, +)
    }
    let after = starts[run.upperBound...].prefix(daysBeside)
    return isFarBelow(starts[..<run.lowerBound].suffix(daysBeside))
      && (after.isEmpty || isFarBelow(after))
  }
}

extension ReleaseChange {
  /// How long before and after the first start with a release missing starts may explain a change.
  private static let daysBeside = 28

  /// Dates close to a release on which people with it, or with the one before, are missing. Starts
  /// that end with the data explain nothing of those before.
  package func missingStarts(_ analysis: Analysis) -> [MissingStarts.Day] {
    let days = [before, release].map { analysis.tally.firstDays[$0.breakdown] }
    let ended = MissingStarts.ended(analysis.missingStarts, analysis.tally)
    guard let before = days[0], let first = days[1] else { return ended }
    return ended.filter {
      $0.day >= before && abs($0.day - first) <= Self.daysBeside
    }
  }
}
