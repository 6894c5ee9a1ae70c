import FlowDefinition

/// One person in one custom funnel (definitions 13): from an entry on, each step is the first
/// match, in order, after the step before it; a fact is never two steps.
struct FunnelWalk {
  let funnel: CustomFunnel
  let attempt: Attempt

  private var facts: [PlacedFact] { attempt.timeline }

  /// The funnel's whole span from an entry; an entry counts if it ends by the horizon.
  private var span: Int64 {
    let windows = funnel.windowScope == .whole ? 1 : max(1, funnel.steps.count - 1)
    return funnel.windowMilliseconds * Int64(windows)
  }

  private func matches(_ fact: PlacedFact, step: Int) -> Bool {
    funnel.steps[step - 1].anyOf.contains { fact.fact.matches($0) }
  }

  /// The number of the furthest step, from 1; `nil` of a person who is not in the funnel.
  func furthest() -> Int? {
    let all = Array(1...funnel.steps.count)
    var entries = facts.indices.filter { index in
      let steps = funnel.order == .any ? all : [1]
      return steps.contains { matches(facts[index], step: $0) }
        && facts[index].time + span <= attempt.horizon
    }
    if funnel.entry == .first { entries = Array(entries.prefix(1)) }
    let walks = entries.compactMap { entry in
      funnel.order == .any ? unordered(from: entry) : ordered(from: entry)
    }
    return walks.max()
  }

  /// Whether a fact meets an exclusion on the way on from a step.
  private func meets(
    _ effect: FunnelExclusion.Effect, _ fact: PlacedFact, after step: Int
  ) -> Bool {
    funnel.exclusions.contains {
      $0.effect == effect && $0.from <= step && step < $0.to && fact.fact.matches($0.pattern)
    }
  }

  /// The number of the furthest step; `nil` where an exclusion takes the entry out.
  private func ordered(from entry: Int) -> Int? {
    var current = 1
    var isOver = false
    var windowStart = facts[entry].time
    for fact in facts[(entry + 1)...] {
      guard current < funnel.steps.count,
        fact.time <= windowStart + funnel.windowMilliseconds
      else { break }
      if !isOver, let next = nextStep(after: current, fact) {
        current = next
        if funnel.windowScope == .step { windowStart = fact.time }
      } else if meets(.remove, fact, after: current) {
        return nil
      } else if funnel.order == .strict || meets(.drop, fact, after: current) {
        isOver = true
      }
    }
    return current
  }

  /// The next step that a fact is, optional ones before it passed over.
  private func nextStep(after current: Int, _ fact: PlacedFact) -> Int? {
    var step = current + 1
    while step <= funnel.steps.count {
      if matches(fact, step: step) { return step }
      guard funnel.steps[step - 1].isOptional else { return nil }
      step += 1
    }
    return nil
  }

  /// In any order: as many steps as can be told apart in the facts.
  private func unordered(from entry: Int) -> Int? {
    let all = 1...funnel.steps.count
    var taken: [PlacedFact] = []
    var count = 0
    var isOver = false
    var windowStart = facts[entry].time
    for fact in facts[entry...] {
      guard fact.time <= windowStart + funnel.windowMilliseconds else { break }
      if !isOver, assignable(taken + [fact]) > count {
        count += 1
        if funnel.windowScope == .step { windowStart = fact.time }
      } else if meets(.remove, fact, after: count) {
        return nil
      } else if meets(.drop, fact, after: count) {
        isOver = true
      }
      if all.contains(where: { matches(fact, step: $0) }) { taken.append(fact) }
    }
    return count
  }

  /// The largest number of steps that different facts can stand for, by trying everything.
  private func assignable(_ taken: [PlacedFact]) -> Int {
    func most(_ step: Int, _ used: Set<Int>) -> Int {
      guard step <= funnel.steps.count else { return 0 }
      var best = most(step + 1, used)
      for (index, fact) in taken.enumerated()
      where !used.contains(index) && matches(fact, step: step) {
        best = max(best, 1 + most(step + 1, used.union([index])))
      }
      return best
    }
    return most(1, [])
  }
}
