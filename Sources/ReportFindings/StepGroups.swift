internal import ExperimentStatistics
package import FlowDefinition
internal import FunnelEngine
package import FunnelMetrics

/// Whether a step loses clearly more, or fewer, of those who reach it on one device, in one
/// language or with one release than of all others.
///
/// Each group is compared with everybody else who reached the step by Fisher's exact test
/// (``ProportionComparison/fisherExact()``), and Holm's correction is over all groups of the step
/// that are judged, so that the chance that any of them is wrongly named is at most alpha.
package struct StepGroups {
  /// The values of one dimension that are shown, the largest first; releases in their order.
  package struct Panel {
    package let panel: BreakdownPanel
    package let slices: [Slice]
  }

  /// Of fewer people lost, every group's share swings by chance.
  package static let fewestLost = 20
  private static let mostValues = 4

  package let panels: [Panel]
  /// The places of groups that stand out: of a panel, and in it.
  package let standingOut: [(panel: Int, slice: Int)]

  /// Properties that are known later are left out: people who leave early have none of them.
  ///
  /// - Returns: `nil` where the step lost too few, or no dimension has values.
  package init?(_ step: Step, _ analysis: Analysis) {
    func left(_ slice: Slice) -> Proportion? {
      analysis.row("step_drop_off", step: step.id, in: slice).map(\.proportion)
    }
    guard let all = left(.all), all.successes >= StepGroups.fewestLost else { return nil }
    panels = BreakdownPanel.all(analysis).filter { !$0.isKnownLater }.map { panel in
      Panel(
        panel: panel,
        slices: Array(
          panel.slices.filter {
            !$0.breakdown.value.hasPrefix("(") && left($0)?.trials ?? 0 > 0
          }.prefix(StepGroups.mostValues)))
    }.filter { !$0.slices.isEmpty }
    guard !panels.isEmpty else { return nil }
    var places: [(panel: Int, slice: Int)] = []
    var pValues: [Double] = []
    for (index, panel) in panels.enumerated() {
      for (place, slice) in panel.slices.enumerated() {
        guard let group = left(slice), group.trials >= LeavingPlaces.fewestViewers,
          all.trials - group.trials >= LeavingPlaces.fewestViewers
        else { continue }
        let others = Proportion(
          successes: all.successes - group.successes, trials: all.trials - group.trials)
        let pair = ProportionComparison(treatment: group, control: others)
        places.append((index, place))
        pValues.append(pair.fisherExact().value ?? 1)
      }
    }
    let alpha = analysis.flow.statistics.alpha
    standingOut = zip(places, MultipleTesting.holm.adjust(pValues)).filter { $1 < alpha }.map(\.0)
  }
}
