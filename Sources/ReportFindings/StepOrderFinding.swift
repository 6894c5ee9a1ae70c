internal import FlowDefinition
internal import FunnelMetrics
internal import ReportText

/// That many people see two steps in another order than the flow has: where people drop off is
/// then counted by a list that isn't theirs.
struct StepOrderFinding {
  let analysis: Analysis

  func draft() -> FindingDraft? {
    guard let found = StepsInOtherOrder(analysis) else { return nil }
    let names = [found.later, found.earlier].map { SafeText.name($0.title, limit: 60) }
    let version =
      found.slice.version == "all"
      ? "" : " with flow version \(SafeText.name(found.slice.version, limit: 24))"
    return FindingDraft(
      kind: .stepOrder, tone: .bad,
      claim: """
        At least \(RateText.percent(found.share)) of the people who see \(names[1])\(version) see \
        \(names[0]) before it, which comes later in the flow
        """,
      detail: """
        (\(NumberText.grouped(found.people)) of \(NumberText.grouped(found.viewers))). Reach, \
        drop-off and steps passed over go by the order of the flow file: does the app show the \
        steps in this order?
        """, chart: .funnel)
  }
}
