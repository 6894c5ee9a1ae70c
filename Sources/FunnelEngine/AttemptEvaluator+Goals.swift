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
    for index in plan.friction.indices where seenPatterns & plan.friction[index] != 0 {
      let met = firstFact(of: plan.friction[index], in: attemptRange) != nil
      if met { attempt.friction |= 1 << UInt64(index) }
    }
  }

  /// The first fact at or after `time` that satisfies one of the patterns.
  private mutating func firstFact(of bits: UInt64, from time: Int64) -> WalkFact? {
    // Most persons never do most of what a flow asks about.
    guard seenPatterns & bits != 0 else { return nil }
    for fact in walk where fact.patterns & bits != 0 && fact.timeMilliseconds >= time {
      return fact
    }
    return nil
  }

  private mutating func firstFact(of bits: UInt64, in range: Range<Int>) -> WalkFact? {
    for index in range where walk[index].patterns & bits != 0 { return walk[index] }
    return nil
  }

  /// The time an anchor stands for; `nil` where the person has none.
  mutating func anchorTime(_ anchor: MeasurePlan.Moment) -> Int64? {
    switch anchor {
    case .entry:
      return attempt.entryMilliseconds
    case .event(let bit):
      let earliest = attempt.entryMilliseconds - windowMilliseconds
      return firstFact(of: bit, from: earliest)?.timeMilliseconds
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
    guard let met = firstFact(of: goal.bit, from: anchor), met.timeMilliseconds <= end else {
      return
    }
    result.reachedAtMilliseconds = met.timeMilliseconds
    result.sinceAnchorMilliseconds = met.timeMilliseconds - anchor
    result.isReached = result.isEligible
    if goal.valuePlace >= 0 {
      result.value = compiled.tables.actionValue(met.action, at: goal.valuePlace)
    }
  }
}
