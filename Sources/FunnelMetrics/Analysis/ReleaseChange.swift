package import ExperimentStatistics
package import FlowDefinition
internal import FunnelEngine
internal import ReportText

/// Completion of the people who started with a release of the app against those who started with
/// the release before it. People weren't randomised between them.
package struct ReleaseChange {
  package let release: Slice
  package let before: Slice
  package let rate: Datum
  package let rateBefore: Datum
  /// New minus before, as a share; at a level that all changes of a report share.
  package let difference: EstimateWithInterval
  /// Whom the difference is of.
  package let basis: ComparedDays.Basis
  package let level: Double
  /// The step that nobody with the release gets past, where nobody finished with it.
  package let blockingStep: Step?

  /// A rate of fewer people could be anything.
  package static let fewestPeople = ComparedDays.fewestPeople

  /// Whether the interval leaves out 0.
  package var isShown: Bool { difference.interval.lower > 0 || difference.interval.upper < 0 }

  /// Whether nobody finished with the release, though of so many people some should if it were a
  /// tenth of those who did before: an event that is no longer sent rather than a bad release,
  /// unless a step before the end stops everybody.
  package var isWithoutCompletions: Bool {
    blockingStep == nil && ReleaseChange.isWithoutCompletions(rate, after: rateBefore)
  }

  private static func isWithoutCompletions(_ rate: Datum, after before: Datum) -> Bool {
    rate.row.numerator == 0
      && UnlikelyAbsence.holds(
        share: (before.row.value ?? 0) / 10, trials: rate.row.denominator ?? 0)
  }

  /// Why completion of such a release's people is unknown.
  package var reasonWithoutCompletions: Unmeasured.Reason {
    let names = [release, before].map { SafeText.name($0.breakdown.value, limit: 24) }
    let people = NumberText.grouped(rate.row.denominator ?? 0)
    return Unmeasured.Reason(
      subject: "completion with release \(names[0])",
      missing: "none of the \(people) people who started with it finished, after "
        + "\(RateText.percent(rateBefore.row.value ?? 0)) with \(names[1]): see whether it still "
        + "sends 'onboarding_completed'",
      candidates: [])
  }

  /// By the dimensions of releases as the flow lists them, in the order of the releases; none where
  /// attempts are counted, which depend on one another. The level is Bonferroni's, so that all
  /// intervals hold together. Nothing is held against a release of which completion is unknown.
  package static func all(_ analysis: Analysis) -> [ReleaseChange] {
    guard !analysis.unmeasured.contains(.completionRate), analysis.flow.counting == .persons
    else { return [] }
    let releases = analysis.flow.releaseDimensions.map { ReleaseChange.releases($0, analysis) }
    let pairs = releases.reduce(0) { $0 + max(0, $1.count - 1) }
    let level = 1 - analysis.flow.statistics.alpha / Double(max(1, pairs))
    return releases.flatMap { releases -> [ReleaseChange] in
      guard var before = releases.first else { return [] }
      return releases.dropFirst().compactMap { release in
        let change = ReleaseChange(release, before, level, analysis)
        if !(change?.isWithoutCompletions ?? false) { before = release }
        return change
      }
    }
  }

  private init?(_ release: Slice, _ before: Slice, _ level: Double, _ analysis: Analysis) {
    guard let rate = analysis.datum(.completionRate, in: release),
      let rateBefore = analysis.datum(.completionRate, in: before),
      let found = ComparedDays(
        now: ReleaseChange.days(release, analysis), before: ReleaseChange.days(before, analysis),
        whole: ProportionComparison(
          treatment: rate.row.proportion, control: rateBefore.row.proportion)
      ).difference(level: level)
    else { return nil }
    (self.release, self.before, self.rate, self.rateBefore) = (release, before, rate, rateBefore)
    (difference, basis) = (found.estimate, found.basis)
    self.level = level
    blockingStep =
      ReleaseChange.isWithoutCompletions(rate, after: rateBefore)
      ? ReleaseChange.blockingStep(release, before, analysis) : nil
  }

  /// Who started with a release on each day, and finished.
  static func days(_ release: Slice, _ analysis: Analysis) -> [Int: Proportion] {
    var days: [Int: Proportion] = [:]
    for (key, counts) in analysis.tally.releaseDays
    where key.release == release.breakdown && counts.persons > 0 {
      days[key.day] = Proportion(successes: counts.finished, trials: counts.persons)
    }
    return days
  }

  /// Those of enough people, in their order.
  private static func releases(_ dimension: Dimension, _ analysis: Analysis) -> [Slice] {
    analysis.slices.slices.filter {
      $0.uncut == .all && $0.breakdown.dimension == dimension.id
        && !$0.breakdown.value.hasPrefix("(")
        && analysis.slices.count($0, analysis.slices.layout[.persons]) >= fewestPeople
    }.sorted { ReleaseOrder.precedes($0.breakdown.value, $1.breakdown.value) }
  }
}

extension Flow {
  /// Those whose values are releases of the app, as it was when people started.
  package var releaseDimensions: [Dimension] {
    dimensions.filter { $0.isRelease && !$0.isKnownLater }
  }
}
