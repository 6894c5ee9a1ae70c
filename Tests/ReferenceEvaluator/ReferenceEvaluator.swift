public import FlowDefinition

/// The trivially right twin of the whole computation: canonical NDJSON lines in, rows out.
///
/// It stands beside the data path, not in it: the engine is compared with it. Every rule of
/// docs/definitions.md is written as it reads, over plain arrays, however slow; nothing is shared
/// with the targets that it checks but the model of the flow.
public struct ReferenceEvaluator {
  let flow: Flow
  let options: ReferenceOptions

  public init(flow: Flow, options: ReferenceOptions = ReferenceOptions()) {
    self.flow = flow
    self.options = options
  }

  /// Evaluates a dump; lines that can't be used are ignored.
  public func evaluate(lines: [String]) -> ReferenceResult {
    let facts = lines.compactMap { ReferenceFact(line: $0, flow: flow) }
    let all = PersonResolution(facts: facts, rule: flow.identity).timelines()
    guard let horizon = options.asOfMilliseconds ?? Self.horizon(all) else {
      return ReferenceResult(
        rows: rows(persons: [], quality: [:]), horizonMilliseconds: nil, quality: [:])
    }
    let kept = facts.filter { $0.time <= horizon }
    let known = PersonResolution(facts: kept, rule: flow.identity)
    let timelines =
      options.asOfMilliseconds != nil
      ? known.timelines()
      : all.mapValues { $0.filter { $0.time <= horizon } }.filter { !$0.value.isEmpty }
    var quality: [String: Int] = [
      "facts_after_horizon": all.values.joined().count { $0.time > horizon },
      "shared_devices": flow.identity == .stitched ? known.sharedDevices.count : 0,
      "alias_groups_too_large": known.groupsTooLarge,
    ]
    var persons: [ReferencePerson] = []
    for facts in timelines.values {
      let timeline = facts.map { PlacedFact($0, flow: flow) }.sorted()
      if let person = person(timeline, horizon: horizon, quality: &quality) {
        persons.append(person)
      }
    }
    return ReferenceResult(
      rows: rows(persons: persons, quality: quality), horizonMilliseconds: horizon,
      quality: quality)
  }

  /// The latest fact time with facts of at least 3 persons in the 24 hours up to it.
  static func horizon(_ timelines: [String: Set<ReferenceFact>]) -> Int64? {
    let times = Set(timelines.values.joined().map(\.time)).sorted(by: >)
    let busy = times.first { time in
      timelines.values.count { facts in
        facts.contains { $0.time > time - ReferenceTime.day && $0.time <= time }
      } >= 3
    }
    return busy ?? times.first
  }

  /// `nil` of those who are in no metric but a quality count.
  private func person(
    _ timeline: [PlacedFact], horizon: Int64, quality: inout [String: Int]
  ) -> ReferencePerson? {
    let reader = PageReader(flow: flow)
    for placed in timeline where placed.isOnboarding {
      if placed.page == .ambiguous { quality["ambiguous_pages", default: 0] += 1 }
      guard placed.kind == .viewed || placed.kind == .stepSkipped else { continue }
      if placed.page == .undeclared { quality["undeclared_pages", default: 0] += 1 }
      if reader.hasConflict(placed.fact) { quality["page_conflicts", default: 0] += 1 }
    }
    guard timeline.contains(where: \.isOnboarding) else {
      quality["activity_only", default: 0] += 1
      return nil
    }
    guard let attempt = Attempt(flow: flow, timeline: timeline, horizon: horizon) else {
      quality["orphans", default: 0] += 1
      return nil
    }
    if let from = options.fromMilliseconds, attempt.entry < from { return nil }
    if let to = options.toMilliseconds, attempt.entry >= to { return nil }
    if attempt.isExisting, flow.existingUsers == .exclude {
      quality["existing_users", default: 0] += 1
      return nil
    }
    if attempt.isImpliedStart { quality["implied_starts", default: 0] += 1 }
    let person = ReferencePerson(flow: flow, attempt: attempt, cohort: options.cohort)
    quality["views_outside_list", default: 0] += person.steps.viewsOutsideList
    return person
  }

  private func rows(persons: [ReferencePerson], quality: [String: Int]) -> [ReferenceRow] {
    var rows = ReferenceSlices(flow: flow, persons: persons).rows
    for metric in ["orphans", "existing_users", "activity_only"] {
      rows.append(ReferenceRow(metric: metric, numerator: quality[metric] ?? 0))
    }
    return rows.sorted()
  }
}
