internal import ExperimentStatistics
package import FlowDefinition
internal import FunnelEngine

/// What else than completion is another with the newest version of a flow than with the largest of
/// its others: a version that more people finish can bring fewer of them anywhere. People weren't
/// randomised between them.
package struct VersionRates {
  /// A rate that is shown to differ.
  package struct Change {
    package let metric: MetricName
    package let step: String
    package let newest: Datum
    package let before: Datum
    /// Newest minus before, as a share.
    package let difference: Double
    /// By Holm's method, over all rates.
    package fileprivate(set) var pAdjusted: Double

    package var isWorse: Bool {
      (difference < 0) == (MetricCatalog.betterDirection(metric) == .higher)
    }
  }

  /// Fewer people of a version could have any rate.
  static let fewestPeople = 20

  package let newest: Slice
  package let before: Slice
  /// What is worse first, then by how clear it is.
  package let changes: [Change]

  /// `nil` where there is no other version, nothing is shown, or attempts are counted, which depend
  /// on one another.
  package init?(_ analysis: Analysis) {
    guard let pair = VersionPair(analysis), analysis.flow.counting == .persons else { return nil }
    var tested = analysis.flow.testedRates.compactMap { rate -> Change? in
      guard rate.metric != .completionRate,
        !analysis.unmeasured.contains(rate.metric, step: rate.step),
        let newest = analysis.datum(rate.metric, step: rate.step, in: pair.newest),
        let before = analysis.datum(rate.metric, step: rate.step, in: pair.before)
      else { return nil }
      let (now, then) = (newest.row.proportion, before.row.proportion)
      let comparison = ProportionComparison(treatment: now, control: then)
      // What nobody of the older version has may be new with the newer one.
      guard min(now.trials, then.trials) >= Self.fewestPeople, then.successes > 0,
        let share = now.estimate, let shareBefore = then.estimate,
        let p = comparison.scoreTest().value?.twoSidedP
      else { return nil }
      return Change(
        metric: rate.metric, step: rate.step, newest: newest, before: before,
        difference: share - shareBefore, pAdjusted: p)
    }
    for (index, p) in MultipleTesting.holm.adjust(tested.map(\.pAdjusted)).enumerated() {
      tested[index].pAdjusted = p
    }
    let shown = tested.filter { $0.pAdjusted < analysis.flow.statistics.alpha }
    guard !shown.isEmpty else { return nil }
    newest = pair.newest
    before = pair.before
    changes = shown.enumerated().sorted {
      let (one, other) = ($0.element, $1.element)
      if one.isWorse != other.isWorse { return one.isWorse }
      return (one.pAdjusted, $0.offset) < (other.pAdjusted, $1.offset)
    }.map(\.element)
  }
}
