import FlowDefinition
import FunnelEngine

/// Funnels by their definitions, with quantifiers in place of state; slow and plain.
struct BruteFunnel {
  let funnel: CustomFunnel
  let rules: FunnelRules
  let steps: [UInt64]
  let exclusions: [UInt64]
  let horizon: Int64
  let facts: [FunnelTracer.Item]

  private var window: Int64 { funnel.windowMilliseconds }
  private func isStep(_ fact: Int, _ step: Int) -> Bool { facts[fact].patterns & steps[step] != 0 }

  /// The number of the furthest step and of steps reached; (0, 0) for who is not in the funnel.
  func reached() -> (length: Int, count: Int) {
    if rules.walk == .windowFunnel { return (windowFunnel(), windowFunnel()) }
    let span = funnel.windowScope == .whole ? window : window * Int64(max(1, steps.count - 1))
    let wanted = funnel.order == .any ? Array(steps.indices) : [0]
    var entries = facts.indices.filter { fact in
      wanted.contains { isStep(fact, $0) } && facts[fact].time + span <= horizon
    }
    let takesFirst = rules.entry == .own ? funnel.entry == .first : rules.entry == .first
    if takesFirst { entries = Array(entries.prefix(1)) }
    let walks = entries.compactMap { funnel.order == .any ? unordered($0) : ordered([0: $0]) }
    let best = walks.max { left, right in
      let keys = (left.keys.max() ?? -1, right.keys.max() ?? -1)
      return keys.0 != keys.1 ? keys.0 < keys.1 : left.count < right.count
    }
    return ((best?.keys.max() ?? -1) + 1, best?.count ?? 0)
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
    let stop = within.first { fact in
      (match.map { fact < $0 } ?? true) && effect(fact, after: current + 1) != nil
    }
    let breach =
      funnel.order == .strict ? within.first { fact in match.map { fact < $0 } ?? true } : nil
    if let stop, breach.map({ stop <= $0 }) ?? true {
      return effect(stop, after: current + 1) == .remove ? nil : reached
    }
    guard breach == nil, let match, let step = next.first(where: { isStep(match, $0) }) else {
      return reached
    }
    return ordered(reached.merging([step: match]) { own, _ in own })
  }

  private func effect(_ fact: Int, after step: Int) -> FunnelExclusion.Effect? {
    zip(exclusions, funnel.exclusions).first { bits, exclusion in
      exclusion.from <= step && step < exclusion.to && facts[fact].patterns & bits != 0
    }?.1.effect
  }

  private func unordered(_ entry: Int) -> [Int: Int]? {
    var taken: [Int] = []
    var size = 0
    var start = facts[entry].time
    for fact in facts.indices where fact >= entry {
      if facts[fact].time > start + window { break }
      let wider = most(0, [], taken + [fact])
      if wider > size {
        size = wider
        if funnel.windowScope == .step { start = facts[fact].time }
      } else if let effect = effect(fact, after: size) {
        if effect == .remove { return nil }
        break
      }
      taken.append(fact)
    }
    return Dictionary((0..<max(1, size)).map { ($0, 0) }) { own, _ in own }
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

  private func windowFunnel() -> Int {
    let modes = rules.modes
    var rows: [Row] = []
    for fact in facts {
      let own = steps.indices.filter { fact.patterns & steps[$0] != 0 }
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
        return steps.indices.first { chain($0, rows[..<index]) == nil } ?? steps.count
      }
      if chain(steps.count - 1, rows[...index]) != nil { return steps.count }
    }
    return (steps.indices.last { chain($0, rows[..<end]) != nil } ?? -1) + 1
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
