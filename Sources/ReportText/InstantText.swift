/// Instants in UTC, as RFC 3339 writes them.
package enum InstantText {
  /// `2026-01-21T10:00:00.123Z`; the fraction only where there is one.
  package static func format(_ milliseconds: Int64) -> String {
    let (date, time) = parts(milliseconds)
    let rest = Int(floorMod(milliseconds, 1000))
    return "\(date)T\(time)" + (rest == 0 ? "" : "." + padded(rest, 3)) + "Z"
  }

  /// `2026-01-21 10:00 UTC`, for people.
  package static func minute(_ milliseconds: Int64) -> String {
    let (date, time) = parts(milliseconds)
    return "\(date) \(time.prefix(5)) UTC"
  }

  private static func parts(_ milliseconds: Int64) -> (date: String, time: String) {
    let day = (milliseconds - floorMod(milliseconds, 86_400_000)) / 86_400_000
    let second = Int(floorMod(milliseconds, 86_400_000) / 1000)
    let (year, month, dayOfMonth) = civil(day)
    let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
    let time =
      "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    return (date, time)
  }

  /// Days since 1970 as a date of the proleptic Gregorian calendar (Hinnant, "chrono-Compatible
  /// Low-Level Date Algorithms", civil_from_days).
  private static func civil(_ days: Int64) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let dayOfEra = floorMod(shifted, 146_097)
    let era = (shifted - dayOfEra) / 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (Int(yearOfEra + era * 400 + (month <= 2 ? 1 : 0)), Int(month), Int(day))
  }

  private static func floorMod(_ value: Int64, _ divisor: Int64) -> Int64 {
    let rest = value % divisor
    return rest < 0 ? rest + divisor : rest
  }

  private static func padded(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
