internal import ExperimentStatistics
package import FlowDefinition
internal import FunnelEngine
package import FunnelMetrics

extension GateRun {
  static let levelOfBreaks = 0.95

  /// How long after entry the numbers are settled of rules that are held against a baseline.
  package static func settlingsOfBreaks(_ gate: Gate, _ flow: Flow) -> [Settling] {
    let held = gate.rules.filter {
      if case .notWorse(.baseline, _) = $0.demand { true } else { false }
    }
    return Set(held.map { settling($0, flow) }).sorted()
  }

  /// When the rate of a failed check became worse; `nil` where days do not say: of times, bounds
  /// and slices that a dimension cuts, and where too few days are known.
  package func breakDay(of check: GateCheck) -> BreakFinding? {
    guard check.verdict == .fail, case .notWorse(.baseline, _) = check.rule.demand,
      check.slice.breakdown == .all, check.rule.adjustedFor.isEmpty
    else { return nil }
    var key = GateRun.key(check.rule, analysis.flow)
    key.isSlowDecline = true
    guard let part = parts[key], let analysis = part.report?.analysis, let days = part.days,
      let baseline = part.baseline ?? baseline
    else { return nil }
    let source = GateEvidenceSource(analysis, baseline)
    let item = GateCase(
      rule: check.rule, metric: check.metric, slice: check.slice, step: check.step)
    let isFlipped = check.rule.better == .lower
    let own = source.counts(item, analysis.cohorts(in: check.slice), isFlipped) {
      analysis.row($0, step: $1, in: $2)
    }
    let before = source.counts(item, baseline.cohorts(in: check.slice), isFlipped) {
      baseline.row($0, step: $1, in: $2)
    }
    guard let found = ChangePoint(days: own, reference: before, level: GateRun.levelOfBreaks)
    else { return nil }
    return BreakFinding(
      day: found.day, earliest: found.earliest, latest: found.latest,
      level: GateRun.levelOfBreaks, difference: isFlipped ? found.drop : -found.drop,
      since: DaySpan(first: found.day, last: days.last),
      before: found.day > days.first ? DaySpan(first: days.first, last: found.day - 1) : nil)
  }

  /// Names what departs from the rest since a rate broke, by the tests of a failure's explanation:
  /// one family over all values, releases and flow versions.
  ///
  /// - Parameters:
  ///   - since: people who began from the likeliest day on.
  ///   - before: people who began after the baseline and before that day; the baseline's if `nil`.
  package func nameCulprits(
    of check: GateCheck, in finding: inout BreakFinding, since: Report, before: Report?
  ) {
    let now = since.analysis
    let earlier = before?.analysis
    let rows: GateEvidenceSource.Rows = { metric, step, slice in
      earlier.map { $0.row(metric, step: step, in: slice) }
        ?? baseline?.row(metric, step: step, in: slice)
    }
    let own = now.breakdowns(in: check.slice)
    let others =
      earlier?.breakdowns(in: check.slice) ?? baseline?.breakdowns(in: check.slice) ?? []
    // The baseline file has no flow versions.
    let versions = earlier == nil ? [] : now.versions(in: check.slice)
    let explanation = DropExplanation(
      flow: now.flow, breakdowns: own + others.filter { !own.contains($0) } + versions,
      alpha: gate.alphaOfRun, before: GateRun.side(check.slice, rows),
      now: GateRun.side(check.slice) { now.row($0, step: $1, in: $2) })
    let parts = explanation.contributions(
      metric: check.metric, step: check.step, worse: check.rule.better == .higher ? -1 : 1)
    finding.culprits = (parts ?? []).filter { $0.kind != .step }
    finding.isAlikeEverywhere = parts != nil && finding.culprits.isEmpty
  }

  /// One side's rows of a slice, by value; of a flow version where the key names one.
  static func side(
    _ slice: Slice, _ row: @escaping GateEvidenceSource.Rows
  ) -> DropExplanation.Side {
    { metric, step, breakdown in
      var slice = slice
      if breakdown.dimension == DropExplanation.version {
        slice.version = breakdown.value
      } else {
        slice.breakdown = breakdown
      }
      return row(metric, step, slice)
    }
  }
}

extension Analysis {
  /// The flow versions of a slice of all versions, as values of a dimension of their own.
  fileprivate func versions(in slice: Slice) -> [BreakdownKey] {
    guard slice.version == "all" else { return [] }
    let found = slices.slices.filter { other in
      var all = other
      all.version = "all"
      return other.version != "all" && all == slice
    }
    return found.map { BreakdownKey(dimension: DropExplanation.version, value: $0.version) }
  }
}
