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
        Self.runs(whole: whole, part: whole.filter(isPart), flow.timeZone).map {
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
    whole: [ReferencePerson], part: [ReferencePerson], _ timeZone: String
  ) -> [String] {
    func name(_ person: ReferencePerson) -> String {
      ReferenceTime.cohort(person.attempt.entry, unit: .day, timeZone: timeZone)
    }
    /// Days since 1970, of local dates.
    func number(_ name: String) -> Int64 {
      (ReferenceTime.milliseconds(name + "T12:00:00Z") ?? 0) / ReferenceTime.day
    }
    let names = Dictionary(whole.map { (number(name($0)), name($0)) }) { first, _ in first }
    let counts = [whole, part].map { people in
      Dictionary(grouping: people.map { number(name($0)) }) { $0 }.mapValues(\.count)
    }
    let (should, did) = (counts[0], counts[1])
    // On other dates there is nobody who should.
    let dates = should.keys.sorted()
    var found: [String] = []
    for first in dates.indices.dropFirst() where did[dates[first - 1]] != nil {
      for last in first..<dates.count where dates[first...last].allSatisfy({ did[$0] == nil }) {
        // It can't be longer.
        guard last + 1 == dates.count || did[dates[last + 1]] != nil else { continue }
        let beside = dates.filter { date in
          let isAfter = last + 1 < dates.count && (0..<28).contains(date - dates[last + 1])
          return isAfter || (1...28).contains(dates[first] - date)
        }
        var expected = 0.0
        var days = 0
        for place in dates[first...last] {
          let alike = beside.filter { ($0 - place) % 7 == 0 }
          let people = alike.reduce(0) { $0 + (should[$1] ?? 0) }
          let some = alike.reduce(0) { $0 + (did[$1] ?? 0) }
          guard some > 0 else { continue }
          days += 1
          expected += Double(should[place] ?? 0) * Double(some) / Double(people)
        }
        // exp(−x) < 0.001
        if days >= 3, expected / 4 > 6.907755278982137 {
          found.append("\(names[dates[first]] ?? "") \(names[dates[last]] ?? "")")
        }
      }
    }
    return found
  }
}
