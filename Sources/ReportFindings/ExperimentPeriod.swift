internal import FlowDefinition
internal import FunnelEngine
package import FunnelMetrics
internal import ReportText

/// Since when an experiment takes people in, whether it still does, and what end is planned.
package struct ExperimentPeriod {
  private let experiment: Experiment
  private let horizon: Int64?
  private let calendar: CivilCalendar
  /// The first and the last day on which people of a variant started, as far as cohorts say.
  private let days: ClosedRange<Int>?
  private let isByDay: Bool
  /// The first day of the first cohort, whole.
  private let firstOfCohort: Int?
  private let entered: Int
  private let basis: String?

  /// Nobody for so many days means that the experiment takes nobody in any more.
  private static let quietDays = 14

  package init?(_ report: Report, _ summary: ExperimentSummary) {
    let flow = report.analysis.flow
    guard let experiment = flow.experiments.first(where: { $0.id == summary.id }) else {
      return nil
    }
    self.experiment = experiment
    horizon = report.provenance.horizonMilliseconds
    calendar = CivilCalendar(timeZone: flow.timeZone)
    let declared = summary.arms.filter { $0.share != nil }
    entered = declared.reduce(0) { $0 + $1.entered }
    basis = entered > 0 ? LookRule.basis(summary) : nil
    let slices = declared.map { Slice(experiment: summary.id, variant: $0.variant) }
    let all = slices.compactMap { report.startDays(of: $0) }
    days = all.map(\.lowerBound).min().flatMap { first in
      all.map(\.upperBound).max().map { first...max(first, $0) }
    }
    firstOfCohort =
      slices.flatMap { report.analysis.cohorts(of: $0) }
      .compactMap { CohortDates($0.cohort)?.first }.min()
    isByDay = slices.allSatisfy { slice in
      report.analysis.cohorts(of: slice).allSatisfy {
        CohortDates($0.cohort).map { $0.first == $0.last } ?? false
      }
    }
  }

  /// `Running, with people since the week of 5 Jan 2026. No end date or sample size is set.`
  package var sentence: String { "\(state). \(plan)" }

  /// And which rule its verdicts follow, so that two experiments can be read side by side.
  package var text: String { basis.map { "\(sentence) \($0)" } ?? sentence }

  private func day(_ milliseconds: Int64) -> String {
    DateText.day(calendar.day(of: milliseconds))
  }

  private var since: String {
    if let start = experiment.startMilliseconds { return "since \(day(start))" }
    guard let days else { return "and nobody has started yet" }
    // All started on one day: that is a date, whatever a cohort is.
    let isDay = isByDay || days.count == 1
    let first = isDay ? days.lowerBound : firstOfCohort ?? days.lowerBound
    return "with people since \(isDay ? "" : "the week of ")\(DateText.day(first))"
  }

  private var state: String {
    if let end = experiment.endMilliseconds, let horizon, horizon >= end {
      return "Ended \(day(end)), \(since)"
    }
    if let horizon, let days, calendar.day(of: horizon) - days.upperBound > Self.quietDays {
      let last = DateText.day(days.upperBound)
      return days.count == 1
        ? "All of its people joined on \(last), and nobody since"
        : "Nobody has joined after \(last), \(since)"
    }
    return "Running, \(since)"
  }

  private var plan: String {
    if let people = experiment.plannedPeople {
      return "Planned end: \(NumberText.grouped(people)) people, of whom "
        + "\(NumberText.grouped(entered)) have entered."
    }
    if let end = experiment.endMilliseconds { return "Planned end: \(InstantText.minute(end))." }
    return "No end date or sample size is set."
  }
}
