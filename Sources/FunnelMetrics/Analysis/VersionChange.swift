package import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// Completion of the newest version of a flow against the largest of its others, where the 95 %
/// interval of their difference excludes zero. People weren't randomised between them, so those of
/// the same days are compared where there are enough (``ComparedDays``).
package struct VersionChange {
  package let newest: Slice
  package let before: Slice
  /// Shares of people who completed.
  package let newestRate: Double
  package let rateBefore: Double
  /// Newest minus before, as a share.
  package let difference: EstimateWithInterval
  /// Whom the difference is of.
  package let basis: ComparedDays.Basis

  /// `nil` where there is no other version, nothing is shown, or attempts are counted, which depend
  /// on one another.
  package init?(_ analysis: Analysis) {
    guard let pair = VersionPair(analysis), !analysis.unmeasured.contains(.completionRate),
      analysis.flow.counting == .persons,
      let now = analysis.row(.completionRate, in: pair.newest)?.proportion,
      let then = analysis.row(.completionRate, in: pair.before)?.proportion,
      let rates = pair.days(of: TestedRate(.completionRate), analysis),
      let found = ComparedDays(
        now: rates.newest, before: rates.before,
        whole: ProportionComparison(treatment: now, control: then)
      ).difference(level: 0.95),
      found.estimate.interval.lower > 0 || found.estimate.interval.upper < 0,
      let newestRate = now.estimate, let rateBefore = then.estimate
    else { return nil }
    newest = pair.newest
    before = pair.before
    self.newestRate = newestRate
    self.rateBefore = rateBefore
    (difference, basis) = (found.estimate, found.basis)
  }

  /// Whether the rates of everybody moved the other way, or not at all.
  package var isOtherThanRates: Bool { (newestRate - rateBefore) * difference.estimate <= 0 }
}
