import Foundation
import FunnelEngine
import Testing

/// Days of a time zone that are longer or shorter than 24 hours.
struct CivilCalendarTests {
  private static let hour: Int64 = 3_600_000
  /// 2026-03-28T23:00:00Z: midnight in Berlin, before the day of 23 hours.
  private static let shortDay: Int64 = 1_774_738_800_000
  /// 2026-10-24T22:00:00Z: midnight in Berlin, before the day of 25 hours.
  private static let longDay: Int64 = 1_792_879_200_000

  @Test(arguments: [
    (shortDay, 1, shortDay + 23 * hour), (shortDay + 23 * hour, -1, shortDay),
    (longDay, 1, longDay + 25 * hour), (longDay + 25 * hour, -1, longDay),
    // The same time of the day, counted from its start.
    (shortDay + 12 * hour, 1, shortDay + 35 * hour),
    (shortDay + 23 * hour + 5, -2, shortDay - 24 * hour + 5),
    // The last hour of a day that has more.
    (longDay + 24 * hour + 1, 1, longDay + 49 * hour - 1),
    (longDay, 0, longDay),
  ])
  func momentsMoveByDaysOfTheirZone(moment: Int64, days: Int, expected: Int64) {
    let calendar = CivilCalendar(timeZone: "Europe/Berlin")
    #expect(calendar.moment(moment, movedByDays: days) == expected)
  }

  /// Zones that change twice within a month or a week, at midnight or by half an hour, or that moved
  /// to other hours for good.
  @Test(arguments: [
    "Africa/Cairo", "Africa/Casablanca", "America/Boa_Vista", "America/Caracas",
    "America/Recife", "America/Sao_Paulo", "Asia/Gaza", "Asia/Pyongyang", "Australia/Lord_Howe",
    "Europe/Berlin", "Pacific/Kiritimati",
  ])
  func everyDayBeginsAtItsFirstInstant(identifier: String) throws {
    let zone = try #require(TimeZone(identifier: identifier))
    func localDay(at milliseconds: Int64) -> Int {
      let instant = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      let local = milliseconds + Int64(zone.secondsFromGMT(for: instant)) * 1000
      return Int(local / (24 * CivilCalendarTests.hour))
    }
    let calendar = CivilCalendar(timeZone: identifier)
    // To 2019, and the year in which Gaza changes twice in a week.
    for day in Array(10_960..<18_000) + Array(25_600..<25_950) {
      let start = calendar.start(ofDay: day)
      #expect(localDay(at: start) == day)
      #expect(localDay(at: start - 1) == day - 1)
      #expect(calendar.day(of: start) == day && calendar.day(of: start - 1) == day - 1)
    }
  }
}
