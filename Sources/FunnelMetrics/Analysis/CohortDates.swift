internal import FunnelEngine
internal import ReportText

/// The first and the last date of a cohort: `2026-W04` is 19 to 25 January 2026.
package struct CohortDates: Sendable, Hashable {
  /// Days since 1970-01-01.
  package let first: Int
  package let last: Int

  /// - Parameter name: a date, an ISO week or a month, as ``CivilCalendar/label(ofDay:unit:)``
  ///   writes them; `nil` for any other text.
  package init?(_ name: String) {
    // Most slices are of no cohort: theirs is `all`.
    guard name.utf8.first.map({ $0 <= UInt8(ascii: "9") }) == true else { return nil }
    if let day = InstantReader.day(name) {
      (first, last) = (day, day)
      return
    }
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let year = Int(parts[0]), (1...9999).contains(year) else { return nil }
    if parts[1].hasPrefix("W"), let week = Int(parts[1].dropFirst()), (1...53).contains(week) {
      // The fourth of January is always in the first ISO week; 1970-01-01 was a Thursday.
      let fourth = CivilCalendar.dayNumber(year: year, month: 1, day: 4)
      let weekday = ((fourth + 3) % 7 + 7) % 7
      first = fourth - weekday + 7 * (week - 1)
      last = first + 6
      return
    }
    guard let month = Int(parts[1]), (1...12).contains(month) else { return nil }
    first = CivilCalendar.dayNumber(year: year, month: month, day: 1)
    let next = month == 12 ? (year + 1, 1) : (year, month + 1)
    last = CivilCalendar.dayNumber(year: next.0, month: next.1, day: 1) - 1
  }

  /// `2026-01-19`
  package var firstText: String { CivilCalendar.label(ofDay: first, unit: .day) }

  /// `2026-01-25`
  package var lastText: String { CivilCalendar.label(ofDay: last, unit: .day) }
}
