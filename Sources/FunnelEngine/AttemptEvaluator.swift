internal import FlowDefinition
internal import Timelines

/// Evaluates one person after another for one flow: a pure walk over a sorted timeline.
///
///     facts ─► order ties ─► entry ─► outcome ─► steps, permissions, goals, retention ─► Attempt
///
/// The rules are those of docs/definitions.md, by section. One evaluator serves one worker; its
/// arrays are reused, so that a person costs no allocation.
struct AttemptEvaluator {
  /// What a timeline turned out to be.
  enum Verdict {
    case attempt, noFacts, activityOnly, orphan, existingUser, outsideDates
  }

  let compiled: CompiledFlow
  let options: EvaluationOptions
  let calendar: CivilCalendar
  var walk: [WalkFact] = []
  var attempt = Attempt()
  var quality: QualityCounts
  /// Facts of the attempt: indices into `walk`.
  var attemptRange = 0..<0
  /// The index behind the last fact up to t0 + window.
  var windowEndIndex = 0
  /// Active days since the anchor's day, for retention; reused.
  var activeDays: [Int] = []
  /// Lists already looked up, by version and variants.
  var knownLists: [KnownList] = []
  let plan: MeasurePlan
  let windowMilliseconds: Int64
  let countsCalendarDays: Bool
  let excludesExistingUsers: Bool
  let skipEnds: Bool

  /// The list of everybody with this version and these variants.
  struct KnownList {
    var version: UInt32
    var variants: [[UInt32]]
    var list: Int
  }

  static let resumeGapMilliseconds: Int64 = 1_800_000
  static let dayMilliseconds: Int64 = 86_400_000

  init(_ compiled: CompiledFlow, options: EvaluationOptions) {
    self.compiled = compiled
    self.options = options
    calendar = CivilCalendar(timeZone: compiled.flow.timeZone)
    plan = MeasurePlan(compiled)
    let flow = compiled.flow
    windowMilliseconds = flow.windowMilliseconds
    countsCalendarDays = flow.day == .calendar
    excludesExistingUsers = flow.existingUsers == .exclude
    skipEnds = flow.skip == .ends
    quality = QualityCounts(stepCount: flow.steps.count, tables: compiled.tables)
    attempt.variants = Array(repeating: [], count: flow.experiments.count)
    attempt.dimensions = Array(repeating: 0, count: flow.dimensions.count)
    attempt.stepMilliseconds = Array(repeating: -1, count: flow.steps.count)
    attempt.permissions = Array(repeating: PermissionAnswer(), count: flow.permissions.count)
    attempt.goals = Array(repeating: GoalResult(), count: flow.goals.count)
    attempt.retention = Array(repeating: RetentionResult(), count: flow.retention.count)
  }

  /// Evaluates person `person` of a partition; the result is in `attempt` if it is one.
  mutating func evaluate(_ partition: TimelinePartition, person: Int) -> Verdict {
    load(partition, partition.starts[person]..<partition.starts[person + 1])
    guard let first = walk.first else { return .noFacts }
    guard let entry = walk.firstIndex(where: isEntry) else {
      return walk.contains { $0.kind != .activity } ? .orphan : .activityOnly
    }
    let start = walk[entry].timeMilliseconds
    if let from = options.fromMilliseconds, start < from { return .outsideDates }
    if let to = options.toMilliseconds, start >= to { return .outsideDates }
    if excludesExistingUsers && first.timeMilliseconds < start - windowMilliseconds {
      return .existingUser
    }
    findOutcome(entry: entry)
    findWho(entry: entry)
    findSteps()
    findPermissions()
    findGoals()
    findFriction()
    findRetention()
    return .attempt
  }

  /// Takes the facts up to the horizon, with their meaning, in the flow's order.
  private mutating func load(_ partition: TimelinePartition, _ range: Range<Int>) {
    walk.removeAll(keepingCapacity: true)
    var previous = Int64.min
    var hasTies = false
    for index in range {
      let fact = partition.facts[index]
      let time = fact.timeMilliseconds
      if time > options.horizonMilliseconds {
        quality.factsAfterHorizon += range.upperBound - index
        break
      }
      let action = compiled.actions[Int(fact.action)]
      let context = compiled.contexts[Int(fact.context)]
      var item = WalkFact(
        timeMilliseconds: time, action: Int(fact.action), context: Int(fact.context),
        session: fact.session, kind: .activity, page: CompiledPage.none)
      if context.belongs && action.kind != .activity {
        item.kind = action.kind
        item.page = compiled.page(action, context)
        quality.see(item, action, isConflict: compiled.isPageConflict(action, context))
      }
      hasTies = hasTies || time == previous
      previous = time
      walk.append(item)
    }
    if hasTies { orderTies() }
  }

  private func isEntry(_ fact: WalkFact) -> Bool {
    switch fact.kind {
    case .started: return true
    case .viewed:
      let list = compiled.lists.all[Int(compiled.contexts[fact.context].list)]
      return fact.page >= 0 && list.steps.first == Int(fact.page)
    default: return false
    }
  }

  private mutating func findOutcome(entry: Int) {
    let start = walk[entry].timeMilliseconds
    let windowEnd = start + windowMilliseconds
    var first = entry
    while first > 0 && walk[first - 1].timeMilliseconds == start { first -= 1 }
    windowEndIndex = endIndex(of: windowEnd, from: entry)
    attempt.entryMilliseconds = start
    attempt.isImpliedStart = walk[entry].kind != .started
    attempt.isMature = windowEnd <= options.horizonMilliseconds
    attempt.outcome = attempt.isMature ? .abandoned : .open
    attempt.endMilliseconds = windowEnd
    attempt.horizonMilliseconds = options.horizonMilliseconds
    for index in first..<windowEndIndex {
      let fact = walk[index]
      guard fact.kind == .completed || (skipEnds && fact.kind == .skipped) else { continue }
      let bySkipping =
        fact.kind == .skipped
        || (skipEnds && compiled.actions[fact.action].completesBySkipping)
      attempt.outcome = bySkipping ? .skipped : .finished
      attempt.endMilliseconds = fact.timeMilliseconds
      break
    }
    attemptRange = first..<endIndex(of: attempt.endMilliseconds, from: entry)
    findLaterFacts()
  }

  /// Replays and late completions: what the flow's facts after the attempt say.
  private mutating func findLaterFacts() {
    attempt.isReplayed = false
    attempt.completedLate = false
    for index in attemptRange.upperBound..<walk.count {
      switch walk[index].kind {
      case .completed where attempt.outcome == .abandoned: attempt.completedLate = true
      // After a skip, a completion by skipping is its echo.
      case .completed
      where attempt.outcome == .skipped
        && compiled.actions[walk[index].action].completesBySkipping:
        break
      case .started, .viewed, .skipped, .completed:
        if attempt.outcome != .abandoned { attempt.isReplayed = true }
      default: break
      }
    }
  }

  /// The index behind the last fact at or before `time`.
  private func endIndex(of time: Int64, from index: Int) -> Int {
    var end = index
    while end < walk.count && walk[end].timeMilliseconds <= time { end += 1 }
    return end
  }
}
