internal import FlowDefinition

/// ClickHouse's `windowFunnel` in its mode `strict_once`: a row is one step of a chain at most, and
/// every chain counts, not only the latest for each step.
///
/// Of the chains that have got to a step, the one that began last can do all that the others can
/// once their moment is over, so one a step is kept. Within a moment its rows can stand for several
/// steps, and then each has to find a row of its own: a matching (`StepMatching`).
struct WindowFunnelOnce {
  private struct Chain {
    var start: Int64
    /// By step.
    var places: [Int]
  }

  private let states: FunnelStates
  private let modes: FunnelRules.Modes
  private let entryTimes: Range<Int64>?
  private let facts: [FunnelFact]
  /// By step, as after the rows that were looked at; and as before the moment at hand.
  private var chains: [Chain?]
  private var before: [Chain?]
  private var matching: StepMatching

  private init(_ facts: [FunnelFact], _ matcher: FunnelMatcher) {
    self.facts = facts
    states = matcher.states
    modes = matcher.rules.modes
    entryTimes = matcher.entryTimes
    chains = Array(repeating: nil, count: states.last + 1)
    before = chains
    matching = StepMatching(steps: states.last + 1)
  }

  /// By step the places of the facts of the longest chain.
  static func chain(of facts: [FunnelFact], for matcher: FunnelMatcher) -> [Int] {
    var search = WindowFunnelOnce(facts, matcher)
    search.run()
    return search.chains.last { $0 != nil }??.places ?? []
  }

  private mutating func run() {
    var place = 0
    while place < facts.count, chains[states.last] == nil {
      let time = facts[place].time
      let first = place
      while place < facts.count, facts[place].time == time { place += 1 }
      before = chains
      if isOver(at: time, first..<place) { return }
    }
  }

  /// Looks at the rows of one moment, by step; `true` where the search ends.
  private mutating func isOver(at time: Int64, _ moment: Range<Int>) -> Bool {
    if modes.contains(.strictOrder), before[0] != nil,
      moment.contains(where: { facts[$0].steps & states.steps == 0 })
    {
      return true
    }
    let places = competing(moment)
    let isEntry = entryTimes?.contains(time) ?? true
    for step in chains.indices {
      let rows = places.filter { facts[$0].steps & (1 << UInt64(step)) != 0 }
      guard let row = rows.first, step > 0 || isEntry else { continue }
      if step == 0 {
        chains[0] = Chain(start: time, places: [row])
        continue
      }
      if modes.contains(.strictDeduplication), before[step] != nil { return true }
      if chains[step - 1] == nil {
        if modes.contains(.strictOrder), chains[0] != nil, !modes.contains(.allowReentry) {
          return true
        }
        continue
      }
      guard let found = chain(to: step, at: time, places, row: row, isEntry) else { continue }
      chains[step] = found
      if modes.contains(.strictDeduplication), comesAgain(step, at: time, places, rows) {
        return true
      }
    }
    return false
  }

  /// Rows that are the same steps are as good as each other, so some of each kind are enough: one a
  /// step, and one that comes again.
  private func competing(_ moment: Range<Int>) -> [Int] {
    if moment.count <= chains.count { return Array(moment) }
    var counts: [UInt64: Int] = [:]
    return moment.filter { place in
      counts[facts[place].steps, default: 0] += 1
      return counts[facts[place].steps, default: 0] <= chains.count + 1
    }
  }

  private func isWithin(_ chain: Chain?, _ time: Int64) -> Bool {
    chain.map { time <= states.deadline(from: $0.start) } ?? false
  }

  /// The chain to a step that began last, where there is one that ends at this moment.
  private mutating func chain(
    to step: Int, at time: Int64, _ places: [Int], row: Int, _ isEntry: Bool
  ) -> Chain? {
    if modes.contains(.strictIncrease) {
      guard let earlier = before[step - 1], isWithin(earlier, time) else { return nil }
      return Chain(start: earlier.start, places: earlier.places + [row])
    }
    // The fewer steps are from before, the later the chain began.
    for first in (isEntry ? 0 : 1)...step {
      if first > 0, !isWithin(before[first - 1], time) { return nil }
      guard let own = rows(for: first..<(step + 1), places, without: nil) else { continue }
      let earlier = first > 0 ? before[first - 1] : nil
      return Chain(start: earlier?.start ?? time, places: (earlier?.places ?? []) + own)
    }
    return nil
  }

  /// A row of its own for each of some steps.
  private mutating func rows(
    for steps: Range<Int>, _ places: [Int], without left: Int?
  ) -> [Int]? {
    matching.removeAll()
    let wanted = steps.reduce(into: UInt64(0)) { $0 |= 1 << UInt64($1) }
    for place in places where place != left && facts[place].steps & wanted != 0 {
      _ = matching.add(facts[place].steps & wanted, at: place)
      if matching.count == steps.count { break }
    }
    return matching.count == steps.count ? steps.compactMap { matching.place(of: $0) } : nil
  }

  /// Whether a further row is the step, after the first one that a chain got to it with.
  private mutating func comesAgain(
    _ step: Int, at time: Int64, _ places: [Int], _ rows: [Int]
  ) -> Bool {
    if rows.count == 1 { return false }
    if modes.contains(.strictIncrease) { return true }
    let earlier = (0..<step).last { isWithin(before[$0], time) }.map { $0 + 1 } ?? 0
    let first = rows.firstIndex { row in
      self.rows(for: earlier..<step, places, without: row) != nil
    }
    return first.map { $0 + 1 < rows.count } ?? false
  }
}
