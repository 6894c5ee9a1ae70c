internal import FlowDefinition

/// Who came back when (definitions 11).
extension AttemptEvaluator {
  mutating func findRetention() {
    findVisitEnd()
    collectActiveDays(since: attempt.entryMilliseconds)
    for index in plan.retention.indices {
      attempt.retention[index] = retention(plan.retention[index])
    }
  }

  private mutating func retention(_ measure: MeasurePlan.RetentionRule) -> RetentionResult {
    var result = RetentionResult()
    guard let anchor = anchorTime(measure.anchor) else { return result }
    result.hasAnchor = true
    let end = boundary(anchor, measure.endDay)
    // The window's last millisecond is end − 1.
    result.isOver = attempt.isMature && end - 1 <= options.horizonMilliseconds
    guard result.isOver else { return result }
    if !options.missingDates.isEmpty {
      let start = boundary(anchor, measure.firstDay)
      result.lacksDates = MissingDates.areMoreThanATenth(
        of: start..<max(start, end), options.missingDates)
    }
    if measure.isPlain {
      result.cameBack = activeDays.isActive(from: measure.firstDay, to: measure.endDay)
    } else {
      let start = boundary(anchor, measure.firstDay)
      result.cameBack = hasReturn(from: start, to: end, of: measure.pattern)
    }
    return result
  }

  /// Finds where the attempt's visit ends. The last facts of an onboarding, and what people do
  /// right after it, may lie behind midnight; that is still the first visit and no return.
  private mutating func findVisitEnd() {
    returnIndex = 0
    attempt.visitEndMilliseconds = attempt.entryMilliseconds
    guard returnsAfterVisit else { return }
    var end = attempt.endMilliseconds
    var next = attemptRange.upperBound
    if attempt.outcome == .abandoned || attempt.outcome == .open {
      next = windowEndIndex
      while next > attemptRange.lowerBound + 1 && walk[next - 1].kind == .activity { next -= 1 }
      end = walk[next - 1].timeMilliseconds
    }
    for index in next..<windowEndIndex where walk[index].isActivity {
      let time = walk[index].timeMilliseconds
      if time - end > AttemptEvaluator.resumeGapMilliseconds { break }
      end = time
      next = index + 1
    }
    while next < walk.count && walk[next].timeMilliseconds <= end { next += 1 }
    attempt.visitEndMilliseconds = end
    returnIndex = next
  }

  /// The flow's own facts in the window are no return: who takes longer to finish sends more.
  private func isOwnFact(_ index: Int) -> Bool {
    returnsAfterVisit && isOnboarding(index)
  }

  /// Whether a fact is one of the onboarding in the window of the attempt that was found last.
  func isOnboarding(_ index: Int) -> Bool {
    index >= attemptRange.lowerBound && index < windowEndIndex && walk[index].kind != .activity
  }

  /// The distinct days, counted from entry, on which the person was back, and the first return.
  private mutating func collectActiveDays(since entry: Int64) {
    activeDays.removeAll()
    let returnStart = entry + AttemptEvaluator.dayMilliseconds
    var firstReturn: Int64 = -1
    let entryDay = countsCalendarDays ? calendar.day(of: entry) : 0
    // Up to here a fact is of the day that was looked up last: few facts need a day's number.
    var dayEnd = Int64.min
    for index in max(returnIndex, attemptRange.lowerBound)..<walk.count
    where walk[index].isActivity && !isOwnFact(index) {
      let time = walk[index].timeMilliseconds
      if firstReturn < 0 && time >= returnStart { firstReturn = time - entry }
      if time < dayEnd { continue }
      let day: Int
      if countsCalendarDays {
        let civilDay = calendar.day(of: time)
        day = civilDay - entryDay
        dayEnd = calendar.start(ofDay: civilDay + 1)
      } else {
        day = Int((time - entry) / AttemptEvaluator.dayMilliseconds)
        dayEnd = entry + Int64(day + 1) * AttemptEvaluator.dayMilliseconds
      }
      activeDays.insert(day)
    }
    attempt.firstReturnMilliseconds = firstReturn
  }

  /// The days in which a measure asks for a return; `nil` without its anchor.
  mutating func window(of measure: MeasurePlan.RetentionRule) -> Range<Int64>? {
    guard let anchor = anchorTime(measure.anchor) else { return nil }
    let start = boundary(anchor, measure.firstDay)
    return start..<max(start, boundary(anchor, measure.endDay))
  }

  /// The first instant of day `day` after the anchor.
  mutating func boundary(_ anchor: Int64, _ day: Int) -> Int64 {
    if !countsCalendarDays {
      return anchor + Int64(day) * AttemptEvaluator.dayMilliseconds
    }
    return calendar.start(ofDay: calendar.day(of: anchor) + day)
  }

  /// Whether a return lies in a span of time: a fact of a pattern, or any activity where there is
  /// none.
  private mutating func hasReturn(from start: Int64, to end: Int64, of pattern: Int?) -> Bool {
    var index = max(firstIndex(from: start), returnIndex)
    while index < walk.count {
      if let pattern {
        guard let found = occurrences.first(of: pattern, from: index) else { return false }
        index = found
      }
      if walk[index].timeMilliseconds >= end { return false }
      if (pattern != nil || walk[index].isActivity) && !isOwnFact(index) { return true }
      index += 1
    }
    return false
  }
}
