internal import Foundation

/// A day of the Gregorian calendar as files write it: `2026-12-31`.
struct CivilDate: Hashable {
  let year: Int
  let month: Int
  let day: Int

  /// `nil` for a text that is no day from 2000 to 2100.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard text.utf8.count == 10, parts.count == 3, let year = parts[0], let month = parts[1],
      let day = parts[2], (2000...2100).contains(year), (1...12).contains(month),
      (1...Self.days(of: month, in: year)).contains(day)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  private static func days(of month: Int, in year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  /// The first instant of the day in a time zone, in milliseconds since 1970.
  ///
  /// - Parameter timeZone: an IANA identifier; an unknown one reads as UTC.
  func startMilliseconds(in timeZone: String) -> Int64 {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: timeZone) ?? .gmt
    let noon = calendar.date(from: DateComponents(year: year, month: month, day: day, hour: 12))
    guard let noon else { return 0 }
    return Int64((calendar.startOfDay(for: noon).timeIntervalSince1970 * 1000).rounded())
  }
}
