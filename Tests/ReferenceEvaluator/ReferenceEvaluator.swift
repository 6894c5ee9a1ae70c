package import FlowDefinition

/// The trivially right twin of the whole computation: canonical NDJSON lines in, rows out.
///
/// It stands beside the data path, not in it: the engine is compared with it. Every rule of
/// docs/definitions.md is written as it reads, over plain arrays, however slow; nothing is shared
/// with the targets that it checks but the model of the flow.
package struct ReferenceEvaluator {
  let flow: Flow
  let options: ReferenceOptions

  package init(flow: Flow, options: ReferenceOptions = ReferenceOptions()) {
    self.flow = flow
    self.options = options
  }

  /// Evaluates a dump; lines that can't be used are ignored.
  package func evaluate(lines: [String]) -> ReferenceResult {
    let facts = lines.compactMap { ReferenceFact(line: $0, flow: flow) }
    let all = PersonResolution(facts: facts, flow: flow).timelines()
    let asOf = options.asOfMilliseconds
    let known = PersonResolution(
      facts: facts.filter { $0.time <= asOf ?? $0.time }, flow: flow)
    let read = asOf == nil ? all : known.timelines()
    let dates = ReferenceDates(read.values.map { $0.map(\.time) })
    guard let horizon = asOf ?? dates?.horizon else {
      return ReferenceResult(
        rows: rows(persons: [], quality: [:]), horizonMilliseconds: nil, quality: [:])
    }
    let isMisdated = { (fact: ReferenceFact) in
      guard let dates else { return false }
      return fact.time < dates.first || (asOf == nil && fact.time > dates.last)
    }
    let beginning = options.historyFromMilliseconds ?? .min
    let dated = read.mapValues { $0.filter { $0.time <= horizon && !isMisdated($0) } }
    let named = flow.leaveOut.ids.reduce(into: Set<String>()) {
      $0.formUnion(known.persons(ofID: $1))
    }
    let leftOut = dated.filter { person, facts in
      let isMarked = facts.contains { fact in flow.leaveOut.marks.contains { fact.bears($0) } }
      return !facts.isEmpty && (isMarked || named.contains(person))
    }
    let timelines = dated.filter { leftOut[$0.key] == nil }.mapValues {
      $0.filter { $0.time >= beginning }
    }.filter { !$0.value.isEmpty }
    let users = flow.identity == .stitched ? known.usersOfDevice.values.map(\.count) : []
    var quality: [String: Int] = [
      "facts_after_horizon": all.values.joined().count { $0.time > horizon && !isMisdated($0) },
      "misdated_facts": read.values.joined().count(where: isMisdated),
      "misdated_persons": read.values.count { $0.contains(where: isMisdated) },
      "shared_devices": users.count { $0 > PersonResolution.maximumUsersPerDevice },
      "devices_with_several_users": users.count {
        2...PersonResolution.maximumUsersPerDevice ~= $0
      },
      "devices_with_users": users.count,
      "alias_groups_too_large": known.groupsTooLarge, "left_out": leftOut.count,
    ]
    let dataBegin = max(dates?.known ?? 0, options.historyFromMilliseconds ?? 0)
    let missingDates = dates?.missing ?? []
    var persons: [ReferencePerson] = []
    for facts in timelines.values {
      let timeline = facts.map { PlacedFact($0, flow: flow) }.sorted()
      seeBeginning(timeline, known: dataBegin, quality: &quality)
      persons += counted(timeline, horizon: horizon, missing: missingDates, quality: &quality)
    }
    let missing = ReferenceMissingStarts(
      entries: persons.map(\.attempt.entry),
      known: dataBegin, end: min(horizon, dates?.horizon ?? horizon), options: options,
      timeZone: flow.timeZone)
    return ReferenceResult(
      rows: rows(persons: persons, quality: quality), horizonMilliseconds: horizon,
      quality: quality, missingStarts: missing.dates,
      stoppedEvents: ReferenceStoppedEvents(persons, flow: flow).runs)
  }

  /// Who is seen in the first week of the data without a start in it; and of the others in how
  /// many of the four weeks after it they come back (definitions 17).
  private func seeBeginning(
    _ timeline: [PlacedFact], known: Int64, quality: inout [String: Int]
  ) {
    func isEntry(_ placed: PlacedFact) -> Bool { flow.entry.map(placed.fact.matches) ?? false }
    func week(_ placed: PlacedFact) -> Int64? {
      let since = placed.fact.time - known
      return since < 0 ? nil : since / (7 * ReferenceTime.day)
    }
    let seen = timeline.filter {
      $0.isOnboarding || isEntry($0) || !flow.notActivity.contains($0.fact.name)
    }
    let first = seen.filter { week($0) == 0 }
    if first.isEmpty { return }
    if first.contains(where: { $0.isOnboarding || isEntry($0) }) {
      let weeks = Set(seen.compactMap(week)).filter { (1...4).contains($0) }
      quality["weeks_after_beginning", default: 0] += weeks.count
    } else {
      quality["began_before", default: 0] += 1
    }
  }

  /// The person's attempts that are counted; none of those who are in no metric but a quality
  /// count.
  private func counted(
    _ timeline: [PlacedFact], horizon: Int64, missing: [Int64], quality: inout [String: Int]
  ) -> [ReferencePerson] {
    let reader = PageReader(flow: flow)
    for placed in timeline where placed.isOnboarding {
      if placed.page == .ambiguous { quality["ambiguous_pages", default: 0] += 1 }
      guard placed.kind == .viewed || placed.kind == .stepSkipped else { continue }
      if placed.page == .undeclared { quality["undeclared_pages", default: 0] += 1 }
      if reader.hasConflict(placed.fact) { quality["page_conflicts", default: 0] += 1 }
    }
    let enters = flow.entry.map { entry in timeline.contains { $0.fact.matches(entry) } } ?? false
    guard enters || timeline.contains(where: \.isOnboarding) else {
      quality["activity_only", default: 0] += 1
      return []
    }
    let attempts = Attempt.all(flow: flow, timeline: timeline, horizon: horizon)
    func isInPeriod(_ time: Int64) -> Bool {
      time >= options.fromMilliseconds ?? .min && time < options.toMilliseconds ?? .max
    }
    if attempts.isEmpty {
      let first = timeline.first(where: \.isOnboarding)?.time
      if let first, isInPeriod(first) { quality["orphans", default: 0] += 1 }
      return []
    }
    let inPeriod = attempts.filter { isInPeriod($0.entry) }
    var counted = inPeriod
    if flow.existingUsers == .exclude { counted = inPeriod.filter { !$0.isExisting } }
    if counted.isEmpty, let first = inPeriod.first {
      quality["existing_users", default: 0] += 1
      if first.isFinished { quality["existing_users_finished", default: 0] += 1 }
    }
    if flow.counting == .persons { counted = Array(counted.prefix(1)) }
    return counted.enumerated().map { index, attempt in
      if attempt.isImpliedStart { quality["implied_starts", default: 0] += 1 }
      if attempt.endsOtherFlow { quality["ends_of_other_flows", default: 0] += 1 }
      // Funnels are of persons: they are counted with the first attempt.
      let person = ReferencePerson(
        flow: flow, attempt: attempt, cohort: options.cohort, hasFunnels: index == 0,
        missingDates: missing)
      quality["views_outside_list", default: 0] += person.steps.viewsOutsideList
      quality["exposed_later", default: 0] += flow.experiments.count {
        Assignment.isExposedLater(in: $0, attempt: attempt)
      }
      quality["skip_contradictions", default: 0] += attempt.skipContradictions(person.steps.list)
      return person
    }
  }

  private func rows(persons: [ReferencePerson], quality: [String: Int]) -> [ReferenceRow] {
    var rows = ReferenceSlices(flow: flow, persons: persons).rows
    for metric in ["orphans", "existing_users", "activity_only"] {
      rows.append(ReferenceRow(metric: metric, numerator: quality[metric] ?? 0))
    }
    return rows.sorted()
  }
}
