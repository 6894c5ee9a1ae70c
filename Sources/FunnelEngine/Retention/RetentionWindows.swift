/// In which period after a start a moment is, by a matrix's rules.
struct RetentionWindows: Sendable {
  let periods: CalendarPeriods
  private let windows: RetentionMatrixRules.Windows
  private let isRounded: Bool

  init(_ question: RetentionMatrix.Question, calendar: CivilCalendar) {
    periods = CalendarPeriods(
      question.unit, weekStart: question.rules.weekStart, calendar: calendar)
    windows = question.rules.windows
    isRounded = question.rules.isRounded
  }

  /// Days in a rolling period of whole days.
  private var days: Int {
    switch periods.unit {
    case .hour: 0
    case .day: 1
    case .week: 7
    case .month: 30
    }
  }

  private var length: Int64 {
    periods.unit == .hour
      ? CalendarPeriods.hourMilliseconds : Int64(days) * AttemptEvaluator.dayMilliseconds
  }

  /// Weeks and months are counted in dates.
  private var countsDates: Bool { isRounded && days > 1 }

  /// How many periods lie between a start and a later moment.
  func distance(from start: Int64, to moment: Int64) -> Int {
    switch windows {
    case .calendar: return periods.number(of: moment) - periods.number(of: start)
    case .rolling where countsDates:
      let calendar = periods.calendar
      return (calendar.day(of: moment) - calendar.day(of: start)) / days
    case .rolling where isRounded:
      return Int((periods.hourStart(of: moment) - periods.hourStart(of: start)) / length)
    case .rolling: return Int((moment - start) / length)
    }
  }

  /// The first moment of the period so many after a start's.
  func begin(_ distance: Int, after start: Int64) -> Int64 {
    switch windows {
    case .calendar: return periods.start(of: periods.number(of: start) + distance)
    case .rolling where countsDates:
      return periods.calendar.start(
        ofDay: periods.calendar.day(of: start) + distance * days)
    case .rolling where isRounded:
      return periods.hourStart(of: start) + Int64(distance) * length
    case .rolling: return start + Int64(distance) * length
    }
  }

  /// Equal for starts whose windows are equal.
  func mark(of start: Int64) -> Int64 {
    switch windows {
    case .calendar: Int64(periods.number(of: start))
    case .rolling where countsDates: Int64(periods.calendar.day(of: start))
    case .rolling where isRounded: periods.hourStart(of: start)
    case .rolling: start
    }
  }
}
