public import FlowDefinition

/// One funnel over one person's facts (definitions 13), for every command that counts funnels.
///
///     facts in order ─► entries ─► the entry that counts ─► the walk from it ─► a record
///
/// The walk from an entry is one pass. Where the best of many entries counts, a sweep finds it
/// without walking from each: see `OrderedSweep` and `UnorderedSweep`. Other tools' rules, by which
/// steps may be taken in either order, have walks of their own: `TolerantWalk`, `RunPerStep`.
public struct FunnelMatcher: Sendable {
  /// What a person is to a funnel.
  public enum Standing: Sendable, Hashable {
    /// In it: the record holds the walk.
    case entered
    /// Not in it yet: the window of every entry ends after the horizon.
    case immature
    /// No entry, or taken out by an exclusion.
    case absent
  }

  let rules: FunnelRules
  let states: FunnelStates
  private let takesFirst: Bool
  /// Entries after this moment are not mature.
  private let latestEntry: Int64
  /// Only entries in these times; all where `nil`.
  public var entryTimes: Range<Int64>?
  private var matching: StepMatching
  private var orderedSweep: OrderedSweep
  private var unorderedSweep: UnorderedSweep
  /// Where facts may stand in either order, or be several steps.
  private var tolerantWalk: TolerantWalk?
  /// Where a further entry begins a run beside the one before it.
  private var runPerStep: RunPerStep?

  /// - Parameters:
  ///   - funnel: at most 64 steps and 64 exclusions.
  ///   - rules: what a tool chooses where the definition of a funnel leaves room.
  ///   - horizon: the moment up to which the data is complete, in milliseconds since 1970.
  public init(_ funnel: CustomFunnel, rules: FunnelRules = FunnelRules(), horizon: Int64) {
    let funnel = rules.reading(funnel)
    self.rules = rules
    states = FunnelStates(funnel)
    takesFirst = funnel.entry == .first
    latestEntry = rules.onlyMature ? horizon - FunnelMatcher.span(of: funnel) : .max
    matching = StepMatching(steps: funnel.steps.count)
    orderedSweep = OrderedSweep(states)
    unorderedSweep = UnorderedSweep(states, exclusions: funnel.exclusions.count)
    if funnel.order != .any && (rules.tolerance != nil || rules.sharesFacts) {
      tolerantWalk = TolerantWalk(states, rules)
    }
    if rules.keepsRunPerStep, funnel.order != .any, funnel.windowScope == .whole, !takesFirst {
      runPerStep = RunPerStep(funnel, states, rules)
    }
  }

  /// The time from an entry until nothing more can happen: the window, or as many windows as there
  /// are steps to go, and one at least.
  static func span(of funnel: CustomFunnel) -> Int64 {
    let windows = funnel.windowScope == .whole ? 1 : max(1, funnel.steps.count - 1)
    let (span, overflows) = funnel.windowMilliseconds.multipliedReportingOverflow(
      by: Int64(windows))
    return overflows ? .max : span
  }

  /// Looks for a person's walk.
  ///
  /// - Parameters:
  ///   - facts: in order. Facts that are no step and meet no exclusion matter to strict orders.
  ///   - record: holds the walk afterwards if the person entered.
  /// - Complexity: O(facts × steps).
  public mutating func match<Record: FunnelRecord>(
    _ facts: [FunnelFact], into record: inout Record
  ) -> Standing {
    record.begin()
    if states.steps == 0 { return .absent }
    if !rules.modes.isEmpty { return matchChains(facts, into: &record) }
    if runPerStep != nil { return matchRuns(facts, into: &record) }
    tolerantWalk?.begin(facts)
    let entry = entry(facts)
    if let place = entry.place, walk(facts, from: place, into: &record) { return .entered }
    record.begin()
    return entry.hasImmature ? .immature : .absent
  }

