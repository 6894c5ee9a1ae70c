internal import FlowDefinition

/// Reads what a person's facts are to one funnel of a flow.
struct FunnelFactReader: Sendable {
  private let marks: FunnelMarks
  private let stepCount: UInt64
  private let steps: UInt64
  private let entrySteps: UInt64
  /// Facts that are no step and meet no exclusion matter too.
  private let readsAll: Bool

  init(_ compiled: CompiledFlow, funnel: Int, rules: FunnelRules) {
    let states = FunnelStates(compiled.flow.funnels[funnel])
    marks = compiled.funnels[funnel]
    stepCount = UInt64(marks.stepCount)
    steps = states.steps
    entrySteps = states.entrySteps
    readsAll =
      rules.walk == .windowFunnel
      ? rules.modes.contains(.strictOrder) : states.order == .strict
  }

  /// The facts from the first moment on that has an entry: none before it matters.
  func read(_ walk: [WalkFact], into facts: inout [FunnelFact]) {
    facts.removeAll(keepingCapacity: true)
    guard var first = walk.firstIndex(where: { marks[$0.patternSet] & entrySteps != 0 }) else {
      return
    }
    let time = walk[first].timeMilliseconds
    while first > 0, walk[first - 1].timeMilliseconds == time { first -= 1 }
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
