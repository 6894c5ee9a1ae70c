internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// Whether completion of the people of one device or language differs clearly from that of all
/// others (``GroupTests``), the correction over all values that a page shows.
///
/// Properties that are known later are left out: people who leave early have none of them. So are
/// releases, each of which is held against the one before it (``ReleaseChange``).
package struct CompletionGroups {
  package struct Group {
    package let panel: BreakdownPanel
    package let slice: Slice
    package let isHigher: Bool
  }

  /// Those that differ, in the order of the page.
  package let standingOut: [Group]

  /// - Returns: `nil` where no group could be judged.
  package init?(_ analysis: Analysis) {
    guard !analysis.unmeasured.contains(.completionRate),
      let all = analysis.row(.completionRate)?.proportion
    else { return nil }
    let panels = BreakdownPanel.all(analysis).filter { !$0.isKnownLater && !$0.isRelease }
    let groups = panels.flatMap { panel in
      panel.slices.filter { !$0.breakdown.value.hasPrefix("(") }.map { (panel: panel, slice: $0) }
    }
    let rates = groups.map { analysis.row(.completionRate, in: $0.slice)?.proportion }
    let tests = GroupTests(rates, of: all, alpha: analysis.flow.statistics.alpha)
    guard tests.judged > 0 else { return nil }
    standingOut = groups.indices.filter { tests.standOut[$0] }.map { index in
      Group(
        panel: groups[index].panel, slice: groups[index].slice,
        isHigher: (rates[index]?.estimate ?? 0) > (all.estimate ?? 0))
    }
  }

  package func verdict(_ slice: Slice) -> Group? { standingOut.first { $0.slice == slice } }
}
