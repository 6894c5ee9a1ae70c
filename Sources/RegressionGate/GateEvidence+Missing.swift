internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics

// Why a number can't be judged that is not there.
extension GateEvidenceSource {
  /// Why a rate has no trials.
  func nobody(_ item: GateCase, _ row: MetricRow) -> GateEvidence {
    let settling = flow.settling(of: item.metric, step: item.step)
    if isSettled || settling == flow.settlingOfAttempts,
      let gone = GoneNumber(item, analysis, baseline, ofTrials: true)
    {
      return GateEvidence(gone: "Nobody counts for it. \(gone.sentence)", current: row)
    }
    return GateEvidence(.unknown("nobody is in this slice yet"), current: row)
  }

  /// A number that none of the judged people has any more, whatever other days in the data have.
  mutating func goneAmongJudged(_ item: GateCase) -> GoneNumber? {
    // A baseline that counted otherwise is no measure of what to expect.
    if item.needsBaseline, let baseline, mismatch(item, baseline) != nil { return nil }
    return gone(item)
  }

  private func gone(_ item: GateCase) -> GoneNumber? {
    GoneNumber(
      ofJudged: item, analysis, baseline, isSettled: isSettled,
      days: (
        baseline: { root in
          guard let baseline, item.slice.breakdown == .all else { return [] }
          return counts(item.about(root), baseline.cohorts(in: item.slice), false) {
            baseline.row($0, step: $1, in: $2)
          }
        },
        earlier: { root in
          // Slices that a dimension cuts are not counted by day.
          guard let earlier, item.slice.breakdown == .all else { return [] }
          let first = earlier.until - GoneNumber.daysBefore
          let cohorts = earlier.analysis.cohorts(in: item.slice)
          return counts(item.about(root), cohorts, false) {
            earlier.analysis.row($0, step: $1, in: $2)
          }.filter { (first..<earlier.until).contains($0.day) }
        }
      ))
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

extension GateCase {
  /// A case about the number that this one's rests on.
  fileprivate func about(_ root: GoneNumber.Root) -> GateCase {
    var other = self
    (other.metric, other.step) = (root.metric, root.step)
    return other
  }
}
