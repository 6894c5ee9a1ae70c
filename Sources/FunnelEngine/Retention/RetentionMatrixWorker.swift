internal import FlowDefinition
internal import Timelines

/// One thread's share of a retention matrix.
struct RetentionMatrixWorker {
  private let question: RetentionMatrix.Question
  private let reader: FunnelFactReader
  /// Any activity is a return.
  private let anyReturns: Bool
  private var evaluator: AttemptEvaluator
  private var walk: RetentionWalk
  /// The facts of the person at hand, and the places of the returns among them; reused.
  private var facts: [FunnelFact] = []
  private var returns: [Int] = []
  private(set) var matrix: RetentionMatrix

  init(
    _ compiled: CompiledFlow, _ question: RetentionMatrix.Question, _ options: EvaluationOptions
  ) {
    self.question = question
    evaluator = AttemptEvaluator(compiled, options: options)
    reader = FunnelFactReader(compiled, funnel: question.funnel, rules: FunnelRules())
    anyReturns = compiled.flow.funnels[question.funnel].steps.count < 2
    var people = FunnelRules()
    people.onlyFlowPersons = question.rules.onlyFlowPersons
    walk = RetentionWalk(
      question, calendar: evaluator.calendar, options: options,
      startTimes: people.entryTimes(options))
    matrix = RetentionMatrix(question)
  }

  mutating func add(_ partition: TimelinePartition) {
    for person in 0..<partition.personCount {
      let verdict = evaluator.evaluate(partition, person: person)
      if question.rules.onlyFlowPersons && verdict != .attempt { continue }
      reader.read(evaluator.walk, into: &facts)
      if question.startsWithAttempt { leaveOutOtherStarts() }
      walk.findStarts(facts)
      guard let start = walk.starts.first else { continue }
      findReturns(leavingOutOnboarding: verdict == .attempt && question.rules.onlyMature)
      walk.add(facts, returns: returns, to: &matrix.all)
      if question.breakdowns.isEmpty { continue }
      if verdict != .attempt { evaluator.findWho(orAsIfEnteredAt: facts[start.place].index) }
      let values = question.breakdowns.map { evaluator.value($0) }
      let empty = RetentionCohorts(periods: question.periods)
      walk.add(facts, returns: returns, to: &matrix.byValues[values, default: empty])
    }
  }

  /// The share, with the events that were seen.
  mutating func finish() -> RetentionMatrix {
    matrix.see(evaluator.quality)
    if evaluator.leavesOut { matrix.leftOutByFlow = evaluator.quality.leftOut }
    return matrix
  }

  /// Of a flow without an `entry` starts are what was sent as one, or, of a person of whom none was
  /// sent, the first view of a first step.
  private mutating func leaveOutOtherStarts() {
    let wasSent = facts.contains { evaluator.walk[$0.index].kind == .started }
    let isOfEntry = evaluator.compiled.entrySets != nil
    var isImplied = false
    for place in facts.indices where facts[place].steps & 1 != 0 {
      let index = facts[place].index
      let isStart =
        evaluator.isEntry(index)
        && (isOfEntry || (wasSent ? evaluator.walk[index].kind == .started : !isImplied))
      if isStart { isImplied = true } else { facts[place].steps &= ~1 }
    }
  }

  /// - Parameter leavesOutOnboarding: the onboarding's own events are no activity.
  private mutating func findReturns(leavingOutOnboarding leavesOutOnboarding: Bool) {
    returns.removeAll(keepingCapacity: true)
    for (place, fact) in facts.enumerated() {
      let isReturn =
        anyReturns
        ? evaluator.walk[fact.index].isActivity
          && !(leavesOutOnboarding && evaluator.isOnboarding(fact.index))
        : fact.steps & 2 != 0
      if isReturn { returns.append(place) }
    }
  }
}
