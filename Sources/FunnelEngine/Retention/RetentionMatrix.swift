public import FlowDefinition
public import Timelines

/// A retention matrix: of the people who started in each hour, day, week or month, how many came
/// back in each one after it (definitions 18).
public struct RetentionMatrix: Sendable {
  /// What is asked.
  public struct Question: Sendable {
    /// The index of a funnel of the flow: its first step is a start, its second one a return. Where
    /// it has no second step, any activity is a return, and its order is strict.
    public var funnel: Int
    /// How long a period is, of cohorts and of what follows them.
    public var unit: CalendarPeriods.Unit
    /// The number of the last period after a cohort's own.
    public var periods: Int
    /// The rules by which cohorts, periods and returns are counted.
    public var rules: RetentionMatrixRules
    /// Starts are those of the flow (definitions 18.2): of a person who sent none, of the views
    /// that the first step asks for the first one of the flow's first step.
    public var startsWithAttempt = false
    /// What to cut by: a person is counted for the values of all of these together.
    public var breakdowns: [FunnelStudy.Breakdown] = []

    /// A question that is asked of everybody, not cut.
    public init(
      funnel: Int, unit: CalendarPeriods.Unit, periods: Int, rules: RetentionMatrixRules
    ) {
      self.funnel = funnel
      self.unit = unit
      self.periods = periods
      self.rules = rules
    }
  }

  /// What was asked.
  public let question: Question
  /// All people who are counted, not cut.
  public internal(set) var all: RetentionCohorts
  /// By the values of the breakdowns, in their order; empty without any.
  public internal(set) var byValues: [[String]: RetentionCohorts] = [:]
  /// What start and return ask for and no fact has that counts: none that is misdated or lies after
  /// the horizon.
  public private(set) var unseen: [UnseenName] = []
  /// Whether starts (0) or returns (1) are unknown, and which events are missing (definitions 15).
  public private(set) var unknown: (steps: Range<Int>, missing: [UnseenName])?
  /// Anybody has an event on a later date than that of their first.
  public private(set) var hasLaterDates = false
  /// The dates of which hardly any events are there, each by its first moment in milliseconds since
  /// 1970, where somebody's period lies on them (definitions 18.5).
  public private(set) var missingDates: [Int64] = []
  /// Persons whom the flow leaves out of all that it counts; `nil` where it has no `leave_out`.
  public internal(set) var leftOutByFlow: Int?
  /// For each action whether a fact that counts has it.
  var seenActions: [Bool] = []

  init(_ question: Question) {
    self.question = question
    all = RetentionCohorts(periods: question.periods)
  }

  /// Takes the events that were seen from the counts of one thread.
  mutating func see(_ quality: QualityCounts) {
    seenActions = quality.seenActions
    hasLaterDates = quality.personsSeenLater > 0
  }

  mutating func merge(_ other: RetentionMatrix) {
    all.merge(other.all)
    seenActions = UnseenName.joined(seenActions, other.seenActions)
    hasLaterDates = hasLaterDates || other.hasLaterDates
    if let more = other.leftOutByFlow { leftOutByFlow = (leftOutByFlow ?? 0) + more }
    for (values, table) in other.byValues {
      byValues[values, default: RetentionCohorts(periods: question.periods)].merge(table)
    }
  }

  /// Walks every person's facts.
  ///
  /// - Returns: `nil` where the flow has no such funnel.
  /// - Throws: as `FlowEvaluator.tally`.
  public static func matrix(
    _ timelines: Timelines, flow: Flow, question: Question, options: EvaluationOptions,
    threads: Int
  ) async throws -> RetentionMatrix? {
    guard flow.funnels.indices.contains(question.funnel) else { return nil }
    let compiled = try CompiledFlow(flow, tables: timelines.tables)
    let shares = try await timelines.visit(
      threads: threads,
      begin: { RetentionMatrixWorker(compiled, question, options) },
      add: { $0.add($1) },
      finish: { $0.finish() })
    var sum = RetentionMatrix(question)
    for share in shares { sum.merge(share) }
    if let first = sum.all.cohorts.keys.min(),
      sum.all.sum.cells.contains(where: { $0.lacking > 0 })
    {
      let periods = CalendarPeriods(
        question.unit, weekStart: question.rules.weekStart, timeZone: flow.timeZone)
      sum.missingDates = options.missingDates.filter {
        $0.upperBound > periods.start(of: first) && $0.lowerBound <= options.horizonMilliseconds
      }.map(\.lowerBound)
    }
    let funnel = flow.funnels[question.funnel]
    sum.unseen = UnseenName.all(funnel, timelines.tables, seen: sum.seenActions)
    sum.unknown = UnseenName.unknown(in: funnel, sum.unseen)
    if question.startsWithAttempt, sum.unknown?.steps.contains(0) != true {
      // A start that was never sent is implied by a view.
      let starts = funnel.steps[0].anyOf.map(\.event)
      sum.unseen.removeAll { $0.kind == .event && starts.contains($0.name) }
    }
    return sum
  }
}
