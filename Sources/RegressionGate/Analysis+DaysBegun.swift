internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

extension Analysis {
  /// The first and the last day on which somebody began whose window is over; `nil` without such a
  /// day, and where people are not grouped by day.
  var daysBegun: DaySpan? {
    let days = cohorts(in: .all).compactMap { cohort -> Int? in
      let slice = Slice(breakdown: BreakdownKey(dimension: BreakdownKey.cohort, value: cohort))
      guard let persons = row(.persons, in: slice)?.numerator, persons > 0 else { return nil }
      return InstantReader.day(cohort)
    }
    guard let first = days.min(), let last = days.max() else { return nil }
    return DaySpan(first: first, last: last)
  }
}
