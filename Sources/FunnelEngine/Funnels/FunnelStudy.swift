public import FlowDefinition
public import Timelines

/// One funnel, looked at from all sides: how many reached each step, how long they took from one
/// to the next, and how those fared who began on each day.
public struct FunnelStudy: Sendable {
  /// Counts of some persons.
  public struct Counts: Sendable, Hashable {
    /// Persons who got to each step or further.
    public internal(set) var reached: [Int]
    /// To each step, of those for whom a fact was that step, from the last step before it for which
    /// there was one; nothing for the first.
    public internal(set) var times: [FunnelTimes]
    /// From the entry to the last step.
    public internal(set) var conversion = FunnelTimes()

    init(steps: Int) {
      reached = Array(repeating: 0, count: steps)
      times = Array(repeating: FunnelTimes(), count: steps)
    }

    mutating func add(_ path: FunnelPath) {
      for step in 0..<path.furthest { reached[step] += 1 }
      var previous: Int64?
      for step in path.times.indices {
        guard let time = path.times[step] else { continue }
        if let previous { times[step].record(max(0, time - previous)) }
        previous = time
      }
      if path.times.count > 1, path.furthest == path.times.count,
        let entry = path.times.lazy.compactMap({ $0 }).first, let last = previous
      {
        conversion.record(max(0, last - entry))
      }
    }

    mutating func merge(_ other: Counts) {
      for step in reached.indices {
        reached[step] += other.reached[step]
        times[step].merge(other.times[step])
      }
      conversion.merge(other.conversion)
    }
  }

  /// The funnel as the flow declares it, before any rules are applied.
  public let funnel: CustomFunnel
  /// The rules that people were counted by.
  public let rules: FunnelRules
  /// Everybody with an entry that counts, not cut.
  public internal(set) var all: Counts
  /// By the values of the breakdowns, in their order; empty without any.
  public internal(set) var byValues: [[String]: Counts] = [:]
  /// Persons in no row of ``byValues``: no value at the step that they are cut by.
  public internal(set) var withoutValue = 0
  /// By the date of the entry in the flow's time zone.
  public internal(set) var byDay: [String: Counts] = [:]
  /// By the period of the entry; `nil` where it was not asked for.
  public internal(set) var trend: FunnelTrend?
  /// Persons whose only entries are too late to be followed.
  public internal(set) var immature = 0
  /// Persons with an entry who are in no metric of the flow, and so in no number here.
  public internal(set) var leftOut = 0
  /// Persons whom the flow leaves out of all that it counts, with an entry or without; `nil` where
  /// it has no `leave_out`.
  public internal(set) var leftOutByFlow: Int?
  /// Persons with an entry whose day N counts, and of these who came back on it, or from it on.
  public internal(set) var retention: [ReturnMeasure: (persons: Int, returned: Int)] = [:]
  /// What the funnel asks for and no fact has that counts: none that is misdated or lies after the
  /// horizon.
  public private(set) var unseen: [UnseenName] = []
  /// For each action whether a fact that counts has it.
  var seenActions: [Bool] = []

  /// What a funnel can be cut by. A person's value is that of the flow's metrics (definitions 5.10,
  /// 6): `(contaminated)`, `(unassigned)` and `(none)` are values, too.
  public enum Breakdown: Sendable, Hashable {
    case version
    /// Index of an experiment of the flow.
    case experiment(Int)
    /// Index of a dimension of the flow.
    case dimension(Int)
  }

  /// Which event says a person's value.
  public enum Attribution: Sendable, Hashable {
    /// The rules of the flow's metrics.
    case flow
    /// The first step, or the last one, whose event has a value.
    case firstTouch, lastTouch
    /// The event of the step with this index.
    case step(Int)
  }

  init(_ funnel: CustomFunnel, _ rules: FunnelRules) {
    self.funnel = funnel
    self.rules = rules
    all = Counts(steps: funnel.steps.count)
  }

