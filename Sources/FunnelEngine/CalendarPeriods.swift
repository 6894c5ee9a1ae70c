/// Hours, days, weeks or months of one time zone, numbered in order.
public struct CalendarPeriods: Sendable {
  /// How long a period is.
  public enum Unit: String, Sendable, Hashable, CaseIterable {
    case hour, day, week, month
  }
  /// The first day of a week; it matters to periods of weeks only.
  public enum WeekStart: String, Sendable, Hashable, CaseIterable {
    case monday, sunday
  }

  /// How long each period is.
  public let unit: Unit
  /// On which day weeks begin.
  public let weekStart: WeekStart
  let calendar: CivilCalendar

  static let hourMilliseconds: Int64 = 3_600_000

  /// - Parameter timeZone: an IANA identifier.
  public init(_ unit: Unit, weekStart: WeekStart = .monday, timeZone: String) {
    self.init(unit, weekStart: weekStart, calendar: CivilCalendar(timeZone: timeZone))
  }

  init(_ unit: Unit, weekStart: WeekStart, calendar: CivilCalendar) {
    self.unit = unit
    self.weekStart = weekStart
    self.calendar = calendar
  }

  /// The number of the period that a moment is in; the next period has the next number.
  public func number(of milliseconds: Int64) -> Int {
    switch unit {
    case .hour:
      return Int(
        CalendarPeriods.floor(hourStart(of: milliseconds), CalendarPeriods.hourMilliseconds))
    case .day: return calendar.day(of: milliseconds)
    case .week: return week(ofDay: calendar.day(of: milliseconds))
    case .month:
      let (year, month, _) = CivilCalendar.date(ofDay: calendar.day(of: milliseconds))
      return year * 12 + month - 1
    }
  }

  /// The first moment of a period, in milliseconds since 1970.
  public func start(of number: Int) -> Int64 {
    switch unit {
    case .hour:
      return hourStart(of: Int64(number + 1) * CalendarPeriods.hourMilliseconds - 1)
    case .day, .week, .month: return calendar.start(ofDay: firstDay(of: number))
    }
  }

  /// `2026-01-05` for a day and for the week that begins on it, `2026-01` for a month,
  /// `2026-01-05T13:00Z` for an hour: by the clock of a time zone, an hour of the year comes twice.
  public func label(of number: Int) -> String {
    switch unit {
    case .hour:
      let start = start(of: number)
      let day = Int(CalendarPeriods.floor(start, AttemptEvaluator.dayMilliseconds))
      let minutes = Int(start - Int64(day) * AttemptEvaluator.dayMilliseconds) / 60_000
      let clock = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
      return CivilCalendar.label(ofDay: day, unit: .day) + "T" + clock.joined(separator: ":") + "Z"
    case .day, .week: return CivilCalendar.label(ofDay: firstDay(of: number), unit: .day)
    case .month: return CivilCalendar.label(ofDay: firstDay(of: number), unit: .month)
    }
  }

  private func firstDay(of number: Int) -> Int {
    switch unit {
    case .hour, .day: number
    case .week: number * 7 - daysBeforeFirstWeek
    // Months of years of our era: the calendar's table begins in 1999.
    case .month: CivilCalendar.dayNumber(year: number / 12, month: number % 12 + 1, day: 1)
    }
  }

  /// 1970-01-01 was a Thursday.
  private var daysBeforeFirstWeek: Int { weekStart == .monday ? 3 : 4 }

  private func week(ofDay day: Int) -> Int {
    CalendarPeriods.floor(day + daysBeforeFirstWeek, 7)
  }

  /// The first moment of the hour of the time zone that a moment is in: in some zones hours begin
  /// at half past those of UTC.
  func hourStart(of milliseconds: Int64) -> Int64 {
    let day = calendar.start(ofDay: calendar.day(of: milliseconds))
    let hours = CalendarPeriods.floor(milliseconds - day, CalendarPeriods.hourMilliseconds)
    return day + hours * CalendarPeriods.hourMilliseconds
  }

  static func floor<Number: BinaryInteger>(_ number: Number, _ divisor: Number) -> Number {
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
