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
    case attempt, noFacts, leftOut, activityOnly, orphan, existingUser, outsideDates
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
  /// Days since the entry's on which the person was back, for retention; reused.
  var activeDays = ActiveDays()
  /// The index of the first fact after the attempt's visit.
  var returnIndex = 0
  /// Versions with variants met so far.
  var combinations: CombinationTable
  /// The entry of the person's attempt at hand; an index into `walk`.
  var entryPlace = 0
  /// The entry of the attempt after it; −1 for none.
  var nextEntryPlace = -1
  /// The person's attempts before the one at hand.
  var earlier = EarlierAttempts()
  /// Of an existing user: the first attempt in the period was finished.
  var existingUserFinished = false
  /// The version that it was of.
  var existingUserVersion: UInt32 = 0
  let plan: MeasurePlan
  let windowMilliseconds: Int64
  let leadMilliseconds: Int64
  let countsCalendarDays: Bool
  let excludesExistingUsers: Bool
  let existingByActivity: Bool
  /// How long nobody must have gone on before a later start begins a new attempt; `.max` for never.
  let newAttemptGap: Int64
  /// How long before an attempt facts matter; `.max` for ever.
  let history: Int64
  let countsAttempts: Bool
  let skipEnds: Bool
  let readsVariantsToWindowEnd: Bool
  /// Finishing after a skip is an outcome of its own.
  let finishesAfterSkipping: Bool
  /// For each dimension whether its value is the one at entry.
  let takesEntryValue: [Bool]
  /// An answer to a prompt goes before a status that nobody was prompted for.
  let promptedAnswerFirst: Bool
  let returnsAfterVisit: Bool
  /// An event of the flow file's choice begins an attempt, not the onboarding's own start.
  let entersByEvent: Bool
  /// Somebody may be in none of the flow's numbers.
  let leavesOut: Bool
  /// For each dimension how long after entry its value may come; `nil` for the attempt.
  let laterWithinMilliseconds: [Int64?]

  /// When the furthest step of the attempt at hand was viewed last.
  var furthestViewedAt: Int64 = 0
  /// The stays on steps of the attempt at hand; `nil` where no drawing needs them.
  var stepVisits: [StepVisit]?

  static let resumeGapMilliseconds: Int64 = 1_800_000
  static let dayMilliseconds: Int64 = 86_400_000

  init(_ compiled: CompiledFlow, options: EvaluationOptions) {
    self.compiled = compiled
    self.options = options
    calendar = CivilCalendar(timeZone: compiled.flow.timeZone)
    plan = MeasurePlan(compiled)
    let flow = compiled.flow
    windowMilliseconds = flow.windowMilliseconds
    leadMilliseconds = flow.leadMilliseconds
    countsCalendarDays = flow.day == .calendar
    excludesExistingUsers = flow.existingUsers == .exclude
    existingByActivity = !options.oldRules.contains(.existingByActivity)
    newAttemptGap =
      options.oldRules.contains(.laterAttempts) ? .max : flow.newAttemptAfterMilliseconds ?? .max
    history = flow.historyMilliseconds ?? .max
    countsAttempts = flow.counting == .attempts
    skipEnds = flow.skip == .ends
    entersByEvent = flow.entry != nil
    leavesOut = !flow.leaveOut.isEmpty
    laterWithinMilliseconds = flow.dimensions.map(\.laterWithinMilliseconds)
    let isAtEntry = !options.oldRules.contains(.dimensionsAtEntry)
    takesEntryValue = flow.dimensions.map { isAtEntry && !$0.isKnownLater }
    promptedAnswerFirst = !options.oldRules.contains(.promptedAnswerFirst)
    finishesAfterSkipping = !options.oldRules.contains(.finishedAfterSkipping)
    returnsAfterVisit = !options.oldRules.contains(.returnsAfterVisit)
    occurrences = PatternOccurrences(compiled.patternSets)
    combinations = CombinationTable(experiments: flow.experiments.count)
    quality = QualityCounts(flow, tables: compiled.tables)
    quality.goalsWithoutNumber = compiled.goalsWithoutNumber
    quality.goalsWithLostNumbers = compiled.goalsWithLostNumbers
    attempt.variants = Array(repeating: [], count: flow.experiments.count)
    attempt.standings = Array(
      repeating: ExperimentStanding(period: 0, isExposed: true), count: flow.experiments.count)
    attempt.exposedLater = Array(repeating: false, count: flow.experiments.count)
    readsVariantsToWindowEnd = !options.oldRules.contains(.variantsToWindowEnd)
    attempt.dimensions = Array(repeating: 0, count: flow.dimensions.count)
    attempt.clusters = Array(repeating: 0, count: compiled.clusterPlaces.count)
    attempt.stepMilliseconds = Array(repeating: -1, count: flow.steps.count)
    attempt.moveOnMilliseconds = attempt.stepMilliseconds
    attempt.transitionBits = Array(repeating: 0, count: compiled.transitions.count / 64 + 1)
    attempt.permissions = Array(repeating: PermissionAnswer(), count: flow.permissions.count)
    attempt.goals = Array(repeating: GoalResult(), count: flow.goals.count)
    attempt.friction = Array(repeating: false, count: flow.friction.count)
    attempt.overall = Array(repeating: OverallResult(), count: plan.overall.count)
    attempt.retention = Array(repeating: RetentionResult(), count: flow.retention.count)
  }

  /// Evaluates person `person` of a partition: the first attempt that counts is in `attempt`.
  mutating func evaluate(_ partition: TimelinePartition, person: Int) -> Verdict {
    let facts = setAside(partition.starts[person]..<partition.starts[person + 1], of: partition)
    if leavesOut && isLeftOut(partition, person, facts) {
      // For everything that counts facts it is as if there were none.
      walk.removeAll(keepingCapacity: true)
      return .leftOut
    }
    load(partition, setHistoryAside(facts, of: partition))
    guard let first = walk.first, let last = walk.last else { return .noFacts }
    if calendar.day(of: last.timeMilliseconds) > calendar.day(of: first.timeMilliseconds) {
      quality.personsSeenLater += 1
    }
    seeBeginning()
    guard let entry = entryIndex() else {
      guard let own = walk.first(where: { $0.kind != .activity }) else { return .activityOnly }
      return options.isInPeriod(own.timeMilliseconds) ? .orphan : .outsideDates
    }
    earlier.removeAll()
    existingUserFinished = false
    return chooseAttempt(from: entry)
  }

  /// All that is counted about an attempt whose outcome is known.
  mutating func findRest() {
    if let last = attemptRange.last { quality.see(last: walk[last]) }
    findEndOfOtherFlow()
    findWho(entry: entryPlace)
    findSteps()
    findNextEvent()
    findPermissions()
    occurrences.collect(walk)
    findGoals()
    findFriction()
    findRetention()
    if !plan.overall.isEmpty { findOverall() }
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

  /// Counts the facts that are earlier than the run looks at, and leaves them out.
  private mutating func setHistoryAside(
    _ facts: Range<Int>, of partition: TimelinePartition
  ) -> Range<Int> {
    guard let beginning = options.historyFromMilliseconds else { return facts }
    var start = facts.lowerBound
    while start < facts.upperBound && partition.facts[start].timeMilliseconds < beginning {
      // That it was sent is known, whatever is looked at.
      quality.seenActions[Int(partition.facts[start].action)] = true
      start += 1
    }
    quality.factsBeforeHistory += start - facts.lowerBound
    return start..<facts.upperBound
  }

  /// Takes facts with their meaning, in the flow's order.
  mutating func load(_ partition: TimelinePartition, _ range: Range<Int>) {
    // Taken out, so that it can be filled while the counts of quality change.
    var walk: [WalkFact] = []
    swap(&walk, &self.walk)
    AttemptEvaluator.resize(&walk, to: range.count)
    var previous = Int64.min
    var hasTies = false
    var kinds: UInt8 = 0
    var count = 0
    var items = walk.mutableSpan
    var seen: [Bool] = []
    swap(&seen, &quality.seenActions)
    for index in range {
      let fact = partition.facts[index]
      let time = fact.timeMilliseconds
      let action = compiled.actions[Int(fact.action)]
      seen[Int(fact.action)] = true
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
    swap(&seen, &quality.seenActions)
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
    if item.kind == .activity { return }
    let isConflict = compiled.isPageConflict(action, context)
    quality.see(item, action, isConflict: isConflict)
  }

  mutating func findOutcome(entry: Int) {
    let start = walk[entry].timeMilliseconds
    let windowEnd = start + windowMilliseconds
    entryPlace = entry
    var first = entry
    while first > 0 && walk[first - 1].timeMilliseconds == start { first -= 1 }
    windowEndIndex = endIndex(of: windowEnd, from: entry)
    attempt.entryMilliseconds = start
    attempt.isImpliedStart = !entersByEvent && walk[entry].kind != .started
    attempt.isMature = windowEnd <= options.horizonMilliseconds
    attempt.outcome = attempt.isMature ? .abandoned : .open
    attempt.endMilliseconds = windowEnd
    attempt.horizonMilliseconds = options.horizonMilliseconds
    for index in first..<windowEndIndex {
      let fact = walk[index]
      let isSkip = isEndingSkip(fact)
      guard fact.kind == .completed || isSkip else { continue }
      attempt.outcome = isSkip ? .skipped : .finished
      attempt.endMilliseconds = fact.timeMilliseconds
      if isSkip && finishesAfterSkipping { findFinish(afterSkip: index) }
      break
    }
    attemptRange = first..<endIndex(of: attempt.endMilliseconds, from: entry)
    findLaterFacts()
  }

  /// Replays, late completions and the next attempt: what the flow's facts after the attempt say.
  private mutating func findLaterFacts() {
    attempt.isReplayed = false
    attempt.completedLate = false
    nextEntryPlace = -1
    // What was known before the millisecond at hand: from its entry on, facts are the next
    // attempt's, those that stand before the entry in order too.
    var (moment, wasReplayed, wasLate) = (Int64.min, false, false)
    for index in attemptRange.upperBound..<walk.count
    where entersByEvent || walk[index].kind != .activity {
      let fact = walk[index]
      if fact.timeMilliseconds != moment {
        (moment, wasReplayed, wasLate) = (
          fact.timeMilliseconds, attempt.isReplayed, attempt.completedLate
        )
      }
      if beginsNextAttempt(index) {
        (attempt.isReplayed, attempt.completedLate) = (wasReplayed, wasLate)
        nextEntryPlace = index
        return
      }
      switch fact.kind {
      case .completed where attempt.outcome == .abandoned: attempt.completedLate = true
      case .completed where attempt.outcome == .skipped && isEcho(fact): break
      case .started, .viewed, .skipped, .completed:
        if attempt.outcome != .abandoned { attempt.isReplayed = true }
      default: break
      }
    }
  }

  /// The index behind the last fact at or before `time`.
  mutating func endIndex(of time: Int64, from index: Int) -> Int {
    var end = index
    while end < walk.count && walk[end].timeMilliseconds <= time { end += 1 }
    return end
  }
}
