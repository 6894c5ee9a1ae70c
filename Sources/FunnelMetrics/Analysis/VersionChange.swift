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
    let versions = analysis.seenVersions
    guard let newest = versions.first(where: { $0.version == analysis.flow.newestVersion }),
      !analysis.unmeasured.contains("completion_rate"), analysis.flow.counting == .persons
    else { return nil }
    let persons = analysis.slices.layout[.persons]
    let others = versions.filter { $0 != newest }
    guard
      let before = others.reversed().max(by: {
        analysis.slices.count($0, persons) < analysis.slices.count($1, persons)
      }), let now = analysis.row("completion_rate", in: newest)?.proportion,
      let then = analysis.row("completion_rate", in: before)?.proportion,
      let difference = ProportionComparison(treatment: now, control: then).difference().value,
      difference.interval.lower > 0 || difference.interval.upper < 0,
      let newestRate = now.estimate, let rateBefore = then.estimate
    else { return nil }
    self.newest = newest
    self.before = before
    self.newestRate = newestRate
    self.rateBefore = rateBefore
    self.difference = difference
  }
}