  /// The entry that counts; and whether there is one that is not yet mature, where none counts.
  private mutating func entry(_ facts: [FunnelFact]) -> (place: Int?, hasImmature: Bool) {
    var first: Int?
    var hasImmature = false
    for (place, fact) in facts.enumerated()
    where fact.steps & states.entrySteps != 0 && entryTimes?.contains(fact.time) ?? true {
      hasImmature = fact.time > latestEntry
      if hasImmature { break }
      if first == nil { first = place }
      if takesFirst { break }
    }
    if first == nil || takesFirst { return (first, hasImmature) }
    let (times, latest) = (entryTimes, latestEntry)
    let isEntry = { (time: Int64) in time <= latest && times?.contains(time) ?? true }
    let best =
      if tolerantWalk != nil {
        tolerantWalk?.bestEntry(where: isEntry)
      } else if states.order == .any {
        unorderedSweep.bestEntry(facts, where: isEntry)
      } else {
        orderedSweep.bestEntry(facts, where: isEntry)
      }
    return (best, hasImmature)
  }

  /// Walks from an entry; `false` where an exclusion takes it out.
  private mutating func walk<Record: FunnelRecord>(
    _ facts: [FunnelFact], from entry: Int, into record: inout Record
  ) -> Bool {
    if tolerantWalk != nil {
      guard tolerantWalk?.walk(from: entry) != nil else { return false }
      for (step, place) in tolerantWalk?.path ?? [] { record.reach(step, by: facts[place]) }
      return true
    }
    matching.removeAll()
    var state = 0
    var isOver = false
    var deadline = states.deadline(from: facts[entry].time)
    _ = matching.add(facts[entry].steps & states.entrySteps, at: entry)
    record.reach(0, by: facts[entry])
    var place = entry + 1
    while place < facts.count, state < states.last, facts[place].time <= deadline {
      let fact = facts[place]
      if !isOver, let next = advance(from: state, fact, at: place) {
        state = next
        record.reach(state, by: fact)
        if states.isPerStep { deadline = states.deadline(from: fact.time) }
      } else if fact.exclusions & states.removing[state] != 0 {
        return false
      } else if states.order == .strict || fact.exclusions & states.dropping[state] != 0 {
        // What takes the entry out still does until its window ends.
        if states.removing[state] == 0 { break }
        isOver = true
      }
      place += 1
    }
    return true
  }

  /// The state that a fact leads to; `nil` where it is no next step.
  private mutating func advance(from state: Int, _ fact: FunnelFact, at place: Int) -> Int? {
    if states.order == .any {
      let steps = fact.steps & states.entrySteps
      return steps != 0 && matching.add(steps, at: place) == nil ? state + 1 : nil
    }
    let steps = fact.steps & states.following[state]
    return steps == 0 ? nil : steps.trailingZeroBitCount
  }

  /// The run that gets farthest, of those that begin at a moment that counts.
  private mutating func matchRuns<Record: FunnelRecord>(
    _ facts: [FunnelFact], into record: inout Record
  ) -> Standing {
    let (times, latest) = (entryTimes, latestEntry)
    var hasImmature = false
    for fact in facts.reversed() where fact.time > latest {
      if fact.steps & states.entrySteps != 0, times?.contains(fact.time) ?? true {
        hasImmature = true
        break
      }
    }
    let isFound =
      runPerStep?.search(
        facts, where: { $0 <= latest && times?.contains($0) ?? true },
        { record.reach($0, by: facts[$1]) }) ?? false
    return isFound ? .entered : hasImmature ? .immature : .absent
  }

  /// The longest chain of `windowFunnel` with modes, which knows no other choice of an entry.
  private func matchChains<Record: FunnelRecord>(
    _ facts: [FunnelFact], into record: inout Record
  ) -> Standing {
    let chain =
      if rules.modes.contains(.strictOnce) {
        WindowFunnelOnce.chain(of: facts, for: self)
      } else {
        WindowFunnel.chain(of: facts, for: self)
      }
    for (step, place) in chain.enumerated() { record.reach(step, by: facts[place]) }
    return chain.isEmpty ? .absent : .entered
  }
}
