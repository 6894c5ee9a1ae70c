package import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// A release against the one before it without the weeks of people some of whose events are
/// missing: a release that comes after an outage would else be praised for it.
package struct ReleaseBesideGaps {
  /// New minus before, at the level of the plain difference; `nil` where too few people are left,
  /// or not all are known by week.
  package let difference: EstimateWithInterval?
  /// Of how many people of both releases.
  package let people: Int
  /// Whether the change is shown without those weeks as well, and the same way.
  package let isShownToo: Bool

  /// `nil` where nobody of either release started in such a week.
  package init?(_ change: ReleaseChange, _ analysis: Analysis) {
    let weeks = Set(
      analysis.daysWithGaps.map { CivilCalendar.label(ofDay: $0, unit: .week) })
    guard !weeks.isEmpty else { return nil }
    let people = ReleaseAmongAlike.people(change, analysis)
    let rest = people.filter { !weeks.contains($0.values.last ?? "") }
    guard rest.count < people.count else { return nil }
    func finished(_ people: [ReleaseAmongAlike.People], ofRelease isOfRelease: Bool) -> Proportion {
      Proportion.sum(people.filter { $0.isOfRelease == isOfRelease }.map(\.finished))
    }
    let (release, before) = (
      finished(rest, ofRelease: true), finished(rest, ofRelease: false)
    )
    self.people = release.trials + before.trials
    guard ReleaseAmongAlike.areKept(people, change),
      min(release.trials, before.trials) >= ReleaseChange.fewestPeople,
      let difference = ProportionComparison(treatment: release, control: before)
        .difference(level: change.level).value
    else {
      (difference, isShownToo) = (nil, false)
      return
    }
    self.difference = difference
    let bounds = difference.interval
    isShownToo =
      change.isShown && (change.difference.estimate < 0 ? bounds.upper < 0 : bounds.lower > 0)
  }
}
