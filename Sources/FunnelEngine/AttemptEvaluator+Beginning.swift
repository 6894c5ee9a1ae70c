// Whether anybody used the app before the data begin (definitions 17).
extension AttemptEvaluator {
  private static let weekMilliseconds = 7 * dayMilliseconds
  /// The weeks after the first that say how many come back.
  private static let weeksAfter: Int64 = 4

  /// Counts a person who is seen in the first week of the data: one who starts in it, by the weeks
  /// in which they come back; anybody else as one who may have started before.
  mutating func seeBeginning() {
    let beginning = options.knownFromMilliseconds
    guard let first = walk.first?.timeMilliseconds,
      first - beginning < AttemptEvaluator.weekMilliseconds
    else { return }
    var isSeen = false
    var hasStarted = false
    var weeks: UInt8 = 0
    for index in walk.indices {
      let fact = walk[index]
      let since = fact.timeMilliseconds - beginning
      if since >= (1 + AttemptEvaluator.weeksAfter) * AttemptEvaluator.weekMilliseconds { break }
      guard since >= 0, fact.kind != .activity || fact.isActivity || isEntry(index) else {
        continue
      }
      let week = since / AttemptEvaluator.weekMilliseconds
      weeks |= 1 << UInt8(week)
      if week > 0 { continue }
      isSeen = true
      if fact.kind != .activity || isEntry(index) { hasStarted = true }
    }
    if !isSeen { return }
    if hasStarted {
      quality.weeksAfterBeginning += (weeks >> 1).nonzeroBitCount
    } else {
      quality.beganBefore += 1
    }
  }
}
