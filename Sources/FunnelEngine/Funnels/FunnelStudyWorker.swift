internal import FlowDefinition
internal import Timelines

/// What all threads of a study share.
struct FunnelStudyPlan: Sendable {
  var compiled: CompiledFlow
  /// Index of the funnel in the flow.
  var funnel: Int
  var options: EvaluationOptions
  var rules: FunnelRules
  var retention: RetentionRules
  var breakdown: FunnelStudy.Breakdown?
  var retentionDays: [Int]
}

/// One thread's share of a study.
struct FunnelStudyWorker {
  private let plan: FunnelStudyPlan
  private let reader: FunnelFactReader
  private var evaluator: AttemptEvaluator
  private var matcher: FunnelMatcher
  /// The funnel's facts and the path of the person at hand; reused.
  private var facts: [FunnelFact] = []
  private var path: FunnelPath
  private(set) var study: FunnelStudy

  init(_ plan: FunnelStudyPlan) {
    self.plan = plan
    let funnel = plan.compiled.flow.funnels[plan.funnel]
    evaluator = AttemptEvaluator(plan.compiled, options: plan.options)
    reader = FunnelFactReader(plan.compiled, funnel: plan.funnel, rules: plan.rules)
    matcher = FunnelMatcher(
      funnel, rules: plan.rules, horizon: plan.options.horizonMilliseconds)
    path = FunnelPath(steps: funnel.steps.count)
    study = FunnelStudy(funnel, plan.rules)
    matcher.entryTimes = plan.rules.entryTimes(plan.options)
  }

  mutating func add(_ partition: TimelinePartition) {
    for person in 0..<partition.personCount {
      let verdict = evaluator.evaluate(partition, person: person)
      if plan.rules.onlyFlowPersons && verdict != .attempt { continue }
      reader.read(evaluator.walk, into: &facts)
      switch matcher.match(facts, into: &path) {
      case .entered: count(isAttempt: verdict == .attempt)
      case .immature: study.immature += 1
      case .absent: break
      }
    }
  }

  private mutating func count(isAttempt: Bool) {
    let empty = FunnelStudy.Counts(steps: path.times.count)
    let entry = evaluator.walk[path.entry].timeMilliseconds
    let day = CivilCalendar.label(ofDay: evaluator.calendar.day(of: entry), unit: .day)
    study.all.add(path)
    study.byDay[day, default: empty].add(path)
    if let breakdown = plan.breakdown {
      if !isAttempt { evaluator.findWho(orAsIfEnteredAt: path.entry) }
      study.byValue[value(breakdown), default: empty].add(path)
    }
    for number in plan.retentionDays { countReturn(number, entry: entry) }
  }

  /// The person's value, by the rules of the flow's metrics.
  private func value(_ breakdown: FunnelStudy.Breakdown) -> String {
    let attempt = evaluator.attempt
    return switch breakdown {
    case .version: plan.compiled.versionName(attempt.version)
    case .experiment(let index):
      plan.compiled.variantState(
        attempt.variants[index], attempt.standings[index], in: index
      ).label
    case .dimension(let index): plan.compiled.dimensionName(index, attempt.dimensions[index])
    }
  }

  private mutating func countReturn(_ number: Int, entry: Int64) {
    let dayLength: Int64 = 86_400_000
    let calendar = evaluator.calendar
    let entryDay = calendar.day(of: entry)
    func day(_ time: Int64) -> Int {
      plan.retention.isCalendar
        ? calendar.day(of: time) - entryDay : Int((time - entry) / dayLength)
    }
    if plan.retention.onlyMature {
      let horizon = plan.options.horizonMilliseconds
      if day(horizon + 1) <= number { return }
    }
    let returned = evaluator.walk.contains { fact in
      fact.timeMilliseconds >= entry && day(fact.timeMilliseconds) == number
        && plan.compiled.actions[fact.action].isActivity
    }
    let known = study.retention[number] ?? (0, 0)
    study.retention[number] = (known.persons + 1, known.returned + (returned ? 1 : 0))
  }
}
