internal import Timelines

/// Goals and friction (definitions 9).
extension AttemptEvaluator {
  mutating func findGoals() {
    // A goal may be anchored on one that the file declares later.
    let onGoals = plan.goalsOnGoals
    for index in plan.goals.indices where onGoals.isEmpty || !onGoals.contains(index) {
      findGoal(index)
    }
    if onGoals.isEmpty { return }
    for index in onGoals { attempt.goals[index] = GoalResult() }
    var open = onGoals
    // A chain of n goals is settled after n rounds; a ring never is, and stays without result.
    for _ in onGoals {
      let waiting = Set(open)
      open.removeAll { index in
        guard case .goal(let anchor) = plan.goals[index].anchor, !waiting.contains(anchor) else {
          return false
        }
        findGoal(index)
        return true
      }
      if open.isEmpty { break }
    }
  }

  mutating func findFriction() {
    attempt.friction = 0
    for (index, bit) in plan.friction.enumerated() {
      let met = walk[attemptRange].contains { compiled.actions[$0.action].patterns & bit != 0 }
      if met { attempt.friction |= 1 << UInt64(index) }
    }
  }

  /// The time an anchor stands for; `nil` where the person has none.
  func anchorTime(_ anchor: MeasurePlan.Moment) -> Int64? {
    switch anchor {
    case .entry:
      return attempt.entryMilliseconds
    case .event(let bit):
      let earliest = attempt.entryMilliseconds - windowMilliseconds
      return walk.first {
        $0.timeMilliseconds >= earliest && compiled.actions[$0.action].patterns & bit != 0
      }?.timeMilliseconds
    case .goal(let goal):
      let time = attempt.goals[goal].reachedAtMilliseconds
      return time < 0 ? nil : time
    }
  }

  private mutating func findGoal(_ index: Int) {
    let goal = plan.goals[index]
    var result = GoalResult()
    defer { attempt.goals[index] = result }
    guard let anchor = anchorTime(goal.anchor) else { return }
    let end = anchor + goal.withinMilliseconds
    let hasViewed = goal.viewedBit == 0 || attempt.viewed & goal.viewedBit != 0
    result.isEligible = attempt.isMature && hasViewed && end <= options.horizonMilliseconds
    let met = walk.first {
      $0.timeMilliseconds >= anchor && compiled.actions[$0.action].patterns & goal.bit != 0
    }
    guard let met, met.timeMilliseconds <= end else { return }
    result.reachedAtMilliseconds = met.timeMilliseconds
    result.sinceAnchorMilliseconds = met.timeMilliseconds - anchor
    result.isReached = result.isEligible
    if goal.valuePlace >= 0 {
      result.value = compiled.tables.actionValue(met.action, at: goal.valuePlace)
    }
  }
}
