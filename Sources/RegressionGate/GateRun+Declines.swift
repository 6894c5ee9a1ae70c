internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

extension GateEvidenceSource {
  /// How long after the baseline's last day the first day may lie: quiet days are possible.
  private static let longestGap = 7

  /// A rate of every day since the baseline, held against the baseline's days.
  func decline(
    _ item: GateCase, _ row: MetricRow, _ baseline: Baseline, _ margin: GateRule.Margin
  ) -> GateEvidence {
    let isFlipped = item.rule.better == .lower
    let own = counts(item, analysis.cohorts(in: item.slice), isFlipped) {
      analysis.row($0, step: $1, in: $2)
    }
    let before = counts(item, baseline.cohorts(in: item.slice), isFlipped) {
      baseline.row($0, step: $1, in: $2)
    }
    guard let base = baseline.row(item.metric, step: item.step, in: item.slice),
      let value = base.value
    else { return GateEvidence(.unknown("the baseline has no such number"), current: row) }
    let points = margin.isRelative ? margin.amount * value : margin.amount
    var evidence = GateEvidence(.unknown(""), current: row)
    evidence.reference = base
    evidence.referenceName = "the baseline"
    evidence.margin = points
    let known = before.count { $0.counts.trials > 0 }
    let following = own.filter { $0.counts.trials > 0 }.map(\.day)
    if let first = following.min(), let last = baseline.began?.last,
      first > last + Self.longestGap
    {
      evidence.judging = .unknown(
        "the data begin on \(DaySpan.text(first)), and the baseline ends on "
          + "\(DaySpan.text(last)): slow_decline takes every day since the baseline")
      return evidence
    }
    guard let decline = SlowDecline(days: own, reference: before, margin: points) else {
      evidence.judging = .unknown(
        following.isEmpty
          ? "nobody counts for it yet"
          : "slow_decline takes a baseline of \(DailyVariation.fewestDays) days or more, and this "
            + "one has \(CountText.of(known, "day"))")
      return evidence
    }
    evidence.judging = .decline(decline)
    evidence.days = DayToDay(
      days: known, deviation: decline.variation.variance.squareRoot(),
      neighbourCorrelation: decline.variation.neighbours.correlation)
    return evidence
  }
}

extension GateRun {
  /// One rule's nights, judged among all rules of the gate that watch for a slow decline.
  struct JudgedDecline {
    var decline: SlowDecline
    var adjustedP: Double
    var isTurned: Bool
  }

  /// These rules are a family of their own: its alpha is for all nights, not for one.
  func judgedDeclines(
    _ all: [(item: GateCase, found: GateEvidence)]
  ) -> [Int: JudgedDecline] {
    var judged: [Int: JudgedDecline] = [:]
    var counted: [Int] = []
    for (index, entry) in all.enumerated() {
      guard case .decline(let decline) = entry.found.judging else { continue }
      judged[index] = JudgedDecline(
        decline: decline, adjustedP: decline.p, isTurned: entry.item.rule.better == .lower)
      if suppression(entry.item.rule) == nil { counted.append(index) }
    }
    let adjusted = correction.adjust(counted.compactMap { judged[$0]?.decline.p })
    for (index, p) in zip(counted, adjusted) { judged[index]?.adjustedP = p }
    return judged
  }

  func settle(_ check: inout GateCheck, _ judged: JudgedDecline) {
    let decline = judged.decline
    let isShown = judged.adjustedP <= gate.alpha
    let night = decline.worst ?? decline.nights.last
    // At the level that its place in the family left for it.
    let alpha = judged.adjustedP > 0 ? gate.alpha * decline.p / judged.adjustedP : gate.alpha
    let first = isShown ? decline.firstNight(alpha: alpha) : nil
    check.p = decline.p
    check.adjustedP = judged.adjustedP
    check.estimate = night.map { judged.isTurned ? $0.drop : -$0.drop }
    check.decline = DeclineFinding(
      nights: decline.nights.count, evidence: night?.evidence ?? 0,
      firstDay: decline.worst?.firstDay, shownOn: first?.day)
    check.verdict = isShown ? .fail : .noneShown
    check.note = GateWords.decline(check)
  }
}
