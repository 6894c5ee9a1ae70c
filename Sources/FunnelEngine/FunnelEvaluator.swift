internal import FlowDefinition

/// How far a person got in each custom funnel (SPEC 7; docs/definitions.md 13).
///
/// From an entry on, each step is the first match in order after the step before it; a fact is
/// never two steps. An entry counts if its whole window ends by the horizon.
struct FunnelEvaluator {
  private let compiled: CompiledFlow
  private let horizon: Int64

  init(_ compiled: CompiledFlow, horizonMilliseconds: Int64) {
    self.compiled = compiled
    horizon = horizonMilliseconds
  }

  /// For each funnel the steps reached, a bit each; 0 for a person who is not in it.
  func evaluate(_ walk: [WalkFact], into reached: inout [UInt64]) {
    reached.removeAll(keepingCapacity: true)
    for index in compiled.flow.funnels.indices { reached.append(best(index, walk)) }
  }

  /// The walk that gets farthest; of equals the one with more steps, then the earliest.
  private func best(_ index: Int, _ walk: [WalkFact]) -> UInt64 {
    let funnel = compiled.flow.funnels[index]
    let marks = compiled.funnels[index]
    let windows = funnel.windowScope == .whole ? 1 : max(1, funnel.steps.count - 1)
    let span = funnel.windowMilliseconds * Int64(windows)
    let any = funnel.order == .any
    let entryBits =
      any ? marks.steps.reduce(0, |) : marks.steps.first ?? 0
    let complete = UInt64.max >> UInt64(max(0, 64 - funnel.steps.count))
    let followers = self.followers(index, walk)
    var best: UInt64 = 0
    for start in walk.indices {
      let fact = walk[start]
      guard fact.timeMilliseconds + span <= horizon, marks[fact.patternSet] & entryBits != 0 else {
        continue
      }
      let got =
        any
        ? unordered(index, walk, from: start)
        : ordered(index, walk, from: start, through: followers)
      if FunnelEvaluator.isFarther(got, best) { best = got }
      if funnel.entry == .first || best == complete { return best }
    }
    return best
  }

  /// The facts that can move a walk on or end it, where every entry is walked from: a machine that
  /// sends the first step a million times must not have the others looked at a million times.
  private func followers(_ index: Int, _ walk: [WalkFact]) -> [Int]? {
    let funnel = compiled.flow.funnels[index]
    guard funnel.entry == .best, funnel.order == .ordered else { return nil }
    let marks = compiled.funnels[index]
    let wanted = (marks.steps.dropFirst() + marks.exclusions).reduce(0, |)
    return walk.indices.filter { marks[walk[$0].patternSet] & wanted != 0 }
  }

  private static func isFarther(_ left: UInt64, _ right: UInt64) -> Bool {
    let lengths = (left.leadingZeroBitCount, right.leadingZeroBitCount)
    return lengths.0 != lengths.1
      ? lengths.0 < lengths.1 : left.nonzeroBitCount > right.nonzeroBitCount
  }

  private func ordered(
    _ index: Int, _ walk: [WalkFact], from start: Int, through followers: [Int]?
  ) -> UInt64 {
    guard let followers else {
      return ordered(index, walk, from: start, through: (start + 1)..<walk.count)
    }
    let first = followers.partitioningIndex { $0 > start }
    return ordered(index, walk, from: start, through: followers[first...])
  }

  @inline(__always)
  private func ordered(
    _ index: Int, _ walk: [WalkFact], from start: Int, through places: some Sequence<Int>
  ) -> UInt64 {
    let funnel = compiled.flow.funnels[index]
    let stepCount = funnel.steps.count
    var current = 1
    var reached: UInt64 = 1
    var windowStart = walk[start].timeMilliseconds
    for place in places {
      let fact = walk[place]
      guard current < stepCount,
        fact.timeMilliseconds <= windowStart + funnel.windowMilliseconds
      else { break }
      if let next = nextStep(after: current, fact, index) {
        current = next
        reached |= 1 << UInt64(next - 1)
        if funnel.windowScope == .step { windowStart = fact.timeMilliseconds }
      } else if let effect = exclusion(fact, after: current, index) {
        if effect == .remove { return 0 }
        break
      } else if funnel.order == .strict {
        break
      }
    }
    return reached
  }

  /// The next step that a fact is, optional ones before it passed over.
  private func nextStep(after current: Int, _ fact: WalkFact, _ index: Int) -> Int? {
    let marks = compiled.funnels[index]
    let found = marks[fact.patternSet]
    for step in (current + 1)...max(current + 1, marks.steps.count) {
      guard step <= marks.steps.count else { return nil }
      if found & marks.steps[step - 1] != 0 { return step }
      if !compiled.flow.funnels[index].steps[step - 1].isOptional { return nil }
    }
    return nil
  }

  private func exclusion(
    _ fact: WalkFact, after step: Int, _ index: Int
  ) -> FunnelExclusion.Effect? {
    let marks = compiled.funnels[index]
    let found = marks[fact.patternSet]
    for (place, exclusion) in compiled.flow.funnels[index].exclusions.enumerated()
    where exclusion.from <= step && step < exclusion.to {
      if found & marks.exclusions[place] != 0 { return exclusion.effect }
    }
    return nil
  }

  /// In any order: as many steps as can be told apart in the facts within the window.
  private func unordered(_ index: Int, _ walk: [WalkFact], from start: Int) -> UInt64 {
    let funnel = compiled.flow.funnels[index]
    let marks = compiled.funnels[index]
    var matching = StepMatching(steps: marks.steps)
    var windowStart = walk[start].timeMilliseconds
    for fact in walk[start...] {
      guard fact.timeMilliseconds <= windowStart + funnel.windowMilliseconds else { break }
      if matching.take(marks[fact.patternSet]) {
        if funnel.windowScope == .step { windowStart = fact.timeMilliseconds }
      } else if let effect = exclusion(fact, after: matching.count, index) {
        if effect == .remove { return 0 }
        break
      }
    }
    return (1 << UInt64(max(1, matching.count))) - 1
  }
}

/// The largest set of steps that different facts can stand for: bipartite matching by augmenting
/// paths (Kuhn), a fact at a time.
struct StepMatching {
  let steps: [UInt64]
  /// The patterns of the fact that stands for each step; 0 for none.
  private var factOfStep: [UInt64]
  private(set) var count = 0

  init(steps: [UInt64]) {
    self.steps = steps
    factOfStep = Array(repeating: 0, count: steps.count)
  }

  /// Whether one step more can be told apart with this fact.
  mutating func take(_ patterns: UInt64) -> Bool {
    var visited = [Bool](repeating: false, count: steps.count)
    let grew = augment(patterns, &visited)
    if grew { count += 1 }
    return grew
  }

  private mutating func augment(_ patterns: UInt64, _ visited: inout [Bool]) -> Bool {
    for step in steps.indices where patterns & steps[step] != 0 && !visited[step] {
      visited[step] = true
      if factOfStep[step] == 0 || augment(factOfStep[step], &visited) {
        factOfStep[step] = patterns
        return true
      }
    }
    return false
  }
}
