internal import FlowDefinition
internal import Timelines

/// What one thread found, by codes.
struct InspectionShare: Sendable {
  var quality: QualityCounts
  var factsOfAction: [Int]
  var factsOfContext: [Int]
  var checksOfVersion: [UInt32: PersonChecks] = [:]
  /// The place of `app_version` among a context's values.
  var versionPlace: Int?
  private let compiled: CompiledFlow

  init(_ compiled: CompiledFlow, quality: QualityCounts) {
    self.compiled = compiled
    self.quality = quality
    factsOfAction = Array(repeating: 0, count: compiled.actions.count)
    factsOfContext = Array(repeating: 0, count: compiled.contexts.count)
    let dimension = compiled.flow.dimensions.firstIndex { $0.id == "app_version" }
    versionPlace = dimension.map { compiled.dimensionPlaces[$0] }
  }

  var inspection: DataInspection { DataInspection(self, compiled) }

  mutating func merge(_ other: InspectionShare, _ compiled: CompiledFlow) {
    quality.merge(other.quality)
    for index in factsOfAction.indices { factsOfAction[index] += other.factsOfAction[index] }
    for index in factsOfContext.indices { factsOfContext[index] += other.factsOfContext[index] }
    checksOfVersion.merge(other.checksOfVersion) { one, other in
      var sum = one
      sum.merge(other)
      return sum
    }
  }
}

/// One thread's share of an inspection.
struct InspectionWorker {
  private var evaluator: AttemptEvaluator
  private var share: InspectionShare
  private let compiled: CompiledFlow

  init(_ compiled: CompiledFlow, options: EvaluationOptions) {
    self.compiled = compiled
    evaluator = AttemptEvaluator(compiled, options: options)
    share = InspectionShare(compiled, quality: evaluator.quality)
  }

  mutating func add(_ partition: TimelinePartition) {
    for person in 0..<partition.personCount {
      let verdict = evaluator.evaluate(partition, person: person)
      switch verdict {
      case .attempt: if evaluator.attempt.isImpliedStart { evaluator.quality.impliedStarts += 1 }
      case .orphan, .existingUser, .activityOnly, .noFacts, .leftOut, .outsideDates:
        evaluator.countLeftOut(verdict)
      }
      check(verdict)
    }
  }

  mutating func finish() -> InspectionShare {
    evaluator.quality.finish()
    share.quality = evaluator.quality
    return share
  }

  private mutating func check(_ verdict: AttemptEvaluator.Verdict) {
    let walk = evaluator.walk
    guard !walk.isEmpty else { return }
    for fact in walk {
      share.factsOfAction[fact.action] += 1
      share.factsOfContext[fact.context] += 1
    }
    var checks = PersonChecks()
    checks.persons = 1
    let own = walk.filter { $0.kind != .activity }
    var version: UInt32 = 0
    if let first = own.first, verdict != .outsideDates {
      checks.withOnboarding = 1
      if let place = share.versionPlace {
        version = compiled.tables.contextValue(first.context, at: place)
      }
      check(own, verdict, &checks)
    }
    share.checksOfVersion[version, default: PersonChecks()].merge(checks)
  }

  private func check(
    _ own: [WalkFact], _ verdict: AttemptEvaluator.Verdict, _ checks: inout PersonChecks
  ) {
    func first(_ kind: FactKind) -> Int64? { own.first { $0.kind == kind }?.timeMilliseconds }
    let (started, viewed, completed) = (first(.started), first(.viewed), first(.completed))
    if started != nil && viewed == nil { checks.startsWithoutViews = 1 }
    if verdict == .orphan {
      checks.orphans = 1
      if completed != nil { checks.completionsWithoutStarts = 1 }
    }
    if let started {
      if let completed, completed < started { checks.completionsBeforeStart = 1 }
      if let viewed, viewed < started { checks.viewsBeforeStart = 1 }
    }
    for permission in compiled.flow.permissions.indices {
      let facts = own.filter { Int(compiled.actions[$0.action].permission) == permission }
      let asked = facts.first { $0.kind == .prompted }
      let answered = facts.first { fact in
        fact.kind == .permissionResult && compiled.actions[fact.action].isPrompted == true
      }
      if let asked, let answered, answered.timeMilliseconds < asked.timeMilliseconds {
        checks.answersBeforePrompt = 1
      }
    }
    if verdict == .attempt, evaluator.attempt.variants.contains(where: { $0.count > 1 }) {
      checks.contaminated = 1
    }
  }
}
