internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// Which steps people decline by a skip of their own (definitions 7), in a flow that has no Skip of
/// its own (`skip: never`): there nothing else says who skips, and where.
struct DeclineFinding {
  /// Fewer people could decline any step.
  private static let fewestPeople = 20
  private static let namedSteps = 3
  let analysis: Analysis

  func draft() -> FindingDraft? {
    guard !analysis.hasSkips, let most = declined.first else { return nil }
    let others = declined.dropFirst().prefix(Self.namedSteps - 1).map { step, datum -> Sentence in
      "\(title(step)) by \(datum.saidRate) (\(datum.saidCount) of \(datum.saidTotal))"
    }
    let rest: Sentence =
      switch others.count {
      case 0: ""
      case 1: " \(others[0])."
      default: " \(others.dropLast().joined(separator: ", ")) and \(others[others.count - 1])."
      }
    return FindingDraft(
      kind: .skip,
      claim: "\(title(most.step)) is declined by \(most.datum.saidRate) of those who see it",
      detail: """
        (\(most.datum.saidCount) of \(most.datum.saidTotal); \
        \(RateText.level(most.datum.row.level)) CI \(most.datum.saidInterval ?? "–")).\(rest)
        """, chart: .step(most.step.id))
  }

  /// Those that the newest version has, by the share that declines.
  private var declined: [(step: Step, datum: Datum)] {
    let steps = analysis.flow.steps.compactMap { step -> (step: Step, datum: Datum)? in
      guard StepVersion(step, analysis) == nil,
        !analysis.unmeasured.contains(.stepDeclined, step: step.id),
        let datum = analysis.datum(.stepDeclined, step: step.id),
        datum.row.numerator ?? 0 > 0, datum.row.denominator ?? 0 >= Self.fewestPeople
      else { return nil }
      return (step, datum)
    }
    // The sort is stable by the place in the list.
    return steps.enumerated().sorted { one, other in
      let rates = [one, other].map { $0.element.datum.row.value ?? 0 }
      return rates[0] != rates[1] ? rates[0] > rates[1] : one.offset < other.offset
    }.map(\.element)
  }

  private func title(_ step: Step) -> String { SafeText.name(step.title, limit: 60) }
}
