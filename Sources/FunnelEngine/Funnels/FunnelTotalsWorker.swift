internal import FlowDefinition
internal import Timelines

/// One thread's share of funnel totals.
struct FunnelTotalsWorker {
  /// How a funnel is counted by one set of rules.
  private struct Counting {
    var rules: FunnelRules
    var reader: FunnelFactReader
    var matcher: FunnelMatcher
    /// The matcher before it met anybody.
    let unused: FunnelMatcher
  }

  /// Matchers keep their memory from one person to the next, but there are many of them: after a
  /// person of more facts they are replaced.
  private static let mostKeptFacts = 10_000

  private var evaluator: AttemptEvaluator
  private var countings: [Counting]
  private let stepCount: Int
  /// The funnel's facts of the person at hand; reused.
  private var facts: [FunnelFact] = []
  private(set) var totals: [FunnelTotals]

  init(
    _ compiled: CompiledFlow, funnel: Int, options: EvaluationOptions, rules: [FunnelRules]
  ) {
    evaluator = AttemptEvaluator(compiled, options: options)
    let asked = compiled.flow.funnels[funnel]
    stepCount = asked.steps.count
    countings = rules.map { rules in
      let rules = rules.ofPeople(in: compiled.flow)
      var matcher = FunnelMatcher(asked, rules: rules, horizon: options.horizonMilliseconds)
      matcher.entryTimes = rules.entryTimes(options)
      return Counting(
        rules: rules, reader: FunnelFactReader(compiled, funnel: funnel, rules: rules),
        matcher: matcher, unused: matcher)
    }
    totals = Array(repeating: FunnelTotals(), count: rules.count)
  }

  mutating func add(_ partition: TimelinePartition) {
    for person in 0..<partition.personCount {
      let verdict = evaluator.evaluate(partition, person: person)
      for index in countings.indices {
        if countings[index].rules.onlyFlowPersons && verdict != .attempt { continue }
        countings[index].reader.read(evaluator.walk, into: &facts)
        var reach = FunnelReach()
        if facts.isEmpty { continue }
        let standing = countings[index].matcher.match(facts, into: &reach)
        if facts.count > Self.mostKeptFacts { countings[index].matcher = countings[index].unused }
        if standing != .entered { continue }
        totals[index].entered += 1
        if reach.furthest == stepCount { totals[index].finished += 1 }
      }
    }
  }
}
