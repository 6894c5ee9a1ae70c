internal import ExperimentStatistics
package import FlowDefinition
internal import FunnelEngine

/// Whether a step loses clearly more, or fewer, of those who reach it on one device, in one
/// language or with one release than of all others.
///
/// Each group is compared with everybody else who reached the step (``GroupTests``), and the
/// correction is over all groups of the step.
package struct StepGroups {
  package struct Group {
    package let slice: Slice
    package fileprivate(set) var standsOut = false
  }

  /// The values of one dimension that are shown, the largest first; releases in their order.
  package struct Panel {
    package let panel: BreakdownPanel
    package fileprivate(set) var groups: [Group]
  }

  /// Of fewer people lost, every group's share swings by chance.
  package static let fewestLost = 20
  private static let mostValues = 4

  /// Empty where the step lost too few.
  package private(set) var panels: [Panel] = []

  /// Properties that are known later are left out: people who leave early have none of them.
  ///
  /// - Returns: `nil` where no property is known at entry.
  package init?(_ step: Step, _ analysis: Analysis) {
    func left(_ slice: Slice) -> Proportion? {
      analysis.row(.stepDropOff, step: step.id, in: slice).map(\.proportion)
    }
    let known = BreakdownPanel.all(analysis).filter { !$0.isKnownLater }
    if known.isEmpty { return nil }
    guard let all = left(.all), all.successes >= StepGroups.fewestLost else { return }
    panels = known.map { panel in
      let shown = panel.slices.filter {
        !$0.breakdown.value.hasPrefix("(") && left($0)?.trials ?? 0 > 0
      }
      return Panel(
        panel: panel, groups: shown.prefix(StepGroups.mostValues).map { Group(slice: $0) })
    }.filter { !$0.groups.isEmpty }
    judge(all, alpha: analysis.flow.statistics.alpha, left)
  }

  private mutating func judge(
    _ all: Proportion, alpha: Double, _ left: (Slice) -> Proportion?
  ) {
    let groups = panels.indices.flatMap { panel in
      panels[panel].groups.indices.map { (panel: panel, group: $0) }
    }
    let tests = GroupTests(
      groups.map { left(panels[$0.panel].groups[$0.group].slice) }, of: all, alpha: alpha)
    for (place, standsOut) in zip(groups, tests.standOut) {
      panels[place.panel].groups[place.group].standsOut = standsOut
    }
  }

  /// Whether any group differs clearly from the others.
  package var hasOneStandingOut: Bool {
    panels.contains { $0.groups.contains(where: \.standsOut) }
  }
}
