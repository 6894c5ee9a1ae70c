package import FlowDefinition
internal import FunnelEngine
package import FunnelMetrics
internal import ReportText

/// People whom the funnel counts as lost at a step though the next thing they did is a goal of the
/// flow: not the step lost them, but what comes after the goal, or the flow's end isn't recorded.
///
/// Said of a step where at least ``fewest`` people, and at least half of those it lost, did so.
package struct LostAnyway {
  package let step: Step
  package let goal: Goal
  package let next: StepNextEvent

  package static let fewest = 10

  package init?(_ step: Step, _ analysis: Analysis) {
    for next in analysis.nextEvents(after: step.id, in: .all) {
      guard let goal = analysis.flow.goals.first(where: { $0.pattern.event == next.event }),
        let did = next.count.row.numerator, let all = next.count.row.denominator,
        did >= LostAnyway.fewest, did * 2 >= all
      else { continue }
      (self.step, self.goal, self.next) = (step, goal, next)
      return
    }
    return nil
  }

  /// `27 of 29 did “First stack” next`, where a step is marked or named for its loss.
  package var short: Sentence {
    let goal = SafeText.name(goal.title, limit: 40)
    return "\(next.count.saidCount) of \(next.count.saidTotal) did “\(goal)” next"
  }

  /// ` But 27 of 29 did “First stack” next.`, behind a sentence about the loss of a step; what
  /// people did next is of everyone.
  static func remark(_ step: String, in slice: Slice, _ analysis: Analysis) -> Sentence {
    guard let index = analysis.flow.stepIndex(step),
      let found = LostAnyway(analysis.flow.steps[index], analysis)
    else { return "" }
    return slice == .all ? " But \(found.short)." : " But of everyone, \(found.short)."
  }

  /// What share of everybody lost a step must have lost for this to be a finding.
  private static let leastShare = 0.2

  /// How many left at any step, who skip there or abandon the flow.
  private static func lost(_ analysis: Analysis) -> Int {
    analysis.flow.steps.compactMap {
      analysis.nextEvents(after: $0.id, in: .all).first?.count.row.denominator
    }.reduce(0, +)
  }

  /// The step that the most people are counted lost at though they did a goal.
  static func draft(_ analysis: Analysis) -> FindingDraft? {
    let found = analysis.flow.steps.compactMap { LostAnyway($0, analysis) }
    guard
      let most = found.max(by: {
        $0.next.count.row.numerator ?? 0 < $1.next.count.row.numerator ?? 0
      }), Double(most.next.count.row.denominator ?? 0) >= leastShare * Double(lost(analysis))
    else { return nil }
    let median = most.next.median.map { median -> Sentence in
      " (median after \(median.saidDuration))"
    }
    return FindingDraft(
      kind: .lostAnyway, tone: .bad,
      claim: """
        \(most.next.count.saidCount) of the \(most.next.count.saidTotal) people lost at \
        \(SafeText.name(most.step.title, limit: 60)) did \
        “\(SafeText.name(most.goal.title, limit: 60))” next\(median ?? "").
        """,
      detail: """
        They did it and went no further. Before changing this step, look at what comes after it, \
        and whether the end of the flow is recorded for them.
        """, chart: .step(most.step.id))
  }
}
