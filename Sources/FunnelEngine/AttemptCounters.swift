internal import FlowDefinition

/// Which counters an attempt adds one to (definitions 5 to 11).
struct AttemptCounters {
  let layout: CounterLayout
  let compiled: CompiledFlow

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
    for (place, step) in compiled.lists.all[attempt.list].steps.enumerated() {
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
      if let parent = compiled.flow.steps[step].branchOf,
        attempt.viewed & (1 << UInt64(parent)) != 0
      {
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
      if sawPriming(attempt, index) { counters.append(layout[.sawPriming, index]) }
      for (other, second) in attempt.permissions.enumerated() where other > index {
        counters.append(layout.joint(index, answer.answer, other, second.answer))
      }
    }
  }

  /// Whether the person viewed a step that asks for the permission.
  private func sawPriming(_ attempt: Attempt, _ permission: Int) -> Bool {
    let name = compiled.flow.permissions[permission]
    for (step, definition) in compiled.flow.steps.enumerated() where definition.asks == name {
      if attempt.viewed & (1 << UInt64(step)) != 0 { return true }
    }
    return false
  }
}
