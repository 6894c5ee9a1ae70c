internal import FlowDefinition
internal import FunnelEngine
package import FunnelMetrics
internal import ReportText

extension Report {
  /// The first and the last day on which people of a slice can have started, as days since 1970;
  /// `nil` where nobody did. For everyone these are the days themselves. Weeks and months of slices
  /// reach beyond the data and the dates that were asked for, and are cut to these.
  package func startDays(of slice: Slice = .all) -> ClosedRange<Int>? {
    if slice == .all, let days = analysis.tally.startDays { return days }
    let cohorts = analysis.cohorts(of: slice).compactMap { CohortDates($0.cohort) }
    guard let first = cohorts.first?.first, let last = cohorts.last?.last else { return nil }
    let calendar = CivilCalendar(timeZone: analysis.flow.timeZone)
    func day(_ option: String) -> Int? {
      provenance.options[option].flatMap { InstantReader.day($0) }
    }
    let ends = [
      lastDayBeforeTo(calendar), day("as_of"),
      provenance.horizonMilliseconds.map { calendar.day(of: $0) },
      analysis.tally.startDays?.upperBound,
    ].compactMap { $0 }.filter { $0 >= first }
    let begin = analysis.tally.startDays?.lowerBound ?? day("from")
    let start = max(first, min(begin ?? first, last))
    return start...max(start, min(last, ends.min() ?? last))
  }

  /// `--to` is a moment before which people began: a date is not in the period itself.
  private func lastDayBeforeTo(_ calendar: CivilCalendar) -> Int? {
    guard let text = provenance.options["to"] else { return nil }
    return InstantReader.day(text).map { $0 - 1 }
      ?? InstantReader.milliseconds(text).map { calendar.day(of: $0 - 1) }
  }
}
