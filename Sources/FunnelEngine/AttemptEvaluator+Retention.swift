internal import FlowDefinition

/// Who came back when (definitions 11).
extension AttemptEvaluator {
  mutating func findRetention() {
    let entry = attempt.entryMilliseconds
    collectActiveDays(since: entry)
    for (index, measure) in plan.retention.enumerated() {
      var result = RetentionResult()
      defer { attempt.retention[index] = result }
      guard let anchor = anchorTime(measure.anchor) else { continue }
      result.hasAnchor = true
      let end = boundary(anchor, measure.endDay)
      // The window's last millisecond is end − 1.
      result.isEligible = attempt.isMature && end - 1 <= options.horizonMilliseconds
      guard result.isEligible else { continue }
      if measure.isPlain {
        result.cameBack = activeDays.contains { $0 >= measure.firstDay && $0 < measure.endDay }
      } else {
        let start = boundary(anchor, measure.firstDay)
        result.cameBack = hasFact(from: start, to: end, bit: measure.bit)
      }
    }
    attempt.firstReturnMilliseconds =
      walk.first {
        $0.timeMilliseconds >= entry + AttemptEvaluator.dayMilliseconds
          && compiled.actions[$0.action].isActivity
      }.map { $0.timeMilliseconds - entry } ?? -1
  }

  /// The distinct days, counted from entry, on which the person was active.
  private mutating func collectActiveDays(since entry: Int64) {
    activeDays.removeAll(keepingCapacity: true)
    let byCalendar = countsCalendarDays
    let entryDay = byCalendar ? calendar.day(of: entry) : 0
    for fact in walk[attemptRange.lowerBound...] where compiled.actions[fact.action].isActivity {
      let day =
        byCalendar
        ? calendar.day(of: fact.timeMilliseconds) - entryDay
        : Int((fact.timeMilliseconds - entry) / AttemptEvaluator.dayMilliseconds)
      if activeDays.last != day { activeDays.append(day) }
    }
  }

  /// The first instant of day `day` after the anchor.
  private func boundary(_ anchor: Int64, _ day: Int) -> Int64 {
    if !countsCalendarDays {
      return anchor + Int64(day) * AttemptEvaluator.dayMilliseconds
    }
    return calendar.start(ofDay: calendar.day(of: anchor) + day)
  }

  private func hasFact(from start: Int64, to end: Int64, bit: UInt64) -> Bool {
    walk.contains { fact in
      let action = compiled.actions[fact.action]
      return fact.timeMilliseconds >= start && fact.timeMilliseconds < end
        && (bit == 0 ? action.isActivity : action.patterns & bit != 0)
    }
  }
}
