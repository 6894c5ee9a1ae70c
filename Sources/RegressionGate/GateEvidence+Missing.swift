internal import FlowDefinition
internal import FunnelMetrics

// Why a number can't be judged that is not there.
extension GateEvidenceSource {
  /// Why a rate has no trials.
  func nobody(_ item: GateCase) -> GateEvidence.Judging {
    let settling = flow.settlingMilliseconds(of: item.metric, step: item.step)
    if isSettled || settling == flow.windowMilliseconds,
      let gone = GoneNumber(item, analysis, baseline, ofTrials: true)
    {
      return .invalid("Nobody counts for it. \(gone.sentence)")
    }
    return .unknown("nobody is in this slice yet")
  }

  func missing(
    _ item: GateCase, _ name: String, hasRow: Bool, _ reference: GateRule.Reference
  ) -> GateEvidence.Judging {
    var text = "\(name) has no such number"
    // A baseline that was accepted before the rule was there lacks the metric everywhere: more
    // persons would never mend that.
    let isMissing =
      reference == .baseline && baseline.map { !$0.knows(item.metric) } ?? false
    if isMissing { text += ": accept it anew (--accept)" }
    return !hasRow && (item.rule.forEach.isEmpty || isMissing) ? .invalid(text) : .unknown(text)
  }
}
