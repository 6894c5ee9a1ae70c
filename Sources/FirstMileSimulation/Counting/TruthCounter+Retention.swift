import FlowDefinition

/// Who came back when.
extension TruthCounter {
  mutating func countRetention(_ fate: Fate) {
    let visitEnd = visitEnd(fate)
    let windowEnd = fate.entry + world.flow.windowMilliseconds
    let isCommon =
      !metrics.commonMeasures.isEmpty
      && metrics.commonMeasures.allSatisfy { measure in
        world.clock.isOver(
          day: world.flow.retention[measure].window.days.end - 1, after: fate.entry,
          at: world.horizon)
      }
    if isCommon { hits.append(metrics.commonCohort) }
    for (index, measure) in world.flow.retention.enumerated()
    where world.happenings.retentionIsTold[index] {
      guard let anchor = anchorTime(measure.anchor, fate) else { continue }
      let days = measure.window.days
      guard world.clock.isOver(day: days.end - 1, after: anchor, at: world.horizon) else {
        continue
      }
      hits.append(metrics.retention[index])
      let isBack: Bool
      if let matches = world.matches.retention[index] {
        isBack = fate.happenings.contains {
          matches[$0.template] && $0.time > visitEnd && isWithin(days, $0.time, anchor)
        }
      } else {
        isBack = fate.records.contains {
          isPresence($0) && $0.time > visitEnd && !(isOnboarding($0) && $0.time <= windowEnd)
            && isWithin(days, $0.time, anchor)
        }
      }
      guard isBack else { continue }
      hits.append(metrics.retention[index] + 1)
      if isCommon, let place = metrics.commonMeasures.firstIndex(of: index) {
        hits.append(metrics.commonCohort + 1 + place)
      }
    }
  }

  private func isWithin(_ days: (start: Int, end: Int), _ time: Int64, _ anchor: Int64) -> Bool {
    let day = world.clock.day(of: time, after: anchor)
    return day >= days.start && day < days.end
  }

  /// When the visit of the attempt ends: with the first pause of more than 30 minutes behind the
  /// outcome, or behind the last that is seen of an onboarding that was left.
  private func visitEnd(_ fate: Fate) -> Int64 {
    let window = fate.entry...(fate.entry + world.flow.windowMilliseconds)
    let records = fate.records.filter { window.contains($0.time) }
    let last = records.filter(isOnboarding).map(\.time).max() ?? fate.entry
    var end = fate.outcome == .abandoned ? last : fate.outcomeTime
    for time in records.filter(isPresence).map(\.time).sorted() where time > end {
      if time - end > 30 * World.minute { break }
      end = time
    }
    return end
  }

  /// Whether the onboarding was left and taken up again: a second start, another launch, or more
  /// than 30 minutes between two of its lines.
  func isResumed(_ fate: Fate) -> Bool {
    let attempt = fate.attempt(world.flow)
    let own = fate.records.filter { isOnboarding($0) && attempt.contains($0.time) }
    if own.filter({ $0.kind == .started }).count > 1 { return true }
    if Set(own.map(\.session)).count > 1 { return true }
    let times = own.map(\.time).sorted()
    return zip(times, times.dropFirst()).contains { $1 - $0 > 30 * World.minute }
  }

  /// Whether the line is one of the flow's own events.
  func isOnboarding(_ record: EventRecord) -> Bool {
    switch record.kind {
    case .activity, .happening, .broken: false
    default: true
    }
  }

  /// Whether the person is known to be there: all but what is declared to be no activity.
  private func isPresence(_ record: EventRecord) -> Bool {
    switch record.kind {
    case .activity: world.names.shows[Int(record.a)]
    case .happening: world.matches.shows[Int(record.a)]
    default: true
    }
  }
}
