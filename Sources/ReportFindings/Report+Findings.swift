internal import FlowDefinition
public import FunnelMetrics

extension Report {
  package static let maximumFindings = 8

  /// Up to eight findings, the most important first.
  public var findings: [Finding] { conclusions.value(rankedFindings) }

  private func rankedFindings() -> [Finding] {
    var drafts = DataFindings(report: self).drafts()
    // Of nobody there is nothing else to say.
    if (analysis.row(.persons)?.numerator ?? 0) > 0 {
      drafts += TrendFindings(analysis: analysis).drafts()
      drafts += [StepOrderFinding(analysis: analysis).draft()].compactMap { $0 }
      drafts += FunnelFindings(analysis: analysis).drafts()
      drafts += ComparisonFindings(
        analysis: analysis, horizon: provenance.horizonMilliseconds
      ).drafts()
      drafts += VersionRateFindings(analysis: analysis).drafts()
      drafts += AudienceFindings(analysis: analysis).drafts()
      drafts += ReleaseFindings(analysis: analysis).drafts()
      drafts += SurvivorshipFindings(analysis: analysis).drafts()
      drafts += TargetFinding(analysis: analysis).drafts()
    }
    // One of each kind comes before a second of any kind, but alarms stand first, and what is of
    // its own is no repetition: what a second experiment decided, a step that stands out in one
    // version. What an experiment decided comes before where people drop off, as in the headline.
    // What nobody can act on, such as that no step stands out, comes after what somebody can.
    var seen: [Finding.Kind: Int] = [:]
    let order = Finding.Kind.allCases
    func place(_ draft: FindingDraft) -> Finding.Kind {
      switch (draft.kind, draft.tone) {
      case (.experiment, .good), (.experiment, .bad), (.target, .bad), (.time, .bad): .dropOff
      case (.dropOff, .neutral): .honesty
      case (.unmeasured, .bad): .version
      default: draft.kind
      }
    }
    let ranked = drafts.enumerated().map { offset, draft in
      let isDecided = draft.kind == .experiment && draft.tone != .neutral
      // That a release changed nothing is an answer, but to a question that not everybody has.
      let isUnchanged = draft.kind == .release && draft.tone == .neutral
      let repetition =
        isUnchanged ? 1 : isDecided || draft.isOfItsOwn ? 0 : seen[draft.kind, default: 0]
      seen[draft.kind, default: 0] += 1
      let place = order.firstIndex(of: place(draft)) ?? order.count
      let rank = [draft.tone == .alarm ? 0 : 1 + repetition, place, isDecided ? -1 : offset]
      return (key: rank, draft: draft)
    }
    .sorted { $0.key.lexicographicallyPrecedes($1.key) }
    // What is sent is no matter of numbers: it comes last, and is never crowded out.
    let privacy = PrivacyFinding(properties: provenance.personalProperties).draft()
    let shown =
      ranked.prefix(Report.maximumFindings - (privacy == nil ? 0 : 1)).map(\.draft)
      + [privacy].compactMap { $0 }
    return shown.enumerated().map { rank, entry in
      Finding(
        rank: rank + 1, kind: entry.kind, tone: entry.tone, claim: entry.claim,
        detail: entry.detail, short: entry.short, chart: entry.chart, subject: entry.subject)
    }
  }
}
