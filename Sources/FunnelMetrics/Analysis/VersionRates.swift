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
    /// Whom the difference is of.
    package let basis: ComparedDays.Basis
    /// By Holm's method, over all rates.
    package fileprivate(set) var pAdjusted: Double

    /// Whether the rates of everybody moved the other way, or not at all.
    package var isOtherThanRates: Bool {
      guard let now = newest.row.value, let then = before.row.value else { return false }
      return (now - then) * difference <= 0
    }

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
      // What nobody of the older version has may be new with the newer one.
      guard min(now.trials, then.trials) >= Self.fewestPeople, then.successes > 0,
        let days = pair.days(of: rate, analysis),
        let found = ComparedDays(
          now: days.newest, before: days.before,
          whole: ProportionComparison(treatment: now, control: then)
        ).difference(level: 0.95), let p = found.p
      else { return nil }
      return Change(
        metric: rate.metric, step: rate.step, newest: newest, before: before,
        difference: found.estimate.estimate, basis: found.basis, pAdjusted: p)
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
