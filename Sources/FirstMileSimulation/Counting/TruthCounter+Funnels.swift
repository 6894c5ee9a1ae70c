import FlowDefinition

/// How far people got in the flow's custom funnels.
extension TruthCounter {
  mutating func countFunnels(_ fate: Fate) {
    guard !world.funnels.funnels.isEmpty else { return }
    let records = fate.records.sorted { $0.time < $1.time }
    for (index, funnel) in world.funnels.funnels.enumerated() {
      let base = metrics.funnels[index]
      for step in 0..<reached(funnel, records) { hits.append(base + step) }
    }
  }

  /// The number of steps taken from the first entry whose window the dump holds in full.
  private func reached(_ funnel: FunnelPlan.Funnel, _ records: [EventRecord]) -> Int {
    var step = 0
    var end = Int64.max
    for record in records where step < funnel.steps.count {
      guard record.time <= end else { break }
      guard matches(record, funnel.steps[step]) else { continue }
      if step == 0 {
        end = record.time + funnel.windowMilliseconds
        guard end <= world.horizon else { return 0 }
      }
      step += 1
    }
    return step
  }

  private func matches(_ record: EventRecord, _ step: FunnelPlan.Step) -> Bool {
    switch record.kind {
    case .happening: step.templates[Int(record.a)]
    case .activity: step.activities[Int(record.a)]
    case .broken: false
    default: step.onboarding.contains { isMatch(record, $0) }
    }
  }

  private func isMatch(_ record: EventRecord, _ pattern: EventPattern) -> Bool {
    guard pattern.event == name(record.kind) else { return false }
    return pattern.conditions.allSatisfy { condition in
      value(record, EventTemplate.bareName(condition.property)).map(condition.values.contains)
        ?? false
    }
  }

  private func name(_ kind: EventKind) -> String {
    switch kind {
    case .started: "onboarding_started"
    case .viewed: "onboarding_page_viewed"
    case .stepSkipped: "onboarding_step_skipped"
    case .skipped: "onboarding_skipped"
    case .completed: "onboarding_completed"
    case .prompted: "permission_prompted"
    case .result: "permission_result"
    case .happening, .activity, .broken: ""
    }
  }

  /// A property of one of the onboarding's own lines.
  private func value(_ record: EventRecord, _ property: String) -> String? {
    func step() -> String { world.flow.steps[Int(record.a)].id }
    switch (record.kind, property) {
    case (.started, _):
      guard record.a != EventRecord.none else { return nil }
      return world.happenings.table.templates[Int(record.a)].value(of: property)
    case (.viewed, "page_name"): return record.style == .numberOnly ? nil : step()
    case (.viewed, "navigation"):
      if record.identity.contains(.swiped) { return "swipe" }
      return record.identity.contains(.tapped) ? "button" : nil
    case (.stepSkipped, "page_name"): return step()
    case (.stepSkipped, "item"):
      return record.b == EventRecord.none ? nil : world.items[Int(record.b)]
    case (.completed, "completion_method"):
      return record.a == 0 ? "finished" : record.a == 1 ? "skipped" : nil
    case (.prompted, "permission"), (.result, "permission"):
      return world.flow.permissions[Int(record.a)]
    case (.result, "status"): return PermissionStatus.names[Int(record.b)]
    default: return nil
    }
  }
}
