internal import FunnelMetrics
internal import ReportText

extension CohortChange {
  /// `around 9 Mar 2026`: a change in the middle of a week begins on either side of it. `on 9 Mar
  /// 2026`, of days.
  static func date(_ cohort: Slice) -> String {
    guard let dates = CohortDates(cohort.cohort) else { return "at \(cohort.cohort)" }
    return "\(dates.first == dates.last ? "on" : "around") \(DateText.day(dates.first))"
  }

  var date: String { CohortChange.date(cohort) }
}
