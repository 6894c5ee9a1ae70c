/// Goals and retention that count from something after entry, over everybody (definitions 6.8).
extension AttemptEvaluator {
  /// Call after goals and retention were found.
  mutating func findOverall() {
    for index in plan.overall.indices { attempt.overall[index] = overall(plan.overall[index]) }
  }

  private mutating func overall(_ rule: MeasurePlan.OverallRule) -> OverallResult {
    var result = OverallResult()
    let latest = attempt.entryMilliseconds + rule.latestMilliseconds
    switch rule.measure {
    case .goal(let goal):
      let end = latest + plan.goals[goal].withinMilliseconds
      result.isEligible = attempt.isMature && end <= options.horizonMilliseconds
      result.isMet = attempt.goals[goal].isReached
    case .retention(let measure):
      let end = boundary(latest, plan.retention[measure].endDay)
      result.isEligible = attempt.isMature && end - 1 <= options.horizonMilliseconds
      result.isMet = attempt.retention[measure].cameBack
    }
    // An anchor after the latest moment can't be waited for with everybody.
    let isInTime = anchorTime(rule.anchor).map { $0 <= latest } ?? false
    result.isMet = result.isMet && result.isEligible && isInTime
    return result
  }
}
