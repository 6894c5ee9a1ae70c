internal import Timelines

/// Goals and friction (definitions 9).
extension AttemptEvaluator {
  mutating func findGoals() {
    let order = plan.goalOrder
    if order.count < plan.goals.count {
      for index in plan.goals.indices { attempt.goals[index] = GoalResult() }
    }
    for index in order { findGoal(index) }
  }

  mutating func findFriction() {
    for index in plan.friction.indices {
      let first = occurrences.first(of: plan.friction[index], from: attemptRange.lowerBound)
      attempt.friction[index] = first.map { $0 < attemptRange.upperBound } ?? false
    }
  }

  /// The first fact of a pattern at or after `time`.
  private mutating func firstFact(of pattern: Int, from time: Int64) -> WalkFact? {
    occurrences.first(of: pattern, from: firstIndex(from: time)).map { walk[$0] }
  }

  /// The index of the first fact at or after `time`.
  mutating func firstIndex(from time: Int64) -> Int {
    var (low, high) = (0, walk.count)
    while low < high {
      let middle = (low + high) / 2
      if walk[middle].timeMilliseconds < time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The time an anchor stands for; `nil` where the person has none.
  mutating func anchorTime(_ anchor: MeasurePlan.Moment) -> Int64? {
    switch anchor {
    case .entry:
      return attempt.entryMilliseconds
    case .event(let pattern):
      let earliest = attempt.entryMilliseconds - leadMilliseconds
      return firstFact(of: pattern, from: earliest)?.timeMilliseconds
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
    guard let place = occurrences.first(of: goal.pattern, from: start(of: goal, at: anchor)),
      walk[place].timeMilliseconds <= end
    else { return }
    let met = walk[place]
    result.reachedAtMilliseconds = met.timeMilliseconds
    result.sinceAnchorMilliseconds = met.timeMilliseconds - anchor
    result.isReached = result.isEligible
    let isCounted = goal.valuePlace >= 0
    if isCounted { result.value = compiled.tables.actionValue(met.action, at: goal.valuePlace) }
    if goal.sums || (isCounted && goal.take != .first) {
      lookOn(index, from: place, to: end, &result)
    }
  }

  /// The index of the first fact that a goal looks at.
  private mutating func start(of goal: MeasurePlan.GoalRule, at anchor: Int64) -> Int {
    if case .entry = goal.anchor { return attemptRange.lowerBound }
    return firstIndex(from: anchor)
  }

  /// Looks at all matching facts in a goal's window, from the first: for the value that counts, and
  /// for the sum.
  private mutating func lookOn(
    _ index: Int, from first: Int, to end: Int64, _ result: inout GoalResult
  ) {
    let goal = plan.goals[index]
    var chosen = first
    var place = first
    while true {
      let action = walk[place].action
      switch goal.take {
      case .first: break
      case .last: chosen = place
      case .preferred:
        let ranks = compiled.goalValueRanks[index]
        if ranks[action] < ranks[walk[chosen].action] { chosen = place }
      }
      if goal.sums {
        if let amount = compiled.goalAmounts[index][action] {
          result.amountMillionths &+= Int128(amount)
          result.amountCount += 1
          quality.amounts += 1
        } else if let place = compiled.goalAmountPlaces[index],
          compiled.tables.actionValue(action, at: place) != 0
        {
          quality.see(textAmountOf: action, at: place)
        }
      }
      guard let next = occurrences.first(of: goal.pattern, from: place + 1),
        walk[next].timeMilliseconds <= end
      else { break }
      place = next
    }
    if goal.valuePlace >= 0 {
      result.value = compiled.goalValue(index, of: walk[chosen].action, at: goal.valuePlace)
    }
  }
}
