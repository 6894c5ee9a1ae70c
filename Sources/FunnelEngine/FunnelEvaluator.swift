internal import FlowDefinition

/// How far a person got in each of a flow's funnels (definitions 13).
struct FunnelEvaluator {
  private let readers: [FunnelFactReader]
  private var matchers: [FunnelMatcher]
  /// One funnel's facts of the person at hand; reused.
  private var facts: [FunnelFact] = []

  init(_ compiled: CompiledFlow, horizonMilliseconds: Int64) {
    readers = compiled.flow.funnels.indices.map {
      FunnelFactReader(compiled, funnel: $0, rules: FunnelRules())
    }
    matchers = compiled.flow.funnels.map { FunnelMatcher($0, horizon: horizonMilliseconds) }
  }

  /// For each funnel the number of the furthest step, 0 for a person who is not in it.
  mutating func evaluate(_ walk: [WalkFact], into furthest: inout [Int]) {
    furthest.removeAll(keepingCapacity: true)
    for funnel in matchers.indices {
      readers[funnel].read(walk, into: &facts)
      var reach = FunnelReach()
      if !facts.isEmpty { _ = matchers[funnel].match(facts, into: &reach) }
      furthest.append(reach.furthest)
    }
  }
}
