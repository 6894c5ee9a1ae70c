internal import ExperimentStatistics
package import FlowDefinition

/// The step at which a release loses others than the release before it did.
package struct ReleaseStep {
  package let step: Step
  /// Of those who reach the step, how many leave.
  package let left: Datum
  package let leftBefore: Datum
  /// What it is of the whole change of completion, in shares of all who started.
  package let share: Double

  /// Of the steps whose losses are shown to have changed with completion the one with most of the
  /// change, at the level of all steps together; `nil` where none is.
  package init?(_ change: ReleaseChange, _ analysis: Analysis) {
    let flow = analysis.flow
    guard change.isShown, !analysis.unmeasured.hasNoViews, !flow.steps.isEmpty,
      let started = change.rate.row.denominator, let before = change.rateBefore.row.denominator
    else { return nil }
    let level = 1 - (1 - change.level) / Double(flow.steps.count)
    let whole = change.difference.estimate
    let found = flow.steps.compactMap { step -> ReleaseStep? in
      guard let left = analysis.datum(.stepDropOff, step: step.id, in: change.release),
        let leftBefore = analysis.datum(.stepDropOff, step: step.id, in: change.before),
        let bounds = ProportionComparison(
          treatment: left.row.proportion, control: leftBefore.row.proportion
        ).difference(level: level).value?.interval,
        whole < 0 ? bounds.lower > 0 : bounds.upper < 0
      else { return nil }
      let lost = Double(left.row.numerator ?? 0) / Double(started)
      let lostBefore = Double(leftBefore.row.numerator ?? 0) / Double(before)
      return ReleaseStep(
        step: step, left: left, leftBefore: leftBefore, share: (lostBefore - lost) / whole)
    }
    guard let most = found.max(by: { $0.share < $1.share }), most.share > 0 else { return nil }
    self = most
  }

  private init(step: Step, left: Datum, leftBefore: Datum, share: Double) {
    (self.step, self.left, self.leftBefore, self.share) = (step, left, leftBefore, share)
  }
}

extension ReleaseChange {
  /// Where nobody finished with a release, the step that nobody is seen to get past: then it is the
  /// step that is broken, or all that comes after it is no longer sent. `nil` where people see a
  /// last step, so that only the end is missing, or no step at all.
  static func blockingStep(
    _ release: Slice, _ before: Slice, _ analysis: Analysis
  ) -> Step? {
    let flow = analysis.flow
    if analysis.unmeasured.hasNoViews { return nil }
    let seen = flow.steps.indices.filter {
      analysis.row(.stepReach, step: flow.steps[$0].id, in: release)?.numerator ?? 0 > 0
    }
    let ends = Set(flow.lists.compactMap(\.last))
    guard let last = seen.last, ends.isDisjoint(with: seen),
      let row = analysis.row(.stepDropOff, step: flow.steps[last].id, in: release),
      let passed = analysis.row(.stepDropOff, step: flow.steps[last].id, in: before)?.value,
      let people = row.denominator, row.numerator == people,
      UnlikelyAbsence.holds(share: (1 - passed) / 10, trials: people)
    else { return nil }
    return flow.steps[last]
  }
}
