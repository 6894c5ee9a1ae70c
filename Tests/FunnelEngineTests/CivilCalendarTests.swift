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
}
