internal import FlowDefinition

/// ClickHouse's `windowFunnel` by its documentation: rows in the order of time and step, one row
/// may be several steps, and for each step the chain that reached it last is kept.
///
/// Modes: `strict_order` ends where another event, or a step out of turn, comes between, and with
/// `allow_reentry` passes over the latter; `strict_increase` wants each step later than the one
/// before; `strict_deduplication` ends where a step comes again.
struct WindowFunnel {
  private let states: FunnelStates
  private let modes: FunnelRules.Modes
  private let entryTimes: Range<Int64>?
  /// For each step the places of the facts of the chain that reached it last, one for each step up
  /// to it; −1 in the first where none did.
  private var chains: [Int]
  private var stepCount: Int { states.last + 1 }

  private init(_ matcher: FunnelMatcher) {
    states = matcher.states
    modes = matcher.rules.modes
    entryTimes = matcher.entryTimes
    chains = Array(repeating: -1, count: (states.last + 1) * (states.last + 1))
  }

  private struct Row {
    var place: Int
    /// The step's index; −1 for an event that is no step.
    var step: Int
  }

  /// By step the places of the facts of the longest chain.
  static func chain(of facts: [FunnelFact], for matcher: FunnelMatcher) -> [Int] {
    var chains = WindowFunnel(matcher)
    let level = chains.level(facts)
    return (0..<level).map { chains.chains[(level - 1) * chains.stepCount + $0] }
  }

  private func isReached(_ step: Int) -> Bool { chains[step * stepCount] >= 0 }

  /// How many steps the longest chain has.
  private mutating func level(_ facts: [FunnelFact]) -> Int {
    for row in rows(facts) {
      let fact = facts[row.place]
      if row.step < 0 {
        if isReached(0) { break }
        continue
      }
      if row.step == 0 {
        if let entryTimes, !entryTimes.contains(fact.time) { continue }
        chains[0] = row.place
      } else {
        if modes.contains(.strictDeduplication), isReached(row.step) { break }
        guard isReached(row.step - 1) else {
          // A step out of turn ends the search at the first step that is missing.
          if modes.contains(.strictOrder), !modes.contains(.allowReentry), isReached(0) {
            return (0..<stepCount).first { !isReached($0) } ?? stepCount
          }
          continue
        }
        let before = (row.step - 1) * stepCount
        let last = facts[chains[before + row.step - 1]].time
        guard fact.time <= states.deadline(from: facts[chains[before]].time),
          !modes.contains(.strictIncrease) || last < fact.time
        else { continue }
        for step in 0..<row.step { chains[before + stepCount + step] = chains[before + step] }
        chains[before + stepCount + row.step] = row.place
      }
      if row.step == states.last { break }
    }
    return ((0..<stepCount).last { isReached($0) } ?? -1) + 1
  }

  /// A row for each step that a fact is; with `strict_order` one for those that are none, too.
  private func rows(_ facts: [FunnelFact]) -> [Row] {
    var rows: [Row] = []
    for (place, fact) in facts.enumerated() {
      var steps = fact.steps & states.steps
      if steps == 0 && modes.contains(.strictOrder) { rows.append(Row(place: place, step: -1)) }
      while steps != 0 {
        rows.append(Row(place: place, step: steps.trailingZeroBitCount))
        steps &= steps - 1
      }
    }
    return rows.sorted { left, right in
      let times = (facts[left.place].time, facts[right.place].time)
      if times.0 != times.1 { return times.0 < times.1 }
      return left.step != right.step ? left.step < right.step : left.place < right.place
    }
  }
}
