package import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// Completion of the newest version of a flow against the largest of its others, where the 95 %
/// interval of their difference excludes zero. People weren't randomised between them.
package struct VersionChange {
  package let newest: Slice
  package let before: Slice
  /// Shares of people who completed.
  package let newestRate: Double
  package let rateBefore: Double
  /// Newest minus before, as a share.
  package let difference: EstimateWithInterval

  /// `nil` where there is no other version, nothing is shown, or attempts are counted, which depend
  /// on one another.
  package init?(_ analysis: Analysis) {
    guard let pair = VersionPair(analysis), !analysis.unmeasured.contains(.completionRate),
      analysis.flow.counting == .persons,
      let now = analysis.row(.completionRate, in: pair.newest)?.proportion,
      let then = analysis.row(.completionRate, in: pair.before)?.proportion,
      let difference = ProportionComparison(treatment: now, control: then).difference().value,
      difference.interval.lower > 0 || difference.interval.upper < 0,
      let newestRate = now.estimate, let rateBefore = then.estimate
    else { return nil }
    newest = pair.newest
    before = pair.before
    self.newestRate = newestRate
    self.rateBefore = rateBefore
    self.difference = difference
  }
}
