internal import ExperimentStatistics
package import FlowDefinition
internal import FunnelEngine

/// A step that the people of some system, country or release never see, though they get further:
/// it is no part of their flow, and its reach is of people who were never meant to see it.
package struct StepAudience {
  package let step: Step
  package let panel: BreakdownPanel
  /// The values whose people see it, the largest first.
  package let seeing: [Slice]
  /// Those of which nobody does.
  package let others: [Slice]
  /// How many people of these got past it.
  package let passed: Int
  /// Whether every value is one of the two.
  package let isWhole: Bool

  /// Of people who got past a step, the least share that sees it where it is shown.
  private static let leastShare = 0.1

  /// The steps that not everybody has to see for another reason, such as optional ones, are looked
  /// at too: for whom they are is worth knowing.
  package static func all(_ analysis: Analysis) -> [StepAudience] {
    if analysis.unmeasured.hasNoViews { return [] }
    let panels = BreakdownPanel.all(analysis).filter { !$0.isKnownLater }
    return analysis.flow.steps.compactMap { step in
      guard analysis.row(.stepReach, step: step.id)?.numerator ?? 0 > 0 else { return nil }
      // Of several dimensions, such as a system and its version, the one that says it of most.
      return panels.compactMap { StepAudience(step, $0, analysis) }.enumerated().max {
        $0.element.passed != $1.element.passed
          ? $0.element.passed < $1.element.passed : $0.offset > $1.offset
      }?.element
    }
  }

  private init?(_ step: Step, _ panel: BreakdownPanel, _ analysis: Analysis) {
    func count(_ metric: MetricName, _ slice: Slice) -> Int {
      analysis.row(metric, step: step.id, in: slice)?.numerator ?? 0
    }
    let values = panel.slices.filter { !$0.breakdown.value.hasPrefix("(") }
    others = values.filter {
      count(.stepReach, $0) == 0
        && UnlikelyAbsence.holds(share: Self.leastShare, trials: count(.stepBypassed, $0))
    }
    seeing = values.filter {
      let (passed, went) = (count(.stepBypassed, $0), count(.stepConversion, $0))
      return Double(went) >= Self.leastShare * Double(passed + went) && went > 0
    }
    passed = others.reduce(0) { $0 + count(.stepBypassed, $1) }
    guard !others.isEmpty, !seeing.isEmpty else { return nil }
    (self.step, self.panel) = (step, panel)
    isWhole = panel.omitted == 0 && seeing.count + others.count == values.count
  }
}
