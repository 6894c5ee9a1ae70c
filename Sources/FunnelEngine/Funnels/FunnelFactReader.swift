internal import FlowDefinition

/// Reads what a person's facts are to one funnel of a flow.
struct FunnelFactReader: Sendable {
  private let marks: FunnelMarks
  private let stepCount: UInt64
  private let steps: UInt64
  private let entrySteps: UInt64
  /// Facts that are no step and meet no exclusion matter too.
  private let readsAll: Bool
  /// How long before its entry a walk can have a step.
  private let lead: Int64

  init(_ compiled: CompiledFlow, funnel: Int, rules: FunnelRules) {
    let states = FunnelStates(rules.reading(compiled.flow.funnels[funnel]))
    marks = compiled.funnels[funnel]
    stepCount = UInt64(marks.stepCount)
    steps = states.steps
    entrySteps = states.entrySteps
    readsAll =
      rules.modes.isEmpty ? states.order == .strict : rules.modes.contains(.strictOrder)
    // Each step can come before the one before it.
    let lead = (rules.tolerance ?? 0).multipliedReportingOverflow(by: Int64(max(0, states.last)))
    self.lead = states.order == .any ? 0 : lead.overflow ? .max : lead.partialValue
  }

  /// The facts from the first moment on that can matter to the first entry.
  func read(_ walk: [WalkFact], into facts: inout [FunnelFact]) {
    facts.removeAll(keepingCapacity: true)
    guard var first = walk.firstIndex(where: { marks[$0.patternSet] & entrySteps != 0 }) else {
      return
    }
    let (time, overflows) = walk[first].timeMilliseconds.subtractingReportingOverflow(lead)
    let start = overflows ? Int64.min : time
    while first > 0, walk[first - 1].timeMilliseconds >= start { first -= 1 }
    for index in first..<walk.count {
      let mark = marks[walk[index].patternSet]
      if mark == 0 && !readsAll { continue }
      facts.append(
        FunnelFact(
          time: walk[index].timeMilliseconds, steps: mark & steps, exclusions: mark >> stepCount,
          index: index))
    }
  }
}
