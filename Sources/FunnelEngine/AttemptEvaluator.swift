internal import FlowDefinition
internal import Timelines

/// Evaluates one person after another for one flow: a pure walk over a sorted timeline.
///
///     facts ─► order ties ─► entry ─► outcome ─► steps, permissions, goals, retention ─► Attempt
///
/// The rules are those of docs/definitions.md, by section. One evaluator serves one worker; its
/// arrays are reused, so that a person costs no allocation. It is large: a method that a walk calls
/// is `mutating` even where it changes nothing, as the evaluator would be copied for the call.
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
  /// Where the person's facts of each pattern stand.
  var occurrences: PatternOccurrences
  /// The kinds of the person's facts, one bit each.
  var seenKinds: UInt8 = 0
  /// Active days since the anchor's day, for retention; reused.
  var activeDays = ActiveDays()
  /// Versions with variants met so far.
  var combinations: CombinationTable
  let plan: MeasurePlan
  let windowMilliseconds: Int64
  let countsCalendarDays: Bool
  let excludesExistingUsers: Bool
  let skipEnds: Bool

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
    occurrences = PatternOccurrences(compiled.patternSets)
    combinations = CombinationTable(experiments: flow.experiments.count)
    quality = QualityCounts(flow, tables: compiled.tables)
    attempt.variants = Array(repeating: [], count: flow.experiments.count)
    attempt.dimensions = Array(repeating: 0, count: flow.dimensions.count)
    attempt.stepMilliseconds = Array(repeating: -1, count: flow.steps.count)
    attempt.permissions = Array(repeating: PermissionAnswer(), count: flow.permissions.count)
    attempt.goals = Array(repeating: GoalResult(), count: flow.goals.count)
    attempt.friction = Array(repeating: false, count: flow.friction.count)
    attempt.retention = Array(repeating: RetentionResult(), count: flow.retention.count)
  }

  /// Evaluates person `person` of a partition; the result is in `attempt` if it is one.
  mutating func evaluate(_ partition: TimelinePartition, person: Int) -> Verdict {
    let facts = partition.starts[person]..<partition.starts[person + 1]
    load(partition, setAside(facts, of: partition))
    guard let first = walk.first, let last = walk.last else { return .noFacts }
    if calendar.day(of: last.timeMilliseconds) > calendar.day(of: first.timeMilliseconds) {
      quality.personsSeenLater += 1
    }
    guard let entry = entryIndex() else {
      return seenKinds & ~FactKind.activity.bit != 0 ? .orphan : .activityOnly
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
    occurrences.collect(walk)
    findGoals()
    findFriction()
    findRetention()
    return .attempt
  }

  /// Counts the facts that are misdated or later than the horizon, and leaves them out.
  private mutating func setAside(_ facts: Range<Int>, of partition: TimelinePartition) -> Range<Int>
  {
    let dated = options.datedMilliseconds
    var (start, end) = (facts.lowerBound, facts.upperBound)
    while start < end && partition.facts[start].timeMilliseconds < dated.lowerBound { start += 1 }
    while start < end && partition.facts[end - 1].timeMilliseconds > dated.upperBound { end -= 1 }
    let misdated = facts.count - (end - start)
    if misdated > 0 {
      quality.misdatedFacts += misdated
      quality.misdatedPersons += 1
    }
    let last = end
    while start < end && partition.facts[end - 1].timeMilliseconds > options.horizonMilliseconds {
      end -= 1
    }
    quality.factsAfterHorizon += last - end
    return start..<end
  }

  /// Takes facts with their meaning, in the flow's order.
  private mutating func load(_ partition: TimelinePartition, _ range: Range<Int>) {
    // Taken out, so that it can be filled while the counts of quality change.
    var walk: [WalkFact] = []
    swap(&walk, &self.walk)
    AttemptEvaluator.resize(&walk, to: range.count)
    var previous = Int64.min
    var hasTies = false
    var kinds: UInt8 = 0
    var count = 0
    var items = walk.mutableSpan
    for index in range {
      let fact = partition.facts[index]
      let time = fact.timeMilliseconds
      let action = compiled.actions[Int(fact.action)]
      var item = WalkFact(
        timeMilliseconds: time, patternSet: action.patternSet, actionCode: fact.action,
        contextCode: fact.context, session: fact.session, kind: .activity,
        isActivity: action.isActivity, page: CompiledPage.none)
      if action.kind != .activity { tellMeaning(&item, action) }
      hasTies = hasTies || time == previous
      previous = time
      kinds |= item.kind.bit
      items[count] = item
      count += 1
    }
    AttemptEvaluator.resize(&walk, to: count)
    swap(&walk, &self.walk)
    seenKinds = kinds
    if hasTies { orderTies() }
  }

  /// Makes room for some facts, whose places are filled afterwards: an array that is appended to
  /// asks at every fact whether it may change.
  private static func resize(_ walk: inout [WalkFact], to count: Int) {
    if walk.count > count { walk.removeLast(walk.count - count) }
    if walk.count < count {
      let blank = WalkFact(
        timeMilliseconds: 0, patternSet: 0, actionCode: 0, contextCode: 0, session: 0,
        kind: .activity, isActivity: false, page: CompiledPage.none)
      walk.append(contentsOf: repeatElement(blank, count: count - walk.count))
    }
  }

  /// What a fact with an onboarding event's name is to this flow.
  private mutating func tellMeaning(_ item: inout WalkFact, _ action: CompiledAction) {
    let context = compiled.contexts[item.context]
    guard context.belongs else { return }
    item.kind = action.kind
    item.page = compiled.page(action, context)
    see(item, times: 1)
  }

  /// Counts what an onboarding fact shows; so many times less if the times are negative.
  @inline(__always)
  mutating func see(_ item: WalkFact, times: Int) {
    if item.kind == .activity { return }
    let action = compiled.actions[item.action]
    let isConflict = compiled.isPageConflict(action, compiled.contexts[item.context])
    quality.see(item, action, isConflict: isConflict, times: times)
  }

  func entryIndex() -> Int? {
    for (index, fact) in walk.enumerated() {
      switch fact.kind {
      case .started: return index
      case .viewed where fact.page >= 0:
        let list = Int(compiled.contexts[fact.context].list)
        if compiled.lists.firstSteps[list] == Int(fact.page) { return index }
      default: break
      }
    }
    return nil
  }

  mutating func findOutcome(entry: Int) {
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
  private mutating func endIndex(of time: Int64, from index: Int) -> Int {
    var end = index
    while end < walk.count && walk[end].timeMilliseconds <= time { end += 1 }
    return end
  }
}
