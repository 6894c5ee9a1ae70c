internal import Foundation
internal import Synchronization

/// Days, ISO weeks and months of one time zone, by table: no calendar is asked for a fact.
public struct CivilCalendar: Sendable {
  /// The first instant of each local day from 1999-12-31 on, in milliseconds.
  private let dayStarts: [Int64]
  private static let dayMilliseconds: Int64 = 86_400_000
  /// Days from 1970-01-01 to the table's first day.
  static let firstDay = 10_956
  private static let dayCount = 36_900
  /// The days that it knows, since 1970-01-01.
  static let days = firstDay..<firstDay + dayCount
  /// A run asks for the calendar of its flow a dozen times, and the table of a zone takes
  /// milliseconds.
  private static let tables = Mutex<[String: [Int64]]>([:])

  /// - Parameter timeZone: an IANA identifier; an unknown one reads as UTC (flow files are
  ///   checked).
  public init(timeZone identifier: String) {
    dayStarts = CivilCalendar.tables.withLock { tables in
      if let known = tables[identifier] { return known }
      let zone = identifier == "UTC" ? nil : TimeZone(identifier: identifier)
      let table = CivilCalendar.dayStarts(in: zone)
      tables[identifier] = table
      return table
    }
  }

  private static func dayStarts(in zone: TimeZone?) -> [Int64] {
    let midnights = (0..<dayCount).map { Int64(firstDay + $0) * dayMilliseconds }
    guard let zone else { return midnights }
    let offsets = offsets(in: zone, at: midnights)
    return midnights.indices.map { index in
      // No zone is a day away from UTC: between equal offsets a day before and after, the local
      // midnight has that offset too.
      guard index > 0, index + 1 < dayCount, offsets[index - 1] == offsets[index],
        offsets[index] == offsets[index + 1]
      else { return startOfDay(midnights[index], zone) }
      return midnights[index] - offsets[index]
    }
  }

  /// The zone's offset from UTC at each midnight, in milliseconds. Asking for each would take
  /// longer than many a report: only where it differs three days on are the days between looked
  /// at. No zone changes twice within three days; the shortest stay in the tz database is seven
  /// days (Brazil's north-east in October 2000).
  private static func offsets(in zone: TimeZone, at midnights: [Int64]) -> [Int64] {
    var offsets = midnights.map { _ in Int64(0) }
    for first in stride(from: 0, to: midnights.count, by: 3) {
      let last = min(first + 3, midnights.count - 1)
      let start = offset(of: zone, at: midnights[first])
      let isConstant = start == offset(of: zone, at: midnights[last])
      for index in first...last {
        offsets[index] = isConstant ? start : offset(of: zone, at: midnights[index])
      }
    }
    return offsets
  }

  private static func offset(of zone: TimeZone, at milliseconds: Int64) -> Int64 {
    let instant = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    return Int64(zone.secondsFromGMT(for: instant)) * 1000
  }

  /// The instant at which the local day begins whose midnight would be `utc` in UTC: the first of
  /// two midnights where clocks are put back to it, and the change where they skip it.
  private static func startOfDay(_ utc: Int64, _ zone: TimeZone) -> Int64 {
    let around = [utc - dayMilliseconds, utc, utc + dayMilliseconds]
    let candidates = around.map { utc - offset(of: zone, at: $0) }.sorted()
    let midnight = candidates.first { $0 + offset(of: zone, at: $0) == utc }
    let afterGap = candidates.first { $0 + offset(of: zone, at: $0) > utc }
    return midnight ?? afterGap ?? candidates[0]
  }

  /// The local day of an instant, as days since 1970-01-01.
  public func day(of milliseconds: Int64) -> Int {
    var index = Int(milliseconds / CivilCalendar.dayMilliseconds) - CivilCalendar.firstDay
    index = min(max(index, 0), dayStarts.count - 1)
    while index > 0 && dayStarts[index] > milliseconds { index -= 1 }
    while index + 1 < dayStarts.count && dayStarts[index + 1] <= milliseconds { index += 1 }
    return index + CivilCalendar.firstDay
  }

  /// The first instant of a local day given as days since 1970-01-01.
  public func start(ofDay day: Int) -> Int64 {
    dayStarts[min(max(day - CivilCalendar.firstDay, 0), dayStarts.count - 1)]
  }

  /// The moment as long after the start of another local day, so many days later; at most that
  /// day's last one, where it is shorter.
  public func moment(_ milliseconds: Int64, movedByDays days: Int) -> Int64 {
    let day = day(of: milliseconds)
    let sinceStart = milliseconds - start(ofDay: day)
    let moved = day + days
    return min(start(ofDay: moved) + sinceStart, start(ofDay: moved + 1) - 1)
  }

  /// The cohort a day belongs to: `2026-01-21`, `2026-W04`, `2026-01`.
  public static func label(ofDay day: Int, unit: EvaluationOptions.CohortUnit) -> String {
    let (year, month, dayOfMonth) = date(ofDay: day)
    switch unit {
    case .day: return "\(year)-\(padded(month))-\(padded(dayOfMonth))"
    case .month: return "\(year)-\(padded(month))"
    case .week:
      // The ISO year and week of a day are those of its Thursday.
      let weekday = ((day + 3) % 7 + 7) % 7
      let thursday = day - weekday + 3
      let isoYear = date(ofDay: thursday).year
      let firstOfYear = dayNumber(year: isoYear, month: 1, day: 1)
      return "\(isoYear)-W\(padded((thursday - firstOfYear) / 7 + 1))"
    }
  }

  /// The Gregorian date of days since 1970-01-01 (Hinnant, "chrono-Compatible Low-Level Date
  /// Algorithms", civil_from_days).
  public static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  /// Days since 1970-01-01 of a Gregorian date (Hinnant, days_from_civil).
  public static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let shiftedMonth = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
