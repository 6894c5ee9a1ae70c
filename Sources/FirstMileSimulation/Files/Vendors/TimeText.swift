/// The ways in which vendors write a moment.
enum TimeText {
  /// `2026-01-21T10:00:00.123Z`.
  static func zulu(_ milliseconds: Int64) -> String {
    "\(date(milliseconds))T\(clock(milliseconds))Z"
  }

  /// `2026-01-21 10:00:00.123000`.
  static func spaced(_ milliseconds: Int64) -> String {
    "\(date(milliseconds)) \(clock(milliseconds))000"
  }

  private static func date(_ milliseconds: Int64) -> String {
    let date = CivilDate(day: DayClock.floor(milliseconds, World.day))
    return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
  }

  private static func clock(_ milliseconds: Int64) -> String {
    let rest = milliseconds - DayClock.floor(milliseconds, World.day) * World.day
    let (hour, minute) = (rest / 3_600_000, rest / 60_000 % 60)
    let second = padded(rest / 1_000 % 60, 2)
    return "\(padded(hour, 2)):\(padded(minute, 2)):\(second).\(padded(rest % 1_000, 3))"
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
