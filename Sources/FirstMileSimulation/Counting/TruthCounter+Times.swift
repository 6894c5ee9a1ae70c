import FlowDefinition

/// How long people took.
extension TruthCounter {
  /// A moment of the attempt: one of the flow's own events, in the order of the definitions.
  private struct Moment {
    var record: EventRecord
    /// It takes the onboarding up again.
    var isResume = false

    /// Whether the visit of a page ends here.
    var endsVisit: Bool {
      switch record.kind {
      case .viewed, .skipped, .completed: true
      default: isResume
      }
    }
  }

  mutating func countTimes(_ fate: Fate) {
    if fate.outcome == .finished {
      times.append((timePlan.toComplete, fate.outcomeTime - fate.entry))
    }
    let moments = self.moments(fate)
    let list = world.arms[fate.arm].positions
    for (step, position) in list.enumerated()
    where position >= 0 && fate.viewed & (1 << UInt64(step)) != 0 {
      if let time = timeOnStep(step, moments) { times.append((timePlan.onStep(step), time)) }
      times.append((timePlan.toMoveOn(step), timeToMoveOn(step, position, moments, fate, list)))
    }
  }

  private func moments(_ fate: Fate) -> [Moment] {
    let attempt = fate.attempt(world.flow)
    var moments = fate.records.filter { isOnboarding($0) && attempt.contains($0.time) }
      .sorted { ($0.time, rank($0.kind)) < ($1.time, rank($1.kind)) }
      .map { Moment(record: $0) }
    var hasStarted = false
    for index in moments.indices {
      let record = moments[index].record
      let isAgain = record.kind == .started && hasStarted
      if record.kind == .started { hasStarted = true }
      guard index > 0 else { continue }
      let before = moments[index - 1].record
      moments[index].isResume =
        isAgain || record.session != before.session
        || record.time - before.time > 30 * World.minute
    }
    return moments
  }

  private func timeOnStep(_ step: Int, _ moments: [Moment]) -> Int64? {
    var total: Int64?
    for (index, moment) in moments.enumerated() where isView(moment, of: step) {
      guard let end = moments[(index + 1)...].first(where: \.endsVisit) else { continue }
      let time = end.record.time - moment.record.time
      if time <= 30 * World.minute { total = (total ?? 0) + time }
    }
    return total
  }

  private func timeToMoveOn(
    _ step: Int, _ position: Int, _ moments: [Moment], _ fate: Fate, _ positions: [Int]
  ) -> Int64 {
    guard let first = moments.firstIndex(where: { isView($0, of: step) }) else {
      return TimeSample.never
    }
    let next = moments[(first + 1)...].first {
      $0.record.kind == .viewed && positions[Int($0.record.a)] > position
    }
    let start = moments[first].record.time
    if let next { return next.record.time - start }
    return fate.outcome == .finished ? fate.outcomeTime - start : TimeSample.never
  }

  private func isView(_ moment: Moment, of step: Int) -> Bool {
    moment.record.kind == .viewed && Int(moment.record.a) == step
  }

  /// Which of two events of one millisecond is the earlier.
  private func rank(_ kind: EventKind) -> Int {
    switch kind {
    case .started: 0
    case .prompted: 1
    case .viewed: 2
    case .stepSkipped: 3
    case .result: 4
    case .skipped: 5
    case .completed: 6
    case .happening, .activity, .broken: 7
    }
  }

  /// The percentiles, slice by slice; where nobody has a time there is no row.
  func timeRows() -> [TimeTruth] {
    var rows: [TimeTruth] = []
    func cut(_ value: String) -> String? { value == "all" ? nil : value }
    for (index, slice) in slices.slices.enumerated() where slice.hasTimes {
      for (column, row) in timePlan.rows.enumerated() {
        let sample = samples[index * timePlan.rows.count + column]
        guard !sample.milliseconds.isEmpty else { continue }
        rows.append(
          TimeTruth(
            metric: row.metric, step: row.step, version: cut(slice.version),
            experiment: cut(slice.experiment), variant: cut(slice.variant),
            breakdown: cut(slice.breakdown), persons: sample.milliseconds.count,
            milliseconds: sample.percentiles(TimeTruth.percents)))
      }
    }
    return rows
  }
}
