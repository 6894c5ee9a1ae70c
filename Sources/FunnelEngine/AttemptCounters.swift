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
        step.element.asks.contains(name) ? bits | 1 << UInt64(step.offset) : bits
      }
    }
  }

  /// Lists the counters, each at most once, from the beginning of a span that has room for all.
  ///
  /// - Parameter funnels: the number of the furthest step in each custom funnel, 0 for a person who
  ///   is not in it.
  /// - Returns: how many there are.
  func list(
    _ attempt: Attempt, _ funnels: [Int], into counters: inout MutableSpan<Int32>
  ) -> Int {
    var count = 0
    note(layout[.entered], &counters, &count)
    for funnel in funnels.indices {
      for step in 0..<funnels[funnel] {
        note(layout[funnel: funnel, step], &counters, &count)
      }
    }
    guard attempt.isMature else { return count }
    listOutcome(attempt, &counters, &count)
    listSteps(attempt, &counters, &count)
    listPermissions(attempt, &counters, &count)
    for goal in attempt.goals.indices where attempt.goals[goal].isEligible {
      note(layout[goal: goal, .eligible], &counters, &count)
      if attempt.goals[goal].isReached { note(layout[goal: goal, .met], &counters, &count) }
    }
    for index in 0..<layout.frictionCount where attempt.friction[index] {
      note(layout[friction: index], &counters, &count)
    }
    for measure in attempt.retention.indices where attempt.retention[measure].isEligible {
      note(layout[retention: measure, .eligible], &counters, &count)
      if attempt.retention[measure].cameBack {
        note(layout[retention: measure, .met], &counters, &count)
      }
    }
    if isInCommonCohort(attempt) {
      note(layout.commonEligible, &counters, &count)
      for place in layout.commonMeasures.indices
      where attempt.retention[layout.commonMeasures[place]].cameBack {
        note(layout.commonMet(place), &counters, &count)
      }
    }
    for place in attempt.overall.indices where attempt.overall[place].isEligible {
      note(layout[overall: place, .eligible], &counters, &count)
      if attempt.overall[place].isMet { note(layout[overall: place, .met], &counters, &count) }
    }
    return count
  }

  /// Whether an attempt counts for all measures that have a common cohort.
  private func isInCommonCohort(_ attempt: Attempt) -> Bool {
    for measure in layout.commonMeasures where !attempt.retention[measure].isEligible {
      return false
    }
    return !layout.commonMeasures.isEmpty
  }

  private func listOutcome(
    _ attempt: Attempt, _ counters: inout MutableSpan<Int32>, _ count: inout Int
  ) {
    note(layout[.persons], &counters, &count)
    switch attempt.outcome {
    case .finished: note(layout[.finished], &counters, &count)
    case .finishedAfterSkipping: note(layout[.finishedAfterSkipping], &counters, &count)
    case .skipped: note(layout[.skipped], &counters, &count)
    case .abandoned, .open: note(layout[.abandoned], &counters, &count)
    }
    if attempt.usedSkip { note(layout[.usedSkip], &counters, &count) }
    if attempt.isResumed { note(layout[.resumed], &counters, &count) }
    if let inPlace = attempt.resumedInPlace {
      note(layout[.resumedToPage], &counters, &count)
      if inPlace { note(layout[.resumedInPlace], &counters, &count) }
    }
    if attempt.isReplayed { note(layout[.replayed], &counters, &count) }
    if attempt.completedLate { note(layout[.completedLate], &counters, &count) }
    if attempt.skipPage >= 0 {
      note(
        attempt.skipPage < layout.stepCount
          ? layout[.firstSkip, attempt.skipPage] : layout.unknownSkipPage, &counters, &count)
    }
    if !attempt.outcome.isFinished && attempt.furthestPlace < 0 {
      if attempt.outcome == .skipped {
        note(layout[.leftAtEntrySkipping], &counters, &count)
      } else {
        note(layout[.leftAtEntryAbandoned], &counters, &count)
        if attempt.endsWithDenial { note(layout[.leftAtEntryAfterDenial], &counters, &count) }
      }
    }
  }

  private func listSteps(
    _ attempt: Attempt, _ counters: inout MutableSpan<Int32>, _ count: inout Int
  ) {
    let finished = attempt.outcome.isFinished
    for place in lists[attempt.list].indices {
      let step = lists[attempt.list][place]
      note(layout[.listed, step], &counters, &count)
      let bit: UInt64 = 1 << UInt64(step)
      let wentOn = finished || attempt.furthestPlace > place
      if attempt.viewed & bit == 0 {
        if wentOn { note(layout[.bypassed, step], &counters, &count) }
      } else {
        note(layout[.viewed, step], &counters, &count)
        if finished { note(layout[CounterLayout.Step.finished, step], &counters, &count) }
        if wentOn {
          note(layout[.advanced, step], &counters, &count)
        } else if attempt.outcome == .skipped {
          note(layout[.leftSkipping, step], &counters, &count)
        } else {
          note(layout[.abandonedHere, step], &counters, &count)
          if attempt.endsWithDenial { note(layout[.abandonedAfterDenial, step], &counters, &count) }
        }
        if attempt.wentBack & bit != 0 { note(layout[.wentBack, step], &counters, &count) }
        if attempt.declined & bit != 0 { note(layout[.declined, step], &counters, &count) }
      }
      let parent = parents[step]
      if parent >= 0, attempt.viewed & (1 << UInt64(parent)) != 0 {
        note(layout[.viewedParent, step], &counters, &count)
        if attempt.viewed & bit != 0 { note(layout[.branchTaken, step], &counters, &count) }
      }
    }
  }

  private func listPermissions(
    _ attempt: Attempt, _ counters: inout MutableSpan<Int32>, _ count: inout Int
  ) {
    for (index, answer) in attempt.permissions.enumerated() {
      note(layout[answer.answer, index], &counters, &count)
      if answer.isGranting { note(layout[.optIn, index], &counters, &count) }
      if answer.isReached { note(layout[.reached, index], &counters, &count) }
      if answer.isAccepted { note(layout[.accepted, index], &counters, &count) }
      if answer.leftAfterDenial { note(layout[.leftAfterDenial, index], &counters, &count) }
      if answer.isDeniedAndMature { note(layout[.deniedAndMature, index], &counters, &count) }
      if answer.recovered { note(layout[.recovered, index], &counters, &count) }
      if attempt.viewed & primingSteps[index] != 0 {
        note(layout[.sawPriming, index], &counters, &count)
      }
      for (other, second) in attempt.permissions.enumerated() where other > index {
        note(layout.joint(index, answer.answer, other, second.answer), &counters, &count)
      }
    }
  }

  private func note(
    _ counter: Int, _ counters: inout MutableSpan<Int32>, _ count: inout Int
  ) {
    counters[count] = Int32(truncatingIfNeeded: counter)
    count += 1
  }
}
