import FlowDefinition
import Foundation
import FunnelEngine

/// A date or an instant from the command line.
enum Moment {
  /// Which end of a date is meant.
  enum Edge {
    case start, end
  }

  /// Milliseconds since 1970; a date is taken in the calendar's time zone.
  ///
  /// - Throws: `CommandError` with what is allowed.
  static func parse(
    _ text: String, option: String, edge: Edge, calendar: CivilCalendar
  ) throws -> Int64 {
    if let day = dayNumber(text) {
      return edge == .start ? calendar.start(ofDay: day) : calendar.start(ofDay: day + 1) - 1
    }
    if let instant = UTCInstant.millisecondsWithOffset(text) { return instant }
    throw CommandError(
      """
      \(option): found '\(text)'; allowed are a day from 2000 to 2100 (2026-01-31) or an instant \
      with its offset (2026-01-31T12:00:00Z)
      """)
  }

  /// An instant in UTC.
  static func text(_ milliseconds: Int64) -> String {
    // The format cuts what is under a millisecond off, and few milliseconds are exact fractions.
    Date(timeIntervalSince1970: (Double(milliseconds) + 0.25) / 1000)
      .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  /// A day as it is written in options.
  static func day(_ number: Int) -> String {
    let (year, month, day) = CivilCalendar.date(ofDay: number)
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(year)-\(two(month))-\(two(day))"
  }

  static func dayNumber(_ text: String) -> Int? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { part in
      part.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 } ? Int(part) : nil
    }
    guard text.utf8.count == 10, parts.count == 3, let year = parts[0], let month = parts[1],
      let day = parts[2], (2000...2100).contains(year)
    else { return nil }
    let number = CivilCalendar.dayNumber(year: year, month: month, day: day)
    return CivilCalendar.date(ofDay: number) == (year, month, day) ? number : nil
  }
}
