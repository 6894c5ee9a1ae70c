internal import FlowDefinition

/// The best entry into a funnel of any order, in one pass over the facts from the last to the
/// first.
///
/// A walk takes one step more with each fact that can be counted as a further step: these facts
/// are the first basis, in order, of all that follow the entry. `StepMatching` keeps that basis
/// while facts are added in front. There are at most as many of them as the funnel has steps, so
/// each entry's walk goes from one to the next, up to its deadline and to what the exclusions say
/// between.
struct UnorderedSweep: Sendable {
  private let states: FunnelStates
  private var matching: StepMatching
  /// Places of the facts of the basis, the first one last.
  private var basis: [Int] = []
  /// By exclusion: the places of the facts that meet it, in order.
  private var excluded: [[Int]]

  init(_ states: FunnelStates, exclusions: Int) {
    self.states = states
    matching = StepMatching(steps: states.last + 1)
    excluded = Array(repeating: [], count: exclusions)
  }

  /// The place of the first entry that takes the most steps; `nil` where every entry is taken out.
  ///
  /// - Parameter isEntry: whether an entry at this time may be chosen.
  mutating func bestEntry(_ facts: [FunnelFact], where isEntry: (Int64) -> Bool) -> Int? {
    matching.removeAll()
    basis.removeAll(keepingCapacity: true)
    for exclusion in excluded.indices {
      excluded[exclusion].removeAll(keepingCapacity: true)
      for place in facts.indices where facts[place].exclusions & (1 << UInt64(exclusion)) != 0 {
        excluded[exclusion].append(place)
      }
    }
    var best: (place: Int, steps: Int)?
    for place in facts.indices.reversed() where facts[place].steps & states.entrySteps != 0 {
      if let left = matching.add(facts[place].steps & states.entrySteps, at: place),
        let index = basis.firstIndex(of: left)
      {
        basis.remove(at: index)
      }
      basis.append(place)
      if isEntry(facts[place].time), let steps = follow(facts), steps >= best?.steps ?? 0 {
        best = (place, steps)
      }
    }
    return best?.place
  }

  /// How many steps the walk from the first fact of the basis takes; `nil` where it is taken out.
  private func follow(_ facts: [FunnelFact]) -> Int? {
    var deadline = Int64.max
    var state = -1
    for index in basis.indices.reversed() {
      let place = basis[index]
      if state >= 0 {
        switch stop(facts, after: basis[index + 1], before: place, state, deadline) {
        case .remove: return nil
        case .drop: return state + 1
        case nil: break
        }
      }
      if facts[place].time > deadline { return state + 1 }
      if state < 0 || states.isPerStep { deadline = states.deadline(from: facts[place].time) }
      state += 1
    }
    guard let last = basis.first, state < states.last else { return state + 1 }
    let end = stop(facts, after: last, before: facts.count, state, deadline)
    return end == .remove ? nil : state + 1
  }

  /// What the exclusions say of a walk between one step and the next, or the end of the facts.
  private func stop(
    _ facts: [FunnelFact], after place: Int, before next: Int, _ state: Int, _ deadline: Int64
  ) -> FunnelExclusion.Effect? {
    func first(_ exclusions: UInt64) -> Int? {
      guard let found = firstPlace(exclusions, after: place), facts[found].time <= deadline else {
        return nil
      }
      return found
    }
    let removal = first(states.removing[state])
    if let removal, removal < next { return .remove }
    guard let end = first(states.dropping[state]), end < next else { return nil }
    // The walk is over, and is still taken out by what comes within its window.
    return removal == nil ? .drop : .remove
  }

  /// The first fact after a place that meets any of some exclusions.
  private func firstPlace(_ exclusions: UInt64, after place: Int) -> Int? {
    var found: Int?
    var rest = exclusions
    while rest != 0 {
      let places = excluded[rest.trailingZeroBitCount]
      rest &= rest - 1
      var (low, high) = (0, places.count)
      while low < high {
        let middle = (low + high) / 2
        if places[middle] > place { high = middle } else { low = middle + 1 }
      }
      if low < places.count { found = min(found ?? .max, places[low]) }
    }
    return found
  }
}
