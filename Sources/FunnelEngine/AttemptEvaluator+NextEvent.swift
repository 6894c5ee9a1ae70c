internal import FlowDefinition
internal import Timelines

/// What people did next who dropped off (definitions 7).
extension AttemptEvaluator {
  /// Finds the first event later than the last view of the furthest step, up to the window's end.
  mutating func findNextEvent() {
    attempt.nextEvent = -1
    guard attempt.isMature, !attempt.outcome.isFinished else { return }
    let left = attempt.furthestPlace < 0 ? attempt.entryMilliseconds : furthestViewedAt
    for index in attemptRange.lowerBound..<windowEndIndex
    where walk[index].timeMilliseconds > left {
      let fact = walk[index]
      switch fact.kind {
      case .started: break
      case .viewed where fact.page >= 0:
        note(Int(fact.page), after: left, fact)
        return
      case .viewed: break
      case .activity where fact.isActivity: break
      default: continue
      }
      let name = compiled.tables.actionValue(fact.action, at: compiled.places.event)
      note(compiled.flow.steps.count + Int(name), after: left, fact)
      return
    }
  }

  private mutating func note(_ event: Int, after left: Int64, _ fact: WalkFact) {
    attempt.nextEvent = Int32(truncatingIfNeeded: event)
    attempt.nextEventMilliseconds = fact.timeMilliseconds - left
  }
}
