package import ExperimentStatistics
package import FlowDefinition
internal import FunnelEngine

/// The persons of a permission whose own list of steps asks for it.
///
/// An older version, or a variant, may have no such step; its persons could hardly grant, and say
/// nothing about how well the flow asks.
package struct EligiblePersons {
  /// Granted in any way, of those whose list asks.
  package let optIn: Proportion
  /// Persons whose list does not ask.
  package let others: Int
  package let interval: StatisticsSettings.RateInterval

  /// `nil` where no step asks for the permission, or everybody's list does.
  package init?(_ permission: String, _ analysis: Analysis) {
    let flow = analysis.flow
    interval = flow.statistics.rateInterval
    guard let index = flow.permissions.firstIndex(of: permission) else { return nil }
    let asking = flow.steps.indices.filter { flow.steps[$0].asks.contains(permission) }
    guard !asking.isEmpty else { return nil }
    let layout = analysis.slices.layout
    var (granted, persons, all) = (0, 0, 0)
    // A group has one version and one set of variants, so all of it has the same list.
    for (key, counts) in analysis.tally.cells where key.breakdown == .all {
      let own = counts[layout[.persons]]
      all += own
      if asking.contains(where: { counts[layout[.listed, $0]] > 0 }) {
        persons += own
        granted += counts[layout[.optIn, index]]
      }
    }
    guard persons > 0, persons < all else { return nil }
    optIn = Proportion(successes: granted, trials: persons)
    others = all - persons
  }
}
