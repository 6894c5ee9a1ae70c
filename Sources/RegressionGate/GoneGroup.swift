internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// Nobody has the property that a rule is cut by any more, or the value that it names, though so
/// many people are judged that some should.
///
/// Where a property is no longer sent, everybody is in the group `(none)`, of which a baseline has
/// nobody or few: the rule would be undecided for good.
struct GoneGroup {
  let sentence: String

  private static let none = "(none)"

  /// `nil` where the baseline knows of no such people, or chance may be why nobody is there now,
  /// and of values that people have only later, perhaps after those who are judged.
  init?(_ item: GateCase, _ analysis: Analysis, _ baseline: Baseline?) {
    let (cut, whole) = (item.slice.breakdown, item.slice.uncut)
    guard let baseline,
      analysis.flow.dimensions.contains(where: { $0.id == cut.dimension && !$0.isKnownLater }),
      let before = baseline.row(.persons, in: whole)?.numerator, before > 0,
      let judged = analysis.row(.persons, in: whole)?.numerator
    else { return nil }

    /// How many have any value of the property.
    func having(_ values: [BreakdownKey], _ persons: (Slice) -> MetricRow?) -> Int {
      values.filter { $0.dimension == cut.dimension && $0.value != GoneGroup.none }.reduce(0) {
        var slice = whole
        slice.breakdown = $1
        return $0 + (persons(slice)?.numerator ?? 0)
      }
    }
    let anyBefore = having(baseline.breakdowns(in: whole)) { baseline.row(.persons, in: $0) }
    let anyNow = having(analysis.breakdowns(in: whole)) { analysis.row(.persons, in: $0) }
    let (what, had) =
      anyNow == 0
      ? ("any '\(cut.dimension)'", anyBefore)
      : (
        "'\(SafeText.name("\(cut.dimension)=\(cut.value)"))'",
        baseline.row(.persons, in: item.slice)?.numerator ?? 0
      )
    guard anyNow == 0 || analysis.row(.persons, in: item.slice)?.numerator ?? 0 == 0,
      UnlikelyAbsence.holds(share: Double(had) / Double(before), trials: judged)
    else { return nil }
    sentence =
      "None of the \(NumberText.grouped(judged)) people has \(what). In the baseline "
      + "\(NumberText.grouped(had)) of \(NumberText.grouped(before)) had: is it no longer sent, "
      + "or called otherwise? If the app has changed, accept a new baseline (--accept), or "
      + "take the rule away."
  }
}
