internal import FlowDefinition
internal import Timelines

/// What all threads of a study share.
struct FunnelStudyPlan: Sendable {
  var compiled: CompiledFlow
  var funnel: CustomFunnel
  var options: EvaluationOptions
  var rules: FunnelRules
  var retention: RetentionRules
  var breakdown: FunnelStudy.Breakdown?
  var retentionDays: [Int]
}

/// One thread's share of a study.
struct FunnelStudyWorker {
  private let plan: FunnelStudyPlan
  private var evaluator: AttemptEvaluator
  private var tracer: FunnelTracer
  private let marks: FunnelMarks
  private(set) var study: FunnelStudy

  init(_ plan: FunnelStudyPlan) {
    self.plan = plan
    evaluator = AttemptEvaluator(plan.compiled, options: plan.options)
    marks = plan.compiled.funnels[0]
    tracer = FunnelTracer(
      funnel: plan.funnel, rules: plan.rules, steps: marks.steps,
      exclusions: marks.exclusions, horizon: plan.options.horizonMilliseconds)
    if !plan.rules.onlyFlowPersons {
      let from = plan.options.fromMilliseconds ?? Int64.min
      let to = plan.options.toMilliseconds ?? Int64.max
      if from > Int64.min || to < Int64.max { tracer.entryTimes = from..<max(from, to) }
    }
    study = FunnelStudy(plan.funnel)
  }

  mutating func add(_ partition: TimelinePartition) {
    for person in 0..<partition.personCount {
      let verdict = evaluator.evaluate(partition, person: person)
      if plan.rules.onlyFlowPersons && verdict != .attempt { continue }
      let items = evaluator.walk.enumerated().map { index, fact in
        FunnelTracer.Item(
          time: fact.timeMilliseconds, patterns: marks[fact.patternSet], index: index)
      }
      let (path, isImmature) = tracer.trace(items)
      if isImmature { study.immature += 1 }
      guard let path else { continue }
      count(path)
    }
  }

  private mutating func count(_ path: FunnelPath) {
    var counts = FunnelStudy.Counts(steps: path.times.count)
    var previous: Int64?
    for step in path.times.indices {
      if step < path.length { counts.reached[step] = 1 }
      guard let time = path.times[step] else { continue }
      if let previous { counts.times[step].record(max(0, time - previous)) }
      previous = time
    }
    study.all.merge(counts)
    let entry = evaluator.walk[path.entry].timeMilliseconds
    let day = evaluator.calendar.day(of: entry)
    study.byDay[
      CivilCalendar.label(ofDay: day, unit: .day), default: .init(steps: path.times.count)
    ]
    .merge(counts)
    if let breakdown = plan.breakdown {
      study.byValue[value(breakdown, from: path.entry), default: .init(steps: path.times.count)]
        .merge(counts)
    }
    for number in plan.retentionDays { countReturn(number, entry: entry) }
  }

  /// The value on the entry, else on the first later fact that has one.
  private func value(_ breakdown: FunnelStudy.Breakdown, from entry: Int) -> String {
    let place =
      switch breakdown {
      case .version: 1
      case .experiment(let index): plan.compiled.variantPlaces[index]
      case .dimension(let index): plan.compiled.dimensionPlaces[index]
      }
    for fact in evaluator.walk[entry...] {
      let code = plan.compiled.tables.contextValue(fact.context, at: place)
      if code != 0 { return plan.compiled.tables.name(ofContextValue: code, at: place) }
    }
    return "(none)"
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