  mutating func merge(_ other: FunnelStudy) {
    all.merge(other.all)
    for (values, counts) in other.byValues { add(counts, to: &byValues[values]) }
    for (day, counts) in other.byDay { add(counts, to: &byDay[day]) }
    if let trend = other.trend { self.trend?.merge(trend) }
    immature += other.immature
    leftOut += other.leftOut
    if let more = other.leftOutByFlow { leftOutByFlow = (leftOutByFlow ?? 0) + more }
    withoutValue += other.withoutValue
    retention.merge(other.retention) { ($0.persons + $1.persons, $0.returned + $1.returned) }
    seenActions = UnseenName.joined(seenActions, other.seenActions)
  }

  private func add(_ counts: Counts, to sum: inout Counts?) {
    if sum == nil { sum = counts } else { sum?.merge(counts) }
  }

  /// Walks every person's facts.
  ///
  /// - Parameters:
  ///   - funnel: index of the funnel in the flow. The others matter as well: what a flow looks at
  ///     decides which facts are one and the same (definitions 1.2).
  ///   - breakdowns: each person is counted for the values of all of them together.
  ///   - everyone: count everyone with the first step, and not only the people that the flow's
  ///     metrics are about. A flow without steps has no such people and always counts everyone.
  ///   - attribution: for versions and dimensions; a variant is always the flow's.
  ///   - returns: by the tool's rules of days.
  ///   - trend: the periods of entries to count by.
  /// - Returns: `nil` where the flow has no such funnel.
  /// - Throws: as `FlowEvaluator.tally`.
  public static func study(
    _ timelines: Timelines, flow: Flow, funnel: Int, options: EvaluationOptions, tool: FunnelTool,
    modes: FunnelRules.Modes = [], breakdowns: [Breakdown] = [],
    attribution: Attribution = .flow, everyone: Bool = false, returns: [ReturnMeasure] = [],
    trend: CalendarPeriods? = nil, threads: Int
  ) async throws -> FunnelStudy? {
    guard flow.funnels.indices.contains(funnel) else { return nil }
    var rules = tool.rules
    rules.modes = modes
    if everyone { rules.onlyFlowPersons = false }
    return try await study(
      timelines, flow: flow, funnel: funnel, options: options, rules: rules,
      retention: tool.retention, breakdowns: breakdowns, attribution: attribution,
      returns: returns,
      trend: trend.map {
        FunnelTrend(
          $0, entersEachPeriod: tool.entersEachPeriod, funnel: rules.reading(flow.funnels[funnel]),
          options: options)
      }, threads: threads)
  }

  /// A study by rules that no tool has.
  public static func study(
    _ timelines: Timelines, flow: Flow, funnel: Int, options: EvaluationOptions,
    rules: FunnelRules, retention: RetentionRules, breakdowns: [Breakdown] = [],
    attribution: Attribution = .flow, returns: [ReturnMeasure] = [], trend: FunnelTrend? = nil,
    threads: Int
  ) async throws -> FunnelStudy? {
    guard flow.funnels.indices.contains(funnel) else { return nil }
    let compiled = try CompiledFlow(flow, tables: timelines.tables)
    let rules = rules.ofPeople(in: flow)
    let plan = FunnelStudyPlan(
      compiled: compiled, funnel: funnel, options: options, rules: rules, retention: retention,
      breakdowns: breakdowns, attribution: attribution, returns: returns, trend: trend)
    let shares = try await timelines.visit(
      threads: threads, begin: { FunnelStudyWorker(plan) }, add: { $0.add($1) },
      finish: { $0.finish() })
    var sum = FunnelStudy(flow.funnels[funnel], rules)
    sum.trend = trend
    for share in shares { sum.merge(share) }
    sum.unseen = UnseenName.all(sum.funnel, timelines.tables, seen: sum.seenActions)
    return sum
  }

  /// The steps whose numbers the data cannot know (definitions 15), and what is missing.
  public var unknown: (steps: Range<Int>, missing: [UnseenName])? {
    UnseenName.unknown(in: funnel, unseen)
  }
}
