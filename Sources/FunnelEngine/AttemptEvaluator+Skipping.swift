/// Skips that end the flow, and people who finish it after one (definitions 5.4).
extension AttemptEvaluator {
  /// Apps send a completion along with the tap on Skip; nobody finishes a flow so soon after it.
  static let skipEchoMilliseconds: Int64 = 2000

  /// Whether a fact says that the person skipped the rest, in a flow that a skip ends.
  mutating func isEndingSkip(_ fact: WalkFact) -> Bool {
    guard skipEnds else { return false }
    return fact.kind == .skipped
      || (fact.kind == .completed && compiled.actions[fact.action].completesBySkipping)
  }

  /// Looks for a completion in the window that is no echo of a skip: it decides instead.
  mutating func findFinish(afterSkip index: Int) {
    var lastSkip = walk[index].timeMilliseconds
    for later in (index + 1)..<windowEndIndex {
      let fact = walk[later]
      if isEndingSkip(fact) {
        lastSkip = fact.timeMilliseconds
      } else if fact.kind == .completed,
        fact.timeMilliseconds - lastSkip > AttemptEvaluator.skipEchoMilliseconds
      {
        attempt.outcome = .finishedAfterSkipping
        attempt.endMilliseconds = fact.timeMilliseconds
        return
      }
    }
  }

  /// Whether a completion after the outcome *skipped* only repeats the skip.
  mutating func isEcho(_ fact: WalkFact) -> Bool {
    if compiled.actions[fact.action].completesBySkipping { return true }
    return finishesAfterSkipping
      && fact.timeMilliseconds - attempt.endMilliseconds <= AttemptEvaluator.skipEchoMilliseconds
  }
}
