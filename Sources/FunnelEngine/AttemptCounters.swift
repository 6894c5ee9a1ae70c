internal import FlowDefinition

/// Which counters an attempt adds one to (definitions 5 to 11).
struct AttemptCounters {
  private let layout: CounterLayout
  /// Each list's steps, in order.
  private let lists: [[Int]]
  /// For each step the step it branches off, or −1.
  private let parents: [Int]
  /// For each permission the steps that ask for it, a bit each.
  private let primingSteps: [UInt64]

  init(_ compiled: CompiledFlow) {
    let flow = compiled.flow
    layout = CounterLayout(flow)
    lists = compiled.lists.all.map(\.steps)
    parents = flow.steps.map { $0.branchOf ?? -1 }
    primingSteps = flow.permissions.map { name in
      flow.steps.enumerated().reduce(0) { bits, step in
        step.element.asks == name ? bits | 1 << UInt64(step.offset) : bits
      }
    }
  }

  /// - Parameter funnels: the steps of each custom funnel that the person reached, a bit each.
  func list(_ attempt: Attempt, _ funnels: [UInt64], into counters: inout [Int]) {
    counters.append(layout[.entered])
    for (funnel, reached) in funnels.enumerated() {
      for step in 0..<layout.funnelStepCounts[funnel] where reached & (1 << UInt64(step)) != 0 {
        counters.append(layout[funnel: funnel, step])
      }
    }
    guard attempt.isMature else { return }
    listOutcome(attempt, &counters)
    listSteps(attempt, &counters)
    listPermissions(attempt, &counters)
    for (goal, result) in attempt.goals.enumerated() where result.isEligible {
      counters.append(layout[goal: goal, .eligible])
      if result.isReached { counters.append(layout[goal: goal, .met]) }
    }
    for index in 0..<layout.frictionCount where attempt.friction & (1 << UInt64(index)) != 0 {
      counters.append(layout[friction: index])
    }
    for (measure, result) in attempt.retention.enumerated() where result.isEligible {
      counters.append(layout[retention: measure, .eligible])
      if result.cameBack { counters.append(layout[retention: measure, .met]) }
    }
  }

  private func listOutcome(_ attempt: Attempt, _ counters: inout [Int]) {
    counters.append(layout[.persons])
    switch attempt.outcome {
    case .finished: counters.append(layout[.finished])
    case .skipped: counters.append(layout[.skipped])
    case .abandoned, .open: counters.append(layout[.abandoned])
    }
    if attempt.usedSkip { counters.append(layout[.usedSkip]) }
    if attempt.isResumed { counters.append(layout[.resumed]) }
    if attempt.isReplayed { counters.append(layout[.replayed]) }
    if attempt.completedLate { counters.append(layout[.completedLate]) }
    if attempt.skipPage >= 0 {
      counters.append(
        attempt.skipPage < layout.stepCount
          ? layout[.firstSkip, attempt.skipPage] : layout.unknownSkipPage)
    }
    if attempt.outcome != .finished && attempt.furthestPlace < 0 {
      counters.append(
        attempt.outcome == .skipped
          ? layout[.leftAtEntrySkipping] : layout[.leftAtEntryAbandoned])
    }
  }

  private func listSteps(_ attempt: Attempt, _ counters: inout [Int]) {
    let finished = attempt.outcome == .finished
    for (place, step) in lists[attempt.list].enumerated() {
      counters.append(layout[.listed, step])
      let bit: UInt64 = 1 << UInt64(step)
      let wentOn = finished || attempt.furthestPlace > place
      if attempt.viewed & bit == 0 {
        if wentOn { counters.append(layout[.bypassed, step]) }
      } else {
        counters.append(layout[.viewed, step])
        if wentOn {
          counters.append(layout[.advanced, step])
        } else if attempt.outcome == .skipped {
          counters.append(layout[.leftSkipping, step])
        } else {
          counters.append(layout[.abandonedHere, step])
          if attempt.endsWithDenial { counters.append(layout[.abandonedAfterDenial, step]) }
        }
        if attempt.wentBack & bit != 0 { counters.append(layout[.wentBack, step]) }
        if attempt.declined & bit != 0 { counters.append(layout[.declined, step]) }
      }
      let parent = parents[step]
      if parent >= 0, attempt.viewed & (1 << UInt64(parent)) != 0 {
        counters.append(layout[.viewedParent, step])
        if attempt.viewed & bit != 0 { counters.append(layout[.branchTaken, step]) }
      }
    }
  }

  private func listPermissions(_ attempt: Attempt, _ counters: inout [Int]) {
    for (index, answer) in attempt.permissions.enumerated() {
      counters.append(layout[answer.answer, index])
      if answer.isGranting { counters.append(layout[.optIn, index]) }
      if answer.isReached { counters.append(layout[.reached, index]) }
      if answer.isAccepted { counters.append(layout[.accepted, index]) }
      if answer.leftAfterDenial { counters.append(layout[.leftAfterDenial, index]) }
      if answer.isDeniedAndMature { counters.append(layout[.deniedAndMature, index]) }
      if answer.recovered { counters.append(layout[.recovered, index]) }
      if attempt.viewed & primingSteps[index] != 0 { counters.append(layout[.sawPriming, index]) }
      for (other, second) in attempt.permissions.enumerated() where other > index {
        counters.append(layout.joint(index, answer.answer, other, second.answer))
      }
    }
  }
}
