internal import FunnelEngine

/// Dates as people write them, whatever the locale: `5 Jan – 3 Jul 2026`.
public enum DateText {
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// `5 January 2026`, of days since 1970-01-01.
  package static func wholeDay(_ day: Int) -> String {
    let date = CivilCalendar.date(ofDay: day)
    return "\(date.day) \(months[(date.month + 11) % 12]) \(date.year)"
  }

  /// `5 Jan 2026`, of days since 1970-01-01.
  package static func day(_ day: Int) -> String {
    "\(dayAndMonth(day)) \(CivilCalendar.date(ofDay: day).year)"
  }

  /// From one day to another, both included; the year once where it is the same.
  public static func range(_ first: Int, _ last: Int) -> String {
    if first == last { return day(first) }
    let isOneYear =
      CivilCalendar.date(ofDay: first).year == CivilCalendar.date(ofDay: last).year
    return "\(isOneYear ? dayAndMonth(first) : day(first)) – \(day(last))"
  }

  /// `4 Apr 2026, 23:59 UTC`
  package static func minute(_ milliseconds: Int64) -> String {
    let dayMilliseconds: Int64 = 86_400_000
    let day = milliseconds / dayMilliseconds - (milliseconds % dayMilliseconds < 0 ? 1 : 0)
    return "\(self.day(Int(day))), \(InstantText.minute(milliseconds).suffix(9))"
  }

  /// `5 Jan`
  package static func dayAndMonth(_ day: Int) -> String {
    let date = CivilCalendar.date(ofDay: day)
    return "\(date.day) \(months[(date.month + 11) % 12].prefix(3))"
  }
}
