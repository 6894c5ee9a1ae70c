package import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// A release against the one before it without the weeks of people some of whose events are
/// missing: a release that comes after an outage would else be praised for it.
package struct ReleaseBesideGaps {
  /// New minus before, as the plain difference and at its level; `nil` where too few people are
  /// left.
  package let difference: EstimateWithInterval?
  /// Whom the difference is of.
  package let basis: ComparedDays.Basis
  /// Of how many people of both releases.
  package let people: Int
  /// Whether the change is shown without those weeks as well, and the same way.
  package let isShownToo: Bool

  /// `nil` where nobody of either release started in such a week.
  package init?(_ change: ReleaseChange, _ analysis: Analysis) {
    let weeks = Set(
      analysis.daysWithGaps.map { CivilCalendar.label(ofDay: $0, unit: .week) })
    let sides = [change.release, change.before].map { ReleaseChange.days($0, analysis) }
    let rest = sides.map { days in
      days.filter { !weeks.contains(CivilCalendar.label(ofDay: $0.key, unit: .week)) }
    }
    guard rest != sides else { return nil }
    let (release, before) = (
      Proportion.sum(rest[0].map(\.value)), Proportion.sum(rest[1].map(\.value))
    )
    people = release.trials + before.trials
    guard min(release.trials, before.trials) >= ReleaseChange.fewestPeople,
      let found = ComparedDays(
        now: rest[0], before: rest[1],
        whole: ProportionComparison(treatment: release, control: before)
      ).difference(level: change.level)
    else {
      (difference, basis, isShownToo) = (nil, .people, false)
      return
    }
    (difference, basis) = (found.estimate, found.basis)
    let bounds = found.estimate.interval
    isShownToo =
      change.isShown && (change.difference.estimate < 0 ? bounds.upper < 0 : bounds.lower > 0)
  }
}
