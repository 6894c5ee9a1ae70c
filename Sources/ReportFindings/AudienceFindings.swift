internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// Steps that only the people of some system, country or release see.
struct AudienceFindings {
  private static let maximumNamed = 3
  let analysis: Analysis

  func drafts() -> [FindingDraft] {
    StepAudience.all(analysis).map { audience in
      let title = SafeText.name(audience.step.title, limit: 60)
      let dimension = audience.panel.name(analysis.flow)
      let isOfFew = audience.isWhole && audience.seeing.count <= audience.others.count
      let named = names(isOfFew ? audience.seeing : audience.others)
      let advice =
        audience.step.isOptional || audience.step.branchOf != nil
        ? ""
        : " If that is meant, declare it 'optional: true': it is counted as a step that all should "
          + "see."
      return FindingDraft(
        kind: .audience,
        claim: isOfFew
          ? "\(title) is seen by \(named) (\(dimension)) only"
          : "\(title) is never seen by \(named) (\(dimension))",
        detail: """
          (nobody of the \(NumberText.grouped(audience.passed)) people of \
          \(names(audience.others)) who got past it saw it). Its reach is of everybody.\(advice)
          """, chart: .step(audience.step.id))
    }
  }

  /// `“iOS 26”, “iOS 18” and 2 more`
  private func names(_ values: [Slice]) -> String {
    let names = values.prefix(Self.maximumNamed).map {
      "“\(SafeText.name(PlainName.of($0.breakdown.value), limit: 30))”"
    }
    let more = values.count - names.count
    return (names + (more > 0 ? ["\(NumberText.grouped(more)) more"] : [])).listed
  }
}
