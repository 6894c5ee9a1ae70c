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
  var breakdowns: [FunnelStudy.Breakdown]
  var attribution: FunnelStudy.Attribution
  var returns: [ReturnMeasure]
  /// Without any counts.
  var trend: FunnelTrend?
}

/// One thread's share of a study.
struct FunnelStudyWorker {
  private let plan: FunnelStudyPlan
  private let reader: FunnelFactReader
  private var evaluator: AttemptEvaluator
  private var matcher: FunnelMatcher
  /// For people whose attempt doesn't say whether they are of the days that are asked for.
  private var othersMatcher: FunnelMatcher
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
    othersMatcher = matcher
    var everyone = plan.rules
    everyone.onlyFlowPersons = false
    othersMatcher.entryTimes = everyone.entryTimes(plan.options)
    path = FunnelPath(steps: funnel.steps.count)
    study = FunnelStudy(funnel, plan.rules)
    study.trend = plan.trend
    matcher.entryTimes = plan.rules.entryTimes(plan.options)
  }

  mutating func add(_ partition: TimelinePartition) {
    for person in 0..<partition.personCount {
      let verdict = evaluator.evaluate(partition, person: person)
      if plan.rules.onlyFlowPersons && verdict != .attempt {
        if verdict != .outsideDates { countLeftOut() }
        continue
      }
      reader.read(evaluator.walk, into: &facts)
      let standing = matcher.match(facts, into: &path)
      switch standing {
      case .entered: count(isAttempt: verdict == .attempt)
      case .immature: study.immature += 1
      case .absent: break
      }
      study.trend?.add(facts, standing, &matcher, &path)
    }
  }

  /// The person at hand is in no metric of the flow.
  private mutating func countLeftOut() {
    reader.read(evaluator.walk, into: &facts)
    if othersMatcher.match(facts, into: &path) == .entered { study.leftOut += 1 }
  }

  /// The share, with the events that were seen.
  mutating func finish() -> FunnelStudy {
    study.seenActions = evaluator.quality.seenActions
    if evaluator.leavesOut { study.leftOutByFlow = evaluator.quality.leftOut }
    return study
  }

  private mutating func count(isAttempt: Bool) {
    let empty = FunnelStudy.Counts(steps: path.times.count)
    let entry = evaluator.walk[path.entry].timeMilliseconds
    let day = CivilCalendar.label(ofDay: evaluator.calendar.day(of: entry), unit: .day)
    study.all.add(path)
    study.byDay[day, default: empty].add(path)
    if !plan.breakdowns.isEmpty {
      if !isAttempt { evaluator.findWho(orAsIfEnteredAt: path.entry) }
      let values = plan.breakdowns.compactMap { value($0) }
      if values.count == plan.breakdowns.count {
        study.byValues[values, default: empty].add(path)
      } else {
        study.withoutValue += 1
      }
    }
    for measure in plan.returns { count(measure, entry: entry) }
  }

  /// Where contexts have the version.
  private static let versionPlace = 1

  /// The person's value; `nil` where the step that decides has none.
  private func value(_ breakdown: FunnelStudy.Breakdown) -> String? {
    evaluator.value(breakdown) { touched(at: $0, else: $1) }
  }

  /// The code of the value that the attribution chooses, 0 for a dimension that no step has; `nil`
  /// where the step that decides has none. An event without a version is not of the newest one.
  private func touched(at place: Int, else own: UInt32) -> UInt32? {
    func code(_ index: Int?) -> UInt32 {
      index.map { plan.compiled.contextValue(evaluator.walk[$0].context, at: place) } ?? 0
    }
    let none: UInt32? = place == Self.versionPlace ? nil : 0
    switch plan.attribution {
    case .flow: return own
    case .firstTouch: return path.indices.lazy.map { code($0) }.first { $0 != 0 } ?? none
    case .lastTouch: return path.indices.reversed().lazy.map { code($0) }.first { $0 != 0 } ?? none
    case .step(let step):
      let found = path.indices.indices.contains(step) ? code(path.indices[step]) : 0
      return found == 0 ? nil : found
    }
  }

  private mutating func count(_ measure: ReturnMeasure, entry: Int64) {
    let dayLength: Int64 = 86_400_000
    let calendar = evaluator.calendar
    let entryDay = calendar.day(of: entry)
    func day(_ time: Int64) -> Int {
      plan.retention.isCalendar
        ? calendar.day(of: time) - entryDay : Int((time - entry) / dayLength)
    }
    if plan.retention.onlyMature {
      let horizon = plan.options.horizonMilliseconds
      if day(horizon + 1) <= measure.day { return }
    }
    let returned = evaluator.walk.contains { fact in
      guard fact.timeMilliseconds >= entry, plan.compiled.actions[fact.action].isActivity else {
        return false
      }
      let own = day(fact.timeMilliseconds)
      return measure.isOnOrAfter ? own >= measure.day : own == measure.day
    }
    let known = study.retention[measure] ?? (0, 0)
    study.retention[measure] = (known.persons + 1, known.returned + (returned ? 1 : 0))
  }
}
