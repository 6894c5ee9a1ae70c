internal import FlowDefinition
internal import Timelines

/// Goals and friction (definitions 9).
extension AttemptEvaluator {
  mutating func findGoals() {
    let goals = compiled.flow.goals
    // A goal may be anchored on one that the file declares later.
    for index in goals.indices where !isAnchoredOnGoal(goals[index]) { findGoal(index) }
    for index in goals.indices where isAnchoredOnGoal(goals[index]) {
      attempt.goals[index] = GoalResult()
    }
    var open = goals.indices.filter { isAnchoredOnGoal(goals[$0]) }
    // A chain of n goals is settled after n rounds; a ring never is, and stays without result.
    for _ in open.indices {
      let waiting = Set(open)
      open.removeAll { index in
        guard case .goal(let anchor) = goals[index].anchor, !waiting.contains(anchor) else {
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
    for (index, bit) in patternBits.friction.enumerated() {
      let met = walk[attemptRange].contains { compiled.actions[$0.action].patterns & bit != 0 }
      if met { attempt.friction |= 1 << UInt64(index) }
    }
  }

  /// The time an anchor stands for; `nil` where the person has none.
  func anchorTime(_ anchor: Anchor, bit: UInt64) -> Int64? {
    switch anchor {
    case .entry:
      return attempt.entryMilliseconds
    case .event:
      let earliest = attempt.entryMilliseconds - compiled.flow.windowMilliseconds
      return walk.first {
        $0.timeMilliseconds >= earliest && compiled.actions[$0.action].patterns & bit != 0
      }?.timeMilliseconds
    case .goal(let goal):
      let time = attempt.goals[goal].reachedAtMilliseconds
      return time < 0 ? nil : time
    }
  }

  private func isAnchoredOnGoal(_ goal: Goal) -> Bool {
    if case .goal = goal.anchor { return true }
    return false
  }

  private mutating func findGoal(_ index: Int) {
    let goal = compiled.flow.goals[index]
    var result = GoalResult()
    defer { attempt.goals[index] = result }
    guard let anchor = anchorTime(goal.anchor, bit: patternBits.goalAnchors[index]) else { return }
    let end = anchor + goal.withinMilliseconds
    let hasViewed = goal.ofViewedStep.map { attempt.viewed & (1 << UInt64($0)) != 0 } ?? true
    result.isEligible = attempt.isMature && hasViewed && end <= options.horizonMilliseconds
    let bit = patternBits.goals[index]
    let met = walk.first {
      $0.timeMilliseconds >= anchor && compiled.actions[$0.action].patterns & bit != 0
    }
    guard let met, met.timeMilliseconds <= end else { return }
    result.reachedAtMilliseconds = met.timeMilliseconds
    result.sinceAnchorMilliseconds = met.timeMilliseconds - anchor
    result.isReached = result.isEligible
    if let place = compiled.goalValuePlaces[index] {
      result.value = compiled.tables.actionValue(met.action, at: place)
    }
  }
}
