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
    evidence.watched = WatchedDays(reference: before, following: own, isFlipped: isFlipped)
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
    var watched: WatchedDays?
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
        decline: decline, adjustedP: decline.p, isTurned: entry.item.rule.better == .lower,
        watched: entry.found.watched)
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
    check.decline = DeclineFinding(
      nights: decline.nights.count, evidence: night?.evidence ?? 0,
      firstDay: decline.worst?.firstDay, shownOn: first?.day)
    check.verdict = isShown ? .fail : .noneShown
    if let now = check.current?.value, let before = check.reference?.value {
      check.estimate = now - before
    }
    if isShown, let night = decline.worst, let watched = judged.watched {
      showDecisive(&check, night, judged, watched)
    }
    check.note = GateWords.decline(check)
  }

  /// A failure shows the numbers that decided it: those of all days since the baseline may be as
  /// good as ever, where the rate has recovered.
  private func showDecisive(
    _ check: inout GateCheck, _ night: SlowDecline.Night, _ judged: JudgedDecline,
    _ watched: WatchedDays
  ) {
    let days = watched.following.filter { $0.day >= night.firstDay && $0.day <= night.day }
    let before =
      watched.reference + watched.following.filter { $0.day < night.firstDay }
    let since = watched.following.filter { $0.day > night.day }
    guard let own = WatchedDays.span(days), let other = WatchedDays.span(before) else { return }
    check.estimate = judged.isTurned ? night.drop : -night.drop
    check.current = watched.row(days, like: check.current)
    check.reference = watched.row(before, like: check.reference)
    check.decline?.decisive = DeclineFinding.Decisive(
      days: own, before: other, since: WatchedDays.span(since),
      rateSince: watched.row(since, like: check.current)?.value,
      isByWeekday: judged.decline.variation.isByWeekday)
  }
}

/// The days that a rule with `slow_decline` looks at, as its test has them.
struct WatchedDays {
  var reference: [DayCounts]
  var following: [DayCounts]
  /// Whether failures are counted as successes, as less of the rate is better.
  var isFlipped: Bool

  /// From the first to the last day with people.
  static func span(_ days: [DayCounts]) -> DaySpan? {
    let known = days.filter { $0.counts.trials > 0 }.map(\.day)
    guard let first = known.min(), let last = known.max() else { return nil }
    return DaySpan(first: first, last: last)
  }

  /// The rate of some days together.
  func row(_ days: [DayCounts], like row: MetricRow?) -> MetricRow? {
    guard var row else { return nil }
    let sum = Proportion.sum(days.map(\.counts))
    let counts = isFlipped ? Proportion(successes: sum.failures, trials: sum.trials) : sum
    (row.numerator, row.denominator) = (counts.successes, counts.trials)
    row.value = counts.estimate
    (row.low, row.high) = (nil, nil)
    return row
  }
}
