import FlowDefinition

/// The runs of dates of which nobody finished, viewed a step or answered (definitions 16,
/// `stopped_events`), as they read.
struct ReferenceStoppedEvents {
  /// `completion 2026-02-09 2026-02-15`, `view:profile …`, `answer:push …`
  let runs: Set<String>

  init(_ persons: [ReferencePerson], flow: Flow) {
    let mature = persons.filter(\.attempt.isMature)
    var runs: Set<String> = []
    func look(
      _ event: String, _ isWhole: (ReferencePerson) -> Bool, _ isPart: (ReferencePerson) -> Bool
    ) {
      let whole = mature.filter(isWhole)
      runs.formUnion(
        Self.runs(whole: whole, part: whole.filter(isPart), all: mature, flow.timeZone).map {
          "\(event) \($0)"
        })
    }
    look("completion", { _ in true }, { $0.attempt.isFinished })
    for (index, step) in flow.steps.enumerated() where !step.isOptional && step.branchOf == nil {
      look(
        "view:\(step.id)", { $0.steps.bypassed(index) || $0.steps.advanced(index) },
        { $0.steps.viewed(index) })
    }
    for permission in flow.permissions {
      look(
        "answer:\(permission)", { $0.attempt.isFinished },
        { PermissionStanding(attempt: $0.attempt, permission: permission).name != "no_result" })
    }
    self.runs = runs
  }

  private static func runs(
    whole: [ReferencePerson], part: [ReferencePerson], all: [ReferencePerson], _ timeZone: String
  ) -> [String] {
    func date(_ person: ReferencePerson) -> String {
      ReferenceTime.cohort(person.attempt.entry, unit: .day, timeZone: timeZone)
    }
    guard let begin = all.map(\.attempt.entry).min(), let end = all.map(\.attempt.entry).max()
    else { return [] }
    var dates: [String] = []
    var start = ReferenceTime.startOfDay(begin, plus: 0, timeZone: timeZone)
    while start <= end {
      dates.append(ReferenceTime.cohort(start, unit: .day, timeZone: timeZone))
      start = ReferenceTime.startOfDay(start, plus: 1, timeZone: timeZone)
    }
    let counts = [whole, part].map { people in
      Dictionary(grouping: people.map(date)) { $0 }.mapValues(\.count)
    }
    let (should, did) = (dates.map { counts[0][$0] ?? 0 }, dates.map { counts[1][$0] ?? 0 })
    var found: [String] = []
    for first in dates.indices {
      for last in dates.indices where last >= first {
        // Nobody did, somebody should have on the first date and on the last, and it can't be
        // longer.
        guard did[first...last].allSatisfy({ $0 == 0 }), should[first] > 0, should[last] > 0,
          did[..<first].contains(where: { $0 > 0 }),
          dates[..<first].indices.last(where: { should[$0] > 0 }).map({ did[$0] > 0 }) ?? false,
          dates[(last + 1)...].indices.first(where: { should[$0] > 0 }).map({ did[$0] > 0 }) ?? true
        else { continue }
        let next = did[(last + 1)...].indices.first { did[$0] > 0 }
        var beside = Array(max(0, first - 28)..<first)
        if let next { beside += next..<min(dates.count, next + 28) }
        var expected = 0.0
        var days = 0
        for place in first...last where should[place] > 0 {
          let alike = beside.filter { ($0 - place) % 7 == 0 }
          let (people, some) = (
            alike.reduce(0) { $0 + should[$1] }, alike.reduce(0) { $0 + did[$1] }
          )
          guard some > 0 else { continue }
          days += 1
          expected += Double(should[place]) * Double(some) / Double(people)
        }
        // exp(−x) < 0.001
        if days >= 3, expected / 4 > 6.907755278982137 {
          found.append("\(dates[first]) \(dates[last])")
        }
      }
    }
    return found
  }
}
