import FlowDefinition
import FunnelEngine

/// Funnels by their definitions, with quantifiers in place of state; slow and plain.
struct BruteFunnel {
  let funnel: CustomFunnel
  let rules: FunnelRules
  let horizon: Int64
  let facts: [FunnelFact]

  private var steps: Range<Int> { funnel.steps.indices }
  private var order: CustomFunnel.Order { rules.isPlainSequence ? .ordered : funnel.order }
  private var scope: CustomFunnel.WindowScope {
    rules.isPlainSequence ? .whole : funnel.windowScope
  }
  private func isOptional(_ step: Int) -> Bool {
    funnel.steps[step].isOptional && !rules.isPlainSequence
  }
  private var window: Int64 { funnel.windowMilliseconds }
  private func isStep(_ fact: Int, _ step: Int) -> Bool {
    facts[fact].steps & (1 << UInt64(step)) != 0
  }

  /// What becomes of a person: their entry, and the facts their steps were reached by.
  struct Walk: Equatable {
    /// The index of the entry.
    var entry: Int
    /// By step, the time of its fact.
    var times: [Int: Int64]
  }

  /// The walk that counts; `nil` for a person who is not in the funnel.
  func walk() -> Walk? {
    let span = scope == .whole ? window : window * Int64(max(1, steps.count - 1))
    let wanted = order == .any ? Array(steps) : [0]
    var entries = facts.indices.filter { fact in
      wanted.contains { isStep(fact, $0) }
        && (!rules.onlyMature || facts[fact].time + span <= horizon)
    }
    let takesFirst = rules.entry == .own ? funnel.entry == .first : rules.entry == .first
    if takesFirst { entries = Array(entries.prefix(1)) }
    let walks = entries.compactMap { entry in
      (order == .any ? unordered(entry) : ordered([0: entry])).map {
        Walk(entry: entry, times: $0.mapValues { facts[$0].time })
      }
    }
    // `max` keeps the first of equals.
    return walks.max { left, right in
      let keys = (left.times.keys.max() ?? -1, right.times.keys.max() ?? -1)
      return keys.0 != keys.1 ? keys.0 < keys.1 : left.times.count < right.times.count
    }
  }

  /// Steps and the facts they were reached by; nil where an exclusion removes the person.
  private func ordered(_ reached: [Int: Int]) -> [Int: Int]? {
    guard let current = reached.keys.max(), let at = reached[current], let first = reached[0],
      current + 1 < steps.count
    else { return reached }
    let start = facts[scope == .whole ? first : at].time
    // Optional steps may be passed over.
    var next = [current + 1]
    while let last = next.last, isOptional(last), last + 1 < steps.count {
      next.append(last + 1)
    }
    let within = facts.indices.filter { facts[$0].time <= start + window }
    let used = Set(reached.values)
    let match = within.first { fact in
      canFollow(fact, at, used) && next.contains { isStep(fact, $0) }
    }
    let behind = within.filter { !used.contains($0) && isBehind($0, at) }
    let between = behind.filter { fact in match.map { isBehind($0, fact) } ?? true }
    let ends = between.contains {
      order == .strict || meets(.drop, $0, after: current + 1)
    }
    // Where the walk goes on, only what stands before the next step takes the entry out.
    if (ends ? behind : between).contains(where: { meets(.remove, $0, after: current + 1) }) {
      return nil
    }
    guard !ends, let match, let step = next.first(where: { isStep(match, $0) }) else {
      return reached
    }
    return ordered(reached.merging([step: match]) { own, _ in own })
  }

  /// Whether a fact may be the step after another.
  private func canFollow(_ fact: Int, _ other: Int, _ used: Set<Int>) -> Bool {
    if used.contains(fact) && !rules.sharesFacts { return false }
    return switch rules.ties {
    case .flow: fact > other || fact == other && rules.sharesFacts
    case .interchangeable(let tolerance): facts[fact].time >= facts[other].time - tolerance
    }
  }

  /// Whether a fact comes after another whatever the order of facts that are close together.
  private func isBehind(_ fact: Int, _ other: Int) -> Bool {
    switch rules.ties {
    case .flow: fact > other
    case .interchangeable(let tolerance): facts[fact].time > facts[other].time + tolerance
    }
  }

  private func meets(_ effect: FunnelExclusion.Effect, _ fact: Int, after step: Int) -> Bool {
    funnel.exclusions.enumerated().contains { index, exclusion in
      let own: FunnelExclusion.Effect? =
        switch rules.exclusions {
        case .own: exclusion.effect
        case .remove: .remove
        case .drop: .drop
        case .ignored: nil
        }
      return own == effect && exclusion.from <= step && step < exclusion.to
        && facts[fact].exclusions & (1 << UInt64(index)) != 0
    }
  }

  private func unordered(_ entry: Int) -> [Int: Int]? {
    var taken: [Int] = []
    var reached: [Int: Int] = [:]
    var start = facts[entry].time
    var isOver = false
    for fact in facts.indices where fact >= entry {
      if facts[fact].time > start + window { break }
      if !isOver, most(0, [], taken + [fact]) > reached.count {
        reached[reached.count] = fact
        if scope == .step { start = facts[fact].time }
      } else if meets(.remove, fact, after: reached.count) {
        return nil
      } else if meets(.drop, fact, after: reached.count) {
        isOver = true
      }
      taken.append(fact)
    }
    return reached
  }

  /// The most steps, from one on, that different facts can stand for.
  private func most(_ step: Int, _ used: Set<Int>, _ taken: [Int]) -> Int {
    guard step < steps.count else { return 0 }
    let fits = taken.filter { !used.contains($0) && isStep($0, step) }
    return
      ([most(step + 1, used, taken)]
      + fits.map { 1 + most(step + 1, used.union([$0]), taken) }).max() ?? 0
  }
}
