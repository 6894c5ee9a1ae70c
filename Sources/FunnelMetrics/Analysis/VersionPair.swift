internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// The newest version of a flow, and the largest of its others.
struct VersionPair {
  let newest: Slice
  let before: Slice

  /// `nil` where people met one version, or none is the newest.
  init?(_ analysis: Analysis) {
    let versions = analysis.seenVersions
    guard let newest = versions.first(where: { $0.version == analysis.flow.newestVersion }) else {
      return nil
    }
    let persons = analysis.slices.layout[.persons]
    let largest = versions.filter { $0 != newest }.reversed().max {
      analysis.slices.count($0, persons) < analysis.slices.count($1, persons)
    }
    guard let before = largest else { return nil }
    self.newest = newest
    self.before = before
  }

  /// A rate that experiments test, of either version by the day of entry; `nil` for another rate.
  func days(
    of rate: TestedRate, _ analysis: Analysis
  ) -> (newest: [Int: Proportion], before: [Int: Proportion])? {
    let rates = ExperimentAnalysis.metrics(analysis.flow, analysis.slices.layout)
    guard let rate = rates.first(where: { $0.metric == rate.metric && $0.step == rate.step })
    else { return nil }
    func days(_ slice: Slice) -> [Int: Proportion] {
      analysis.tally.versionDays
        .rate(rate.numerators, among: rate.denominator, of: slice.version)
        .mapValues { Proportion(successes: $0.successes, trials: $0.trials) }
    }
    return (days(newest), days(before))
  }
}
