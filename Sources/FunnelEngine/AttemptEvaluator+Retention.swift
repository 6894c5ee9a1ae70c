internal import FlowDefinition

/// Who came back when (definitions 11).
extension AttemptEvaluator {
  mutating func findRetention() {
    let entry = attempt.entryMilliseconds
    collectActiveDays(since: entry)
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
    result.isEligible = attempt.isMature && end - 1 <= options.horizonMilliseconds
    guard result.isEligible else { return result }
    if measure.isPlain {
      result.cameBack = activeDays.isActive(from: measure.firstDay, to: measure.endDay)
    } else {
      let start = boundary(anchor, measure.firstDay)
      result.cameBack = hasFact(from: start, to: end, of: measure.pattern)
    }
    return result
  }

  /// The distinct days, counted from entry, on which the person was active, and the first return.
  private mutating func collectActiveDays(since entry: Int64) {
    activeDays.removeAll()
    let returnStart = entry + AttemptEvaluator.dayMilliseconds
    var firstReturn: Int64 = -1
    let entryDay = countsCalendarDays ? calendar.day(of: entry) : 0
    // Up to here a fact is of the day that was looked up last: few facts need a day's number.
    var dayEnd = Int64.min
    for index in attemptRange.lowerBound..<walk.count where walk[index].isActivity {
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

  /// The first instant of day `day` after the anchor.
  private mutating func boundary(_ anchor: Int64, _ day: Int) -> Int64 {
    if !countsCalendarDays {
      return anchor + Int64(day) * AttemptEvaluator.dayMilliseconds
    }
    return calendar.start(ofDay: calendar.day(of: anchor) + day)
  }

  /// Whether a fact of a pattern lies in a span of time; of any activity where there is none.
  private mutating func hasFact(from start: Int64, to end: Int64, of pattern: Int?) -> Bool {
    var index = firstIndex(from: start)
    if let pattern {
      index = occurrences.first(of: pattern, from: index) ?? walk.count
    } else {
      while index < walk.count && !walk[index].isActivity { index += 1 }
    }
    return index < walk.count && walk[index].timeMilliseconds < end
  }
}
