import FlowDefinition

/// How long a person took (definitions 10).
enum StepTiming {
  /// 400 days: the largest value a histogram holds.
  static let largest: Int64 = 400 * ReferenceTime.day

  /// The sum over the visits to a step that have an end; `nil` where none has.
  static func timeOnStep(_ step: Int, attempt: Attempt) -> Int64? {
    let facts = attempt.onboarding
    let resumes = Set(attempt.resumeInstants)
    var total: Int64?
    for (index, view) in facts.enumerated()
    where view.kind == .viewed && view.page == .step(step) {
      let end = facts.indices.dropFirst(index + 1).first { later in
        [.viewed, .skipped, .completed].contains(facts[later].kind) || resumes.contains(later)
      }
      guard let end, facts[end].time - view.time <= Attempt.pause else { continue }
      total = (total ?? 0) + facts[end].time - view.time
    }
    return total
  }

  /// From the first view of a step to the first view of a later one of the list, or to the
  /// completion; `largest` for those who never go on, `nil` for those who never saw it.
  static func timeToMoveOn(_ step: Int, list: [Int], attempt: Attempt) -> Int64? {
    let views = attempt.onboarding.filter { $0.kind == .viewed }
    guard let place = list.firstIndex(of: step),
      let first = views.first(where: { $0.page == .step(step) })
    else { return nil }
    let later = views.first { view in
      view > first && list[(place + 1)...].contains { view.page == .step($0) }
    }
    if let later { return min(later.time - first.time, largest) }
    guard attempt.isFinished else { return largest }
    return attempt.outcomeTime.map { min($0 - first.time, largest) }
  }

  /// The lower edge of a value's bucket: 2048 sub-buckets, so 3 significant digits.
  static func lowerEdge(_ value: Int64) -> Int64 {
    let value = min(max(value, 0), largest)
    guard value >= 2048 else { return value }
    var width: Int64 = 1
    while value / width >= 2048 { width *= 2 }
    return value / width * width
  }

  /// The ceil(p/100 × n)-th smallest value.
  static func percentile(_ percent: Int, of values: [Int64]) -> Int64? {
    guard !values.isEmpty else { return nil }
    let rank = max(1, (percent * values.count + 99) / 100)
    return lowerEdge(values.sorted()[rank - 1])
  }
}
