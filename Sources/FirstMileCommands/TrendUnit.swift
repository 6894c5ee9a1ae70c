import ArgumentParser
import FunnelEngine

/// The periods that a funnel's trend is shown in.
enum TrendUnit: String, CaseIterable, ExpressibleByArgument {
  case day, week, month

  var period: CalendarPeriods.Unit {
    switch self {
    case .day: .day
    case .week: .week
    case .month: .month
    }
  }
}
