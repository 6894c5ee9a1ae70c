import FlowDefinition
import FunnelEngine

/// Funnels by their definitions, with quantifiers in place of state; slow and plain.
struct BruteFunnel {
  let funnel: CustomFunnel
  let rules: FunnelRules
  let horizon: Int64
  let facts: [FunnelFact]

  private var steps: Range<Int> { funnel.steps.indices }
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
    let span = funnel.windowScope == .whole ? window : window * Int64(max(1, steps.count - 1))
    let wanted = funnel.order == .any ? Array(steps) : [0]
    var entries = facts.indices.filter { fact in
      wanted.contains { isStep(fact, $0) } && facts[fact].time + span <= horizon
    }
    let takesFirst = rules.entry == .own ? funnel.entry == .first : rules.entry == .first
    if takesFirst { entries = Array(entries.prefix(1)) }
    let walks = entries.compactMap { entry in
      (funnel.order == .any ? unordered(entry) : ordered([0: entry])).map {
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
    let start = facts[funnel.windowScope == .whole ? first : at].time
    // Optional steps may be passed over.
    var next = [current + 1]
    while let last = next.last, funnel.steps[last].isOptional, last + 1 < steps.count {
      next.append(last + 1)
    }
    let within = facts.indices.filter { $0 > at && facts[$0].time <= start + window }
    let match = within.first { fact in next.contains { isStep(fact, $0) } }
    let between = within.filter { fact in match.map { fact < $0 } ?? true }
    let ends = between.contains {
      funnel.order == .strict || meets(.drop, $0, after: current + 1)
    }
    // Where the walk goes on, only what stands before the next step takes the entry out.
    if (ends ? within : between).contains(where: { meets(.remove, $0, after: current + 1) }) {
      return nil
    }
    guard !ends, let match, let step = next.first(where: { isStep(match, $0) }) else {
      return reached
    }
    return ordered(reached.merging([step: match]) { own, _ in own })
  }

  private func meets(_ effect: FunnelExclusion.Effect, _ fact: Int, after step: Int) -> Bool {
    funnel.exclusions.enumerated().contains { index, exclusion in
      exclusion.effect == effect && exclusion.from <= step && step < exclusion.to
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
        if funnel.windowScope == .step { start = facts[fact].time }
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

// ClickHouse's function, by what its documentation says holds at each row.
extension BruteFunnel {
  private struct Row {
    var time: Int64
    var step: Int
  }

  func windowFunnel() -> Int {
    let modes = rules.modes
    var rows: [Row] = []
    for fact in facts {
      let own = steps.filter { fact.steps & (1 << UInt64($0)) != 0 }
      rows += own.map { Row(time: fact.time, step: $0) }
      if own.isEmpty && modes.contains(.strictOrder) { rows.append(Row(time: fact.time, step: -1)) }
    }
    rows.sort { ($0.time, $0.step) < ($1.time, $1.step) }
    var end = rows.count
    for (index, row) in rows.enumerated() {
      let hasEntry = rows[..<index].contains { $0.step == 0 }
      if row.step < 0 {
        if hasEntry {
          end = index
          break
        }
        continue
      }
      if row.step > 0, modes.contains(.strictDeduplication), chain(row.step, rows[..<index]) != nil
      {
        end = index
        break
      }
      if row.step > 0, modes.contains(.strictOrder), hasEntry,
        chain(row.step - 1, rows[..<index]) == nil
      {
        return steps.first { chain($0, rows[..<index]) == nil } ?? steps.count
      }
      if chain(steps.count - 1, rows[...index]) != nil { return steps.count }
    }
    return (steps.last { chain($0, rows[..<end]) != nil } ?? -1) + 1
  }

  /// When the chain that reached a step last among these rows began, and when it got there.
  private func chain(_ step: Int, _ rows: ArraySlice<Row>) -> (first: Int64, last: Int64)? {
    for index in rows.indices.reversed() where rows[index].step == step {
      let time = rows[index].time
      if step == 0 { return (time, time) }
      guard let before = chain(step - 1, rows[..<index]), time <= before.first + window else {
        continue
      }
      if rules.modes.contains(.strictIncrease) && before.last >= time { continue }
      return (before.first, time)
    }
    return nil
  }
}
