import Foundation

/// Timestamps, dates and days, by Foundation's calendar.
enum ReferenceTime {
  static let hour: Int64 = 3_600_000
  static let day: Int64 = 86_400_000

  /// The milliseconds of an event's `timestamp`; `nil` where it can't be read.
  static func milliseconds(_ text: String) -> Int64? {
    let value = text.contains("-") ? calendarTime(text) : numericTime(text)
    guard let value, value >= 946_684_800_000, value < 4_102_444_800_000 else { return nil }
    return value
  }

  private static func numericTime(_ text: String) -> Int64? {
    guard let number = Decimal(string: text), number >= 0 else { return nil }
    var scaled: Decimal
    switch number {
    case ..<Decimal(100_000_000_000): scaled = number * 1000
    case ..<Decimal(100_000_000_000_000): scaled = number
    case ..<Decimal(100_000_000_000_000_000): scaled = number / 1000
    default: scaled = number / 1_000_000
    }
    var floored = Decimal()
    NSDecimalRound(&floored, &scaled, 0, .down)
    return Int64("\(floored)")
  }

  /// `2026-01-21T10:00:00.123456+02:00`; no offset is UTC, a space for the T is fine.
  private static func calendarTime(_ text: String) -> Int64? {
    let pattern =
      #/(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?([Zz]|[+-]\d\d:?\d\d)?/#
    guard let match = text.wholeMatch(of: pattern)?.output else { return nil }
    var parts = DateComponents()
    parts.year = Int(match.1)
    parts.month = Int(match.2)
    parts.day = Int(match.3)
    parts.hour = Int(match.4)
    parts.minute = Int(match.5)
    parts.second = Int(match.6)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    guard let date = calendar.date(from: parts) else { return nil }
    var time = Int64(date.timeIntervalSince1970.rounded()) * 1000
    let fraction = String(match.7 ?? "").padding(toLength: 3, withPad: "0", startingAt: 0)
    time += Int64(fraction) ?? 0
    if let zone = match.8, zone.count > 1 {
      let digits = zone.dropFirst().filter(\.isNumber)
      let minutes = (Int64(digits.prefix(2)) ?? 0) * 60 + (Int64(digits.suffix(2)) ?? 0)
      time -= (zone.first == "-" ? -minutes : minutes) * 60_000
    }
    return time
  }

  static func calendar(_ timeZone: String) -> Calendar {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = TimeZone(identifier: timeZone) ?? .gmt
    return calendar
  }

  /// The start of the local day that is `days` days after the one that holds `time`.
  static func startOfDay(_ time: Int64, plus days: Int, timeZone: String) -> Int64 {
    let calendar = calendar(timeZone)
    let date = Date(timeIntervalSince1970: (Double(time) / 1000).rounded(.down))
    var parts = calendar.dateComponents([.year, .month, .day], from: date)
    parts.day = (parts.day ?? 1) + days
    parts.hour = 12
    // Noon exists on every date; the day's start is looked up from there.
    guard let noon = calendar.date(from: parts) else { return time }
    return Int64(calendar.startOfDay(for: noon).timeIntervalSince1970) * 1000
  }

  /// `--as-of` with a date: the last millisecond of it.
  static func endOfDate(_ text: String, timeZone: String) -> Int64? {
    guard let noon = milliseconds(text + "T12:00:00Z") else { return nil }
    let calendar = calendar(timeZone)
    var utc = calendar
    utc.timeZone = .gmt
    var parts = utc.dateComponents(
      [.year, .month, .day, .hour], from: Date(timeIntervalSince1970: Double(noon) / 1000))
    parts.timeZone = nil
    guard let local = calendar.date(from: parts) else { return nil }
    let middle = Int64(local.timeIntervalSince1970) * 1000
    return startOfDay(middle, plus: 1, timeZone: timeZone) - 1
  }

  /// `2026-01-21`, `2026-W04` or `2026-01`.
  static func cohort(_ time: Int64, unit: CohortUnit, timeZone: String) -> String {
    let date = Date(timeIntervalSince1970: (Double(time) / 1000).rounded(.down))
    let parts = calendar(timeZone).dateComponents(
      [.year, .month, .day, .weekOfYear, .yearForWeekOfYear], from: date)
    func two(_ number: Int?) -> String { String(String(100 + (number ?? 0)).suffix(2)) }
    switch unit {
    case .day: return "\(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day))"
    case .week: return "\(parts.yearForWeekOfYear ?? 0)-W\(two(parts.weekOfYear))"
    case .month: return "\(parts.year ?? 0)-\(two(parts.month))"
    }
  }
}
