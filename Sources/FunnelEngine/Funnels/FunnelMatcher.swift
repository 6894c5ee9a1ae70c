public import FlowDefinition

/// One funnel over one person's facts (definitions 13), for every command that counts funnels.
///
///     facts in order ─► entries ─► the entry that counts ─► the walk from it ─► a record
///
/// The walk from an entry is one pass. Where the best of many entries counts, a sweep finds it
/// without walking from each: see `OrderedSweep` and `UnorderedSweep`.
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

  /// - Parameters:
  ///   - funnel: at most 64 steps and 64 exclusions.
  ///   - rules: what a tool chooses where the definition of a funnel leaves room.
  ///   - horizon: the moment up to which the data is complete, in milliseconds since 1970.
  public init(_ funnel: CustomFunnel, rules: FunnelRules = FunnelRules(), horizon: Int64) {
    self.rules = rules
    states = FunnelStates(funnel)
    takesFirst =
      switch rules.entry {
      case .own: funnel.entry == .first
      case .first: true
      case .best: false
      }
    latestEntry = rules.onlyMature ? horizon - FunnelMatcher.span(of: funnel) : .max
    matching = StepMatching(steps: funnel.steps.count)
    orderedSweep = OrderedSweep(states)
    unorderedSweep = UnorderedSweep(states, exclusions: funnel.exclusions.count)
  }

  /// The time from an entry until nothing more can happen: the window, or as many windows as there
  /// are steps to go, and one at least.
  private static func span(of funnel: CustomFunnel) -> Int64 {
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
  /// - Complexity: O(facts × steps), and O(facts × log facts) more where the rules break ties.
  public mutating func match<Record: FunnelRecord>(
    _ facts: [FunnelFact], into record: inout Record
  ) -> Standing {
    record.begin()
    if states.steps == 0 { return .absent }
    let facts = rules.ties == .steps ? FunnelMatcher.earlierStepsFirst(facts) : facts
    if rules.walk == .windowFunnel {
      var chains = WindowFunnel(self)
      return chains.match(facts, into: &record) ? .entered : .absent
    }
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
      states.order == .any
      ? unorderedSweep.bestEntry(facts, where: isEntry)
      : orderedSweep.bestEntry(facts, where: isEntry)
    return (best, hasImmature)
  }

  /// Walks from an entry; `false` where an exclusion takes it out.
  private mutating func walk<Record: FunnelRecord>(
    _ facts: [FunnelFact], from entry: Int, into record: inout Record
  ) -> Bool {
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

  /// Facts of one moment by the first step that they are; those that are none come last.
  private static func earlierStepsFirst(_ facts: [FunnelFact]) -> [FunnelFact] {
    facts.enumerated().sorted { left, right in
      let (one, other) = (left.element, right.element)
      if one.time != other.time { return one.time < other.time }
      let steps = (one.steps.trailingZeroBitCount, other.steps.trailingZeroBitCount)
      return steps.0 != steps.1 ? steps.0 < steps.1 : left.offset < right.offset
    }.map(\.element)
  }
}
