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

  /// The counters, each at most once.
  ///
  /// - Parameter funnels: the steps of each custom funnel that the person reached, a bit each.
  func list(_ attempt: Attempt, _ funnels: [UInt64], into counters: inout OutputSpan<Int32>) {
    counters.add(layout[.entered])
    for funnel in funnels.indices {
      let reached = funnels[funnel]
      for step in 0..<layout.funnelStepCounts[funnel] where reached & (1 << UInt64(step)) != 0 {
        counters.add(layout[funnel: funnel, step])
      }
    }
    guard attempt.isMature else { return }
    listOutcome(attempt, &counters)
    listSteps(attempt, &counters)
    listPermissions(attempt, &counters)
    for goal in attempt.goals.indices where attempt.goals[goal].isEligible {
      counters.add(layout[goal: goal, .eligible])
      if attempt.goals[goal].isReached { counters.add(layout[goal: goal, .met]) }
    }
    for index in 0..<layout.frictionCount where attempt.friction & (1 << UInt64(index)) != 0 {
      counters.add(layout[friction: index])
    }
    for measure in attempt.retention.indices where attempt.retention[measure].isEligible {
      counters.add(layout[retention: measure, .eligible])
      if attempt.retention[measure].cameBack { counters.add(layout[retention: measure, .met]) }
    }
  }

  private func listOutcome(_ attempt: Attempt, _ counters: inout OutputSpan<Int32>) {
    counters.add(layout[.persons])
    switch attempt.outcome {
    case .finished: counters.add(layout[.finished])
    case .skipped: counters.add(layout[.skipped])
    case .abandoned, .open: counters.add(layout[.abandoned])
    }
    if attempt.usedSkip { counters.add(layout[.usedSkip]) }
    if attempt.isResumed { counters.add(layout[.resumed]) }
    if attempt.isReplayed { counters.add(layout[.replayed]) }
    if attempt.completedLate { counters.add(layout[.completedLate]) }
    if attempt.skipPage >= 0 {
      counters.add(
        attempt.skipPage < layout.stepCount
          ? layout[.firstSkip, attempt.skipPage] : layout.unknownSkipPage)
    }
    if attempt.outcome != .finished && attempt.furthestPlace < 0 {
      counters.add(
        attempt.outcome == .skipped
          ? layout[.leftAtEntrySkipping] : layout[.leftAtEntryAbandoned])
    }
  }

  private func listSteps(_ attempt: Attempt, _ counters: inout OutputSpan<Int32>) {
    let finished = attempt.outcome == .finished
    for place in lists[attempt.list].indices {
      let step = lists[attempt.list][place]
      counters.add(layout[.listed, step])
      let bit: UInt64 = 1 << UInt64(step)
      let wentOn = finished || attempt.furthestPlace > place
      if attempt.viewed & bit == 0 {
        if wentOn { counters.add(layout[.bypassed, step]) }
      } else {
        counters.add(layout[.viewed, step])
        if wentOn {
          counters.add(layout[.advanced, step])
        } else if attempt.outcome == .skipped {
          counters.add(layout[.leftSkipping, step])
        } else {
          counters.add(layout[.abandonedHere, step])
          if attempt.endsWithDenial { counters.add(layout[.abandonedAfterDenial, step]) }
        }
        if attempt.wentBack & bit != 0 { counters.add(layout[.wentBack, step]) }
        if attempt.declined & bit != 0 { counters.add(layout[.declined, step]) }
      }
      let parent = parents[step]
      if parent >= 0, attempt.viewed & (1 << UInt64(parent)) != 0 {
        counters.add(layout[.viewedParent, step])
        if attempt.viewed & bit != 0 { counters.add(layout[.branchTaken, step]) }
      }
    }
  }

  private func listPermissions(_ attempt: Attempt, _ counters: inout OutputSpan<Int32>) {
    for (index, answer) in attempt.permissions.enumerated() {
      counters.add(layout[answer.answer, index])
      if answer.isGranting { counters.add(layout[.optIn, index]) }
      if answer.isReached { counters.add(layout[.reached, index]) }
      if answer.isAccepted { counters.add(layout[.accepted, index]) }
      if answer.leftAfterDenial { counters.add(layout[.leftAfterDenial, index]) }
      if answer.isDeniedAndMature { counters.add(layout[.deniedAndMature, index]) }
      if answer.recovered { counters.add(layout[.recovered, index]) }
      if attempt.viewed & primingSteps[index] != 0 { counters.add(layout[.sawPriming, index]) }
      for (other, second) in attempt.permissions.enumerated() where other > index {
        counters.add(layout.joint(index, answer.answer, other, second.answer))
      }
    }
  }
}

extension OutputSpan<Int32> {
  /// Notes a counter.
  fileprivate mutating func add(_ counter: Int) { append(Int32(truncatingIfNeeded: counter)) }
}
