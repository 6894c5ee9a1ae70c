internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics

extension GateRun {
  /// Takes a failure apart, and says of any comparison where a change of the mix hides a drop.
  func explain(_ check: inout GateCheck, _ item: GateCase) {
    guard check.current?.unit == .rate, check.reference != nil, check.verdict != .invalid,
      item.slice.breakdown == .all, let explanation = explanation(item)
    else { return }
    // Only all days together are known by value and step: a decline that has ended is not theirs.
    if check.decline?.decisive?.since != nil { return }
    let worse: Double = item.rule.better == .higher ? -1 : 1
    let changes = explanation.standardised(metric: item.metric, step: item.step, worse: worse)
      .map { withDays($0, item) }
    check.standardised = changes.filter { isWorthSaying($0, check, worse, of: changes.count) }
    // Weighted rates have no counts that could be taken apart, and of values and steps it isn't
    // known what they were on which weekday.
    guard check.verdict == .fail, check.reference?.denominator != nil, check.pointsOfWeekdays == nil
    else { return }
    let parts = explanation.contributions(metric: item.metric, step: item.step, worse: worse)
    check.explanations = parts ?? []
    check.isAlikeEverywhere = parts?.isEmpty ?? false
  }

  /// Of a failure and of a rule that is adjusted where the two differ, of all others where they
  /// hide a drop.
  private func isWorthSaying(
    _ change: StandardisedChange, _ check: GateCheck, _ worse: Double, of count: Int
  ) -> Bool {
    if check.rule.adjustedFor.contains(change.dimension) { return true }
    guard check.rule.adjustedFor.isEmpty else { return false }
    if check.verdict == .fail {
      if check.pointsOfWeekdays != nil { return false }
      return (change.points - change.crude).magnitude >= max(0.1 * change.crude.magnitude, 0.0005)
    }
    let isBeyond = change.points * worse > (check.margin ?? 0)
    let level = gate.alphaOfRun / Double(count)
    return change.p < level && (isBeyond || change.isReversed)
      && change.pOfMix < level && change.hides(worse)
  }

  /// The change with the p-value of a rule that is adjusted for the dimension: like the rule's own
  /// test it knows how much days differ.
  private func withDays(_ change: StandardisedChange, _ item: GateCase) -> StandardisedChange {
    guard case .notWorse(let reference, _) = item.rule.demand else { return change }
    let part = part(of: item.rule)
    let analysis = part?.report?.analysis ?? analysis
    let baseline = reference == .control ? nil : part?.baseline ?? baseline
    var other = item.slice
    if reference == .control, let control = analysis.control(of: other.experiment) {
      other.variant = control
    }
    guard let row = analysis.row(item.metric, step: item.step, in: item.slice) else {
      return change
    }
    let evidence = GateEvidenceSource(analysis, baseline).adjusted(
      item, row, change.dimension, against: other, GateRule.Margin(0), name: "", baseline)
    guard case .test(let test) = evidence.judging, let p = test.p else { return change }
    var change = change
    change.p = p
    return change
  }

  /// Both sides of a comparison; `nil` for a bound, and where rates are compared within periods.
  private func explanation(_ item: GateCase) -> DropExplanation? {
    guard case .notWorse(let reference, _) = item.rule.demand else { return nil }
    let part = part(of: item.rule)
    let analysis = part?.report?.analysis ?? analysis
    var other = item.slice
    if reference == .control {
      let experiment = analysis.flow.experiments.first { $0.id == other.experiment }
      guard let experiment, experiment.splits.count <= 1 else { return nil }
      other.variant = experiment.controlID
    }
    let now = GateRun.side(item.slice) { analysis.row($0, step: $1, in: $2) }
    let baseline = part?.baseline ?? baseline
    let before = GateRun.side(other) {
      reference == .control
        ? analysis.row($0, step: $1, in: $2) : baseline?.row($0, step: $1, in: $2)
    }
    let own = analysis.breakdowns(in: item.slice)
    let others =
      reference == .control
      ? analysis.breakdowns(in: other) : baseline?.breakdowns(in: other) ?? []
    // Who is gone altogether explains as much as who came.
    return DropExplanation(
      flow: analysis.flow, breakdowns: own + others.filter { !own.contains($0) },
      alpha: gate.alphaOfRun, before: before, now: now)
  }
}
