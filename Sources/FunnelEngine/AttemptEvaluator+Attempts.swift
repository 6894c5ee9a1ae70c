/// Where a person's attempts begin, and which of them count (definitions 5.1 to 5.3).
extension AttemptEvaluator {
  /// The first entry of the person.
  func entryIndex() -> Int? { walk.indices.first { isEntry($0) } }

  /// Goes on, from an entry, to the first attempt that counts; it is evaluated then.
  mutating func chooseAttempt(from first: Int) -> Verdict {
    var verdict = Verdict.outsideDates
    var entry = first
    while true {
      let start = walk[entry].timeMilliseconds
      if let to = options.toMilliseconds, start >= to { return verdict }
      let isInPeriod = options.fromMilliseconds.map { start >= $0 } ?? true
      let isExisting = isInPeriod && excludesExistingUsers && isExistingUser(at: start)
      findOutcome(entry: entry)
      if isInPeriod && !isExisting {
        findRest()
        return .attempt
      }
      if isExisting && verdict != .existingUser {
        verdict = .existingUser
        existingUserFinished = attempt.outcome.isFinished
        existingUserVersion = earliestValue(
          entry: entry, at: 1, in: attemptRange, onlyOwn: true)
      }
      // Who is an existing user once is one at every later attempt, unless that is forgotten.
      if isExisting && history == .max || nextEntryPlace < 0 { return verdict }
      earlier.append(attempt)
      entry = nextEntryPlace
    }
  }

  /// Goes on to the person's next attempt that counts, where every attempt does.
  ///
  /// - Returns: `false` if there is none.
  mutating func evaluateNextAttempt() -> Bool {
    guard countsAttempts && nextEntryPlace >= 0 else { return false }
    earlier.append(attempt)
    return chooseAttempt(from: nextEntryPlace) == .attempt
  }

  /// Counts a person who has no attempt that counts.
  mutating func countLeftOut(_ verdict: Verdict) {
    switch verdict {
    case .orphan: quality.orphans += 1
    case .existingUser:
      quality.existingUsers += 1
      if existingUserFinished { quality.existingUsersFinished += 1 }
    case .activityOnly: quality.activityOnly += 1
    case .attempt, .noFacts, .leftOut, .outsideDates: break
    }
  }

  /// The entry of the attempt that a person in no metric is described by: of their first one in
  /// the period, else of their first.
  mutating func describingEntry() -> Int? {
    guard let first = entryIndex() else { return nil }
    let from = options.fromMilliseconds ?? .min
    let to = options.toMilliseconds ?? .max
    var entry = first
    while walk[entry].timeMilliseconds < to {
      if walk[entry].timeMilliseconds >= from { return entry }
      findOutcome(entry: entry)
      if nextEntryPlace < 0 { break }
      entry = nextEntryPlace
    }
    return first
  }

  /// Whether a fact can begin an attempt.
  func isEntry(_ index: Int) -> Bool {
    let fact = walk[index]
    if let sets = compiled.entrySets { return sets.contains(fact.patternSet) }
    switch fact.kind {
    case .started: return true
    case .viewed where fact.page >= 0:
      let list = Int(compiled.contexts[fact.context].list)
      return compiled.lists.firstSteps[list] == Int(fact.page)
    default: return false
    }
  }

  /// Whether a fact after the attempt at hand begins the next one: behind the window, and after a
  /// time without any onboarding fact.
  mutating func beginsNextAttempt(_ index: Int) -> Bool {
    let time = walk[index].timeMilliseconds
    guard newAttemptGap < .max, time > attempt.entryMilliseconds + windowMilliseconds,
      isEntry(index)
    else { return false }
    if history < .max && attempt.entryMilliseconds < time - history { return true }
    var before = index
    while before > 0 {
      before -= 1
      let fact = walk[before]
      if fact.timeMilliseconds < time - newAttemptGap { return true }
      if fact.kind != .activity && fact.timeMilliseconds < time { return false }
    }
    return true
  }

  /// Whether the person was there, or had decided, before an attempt that begins at `start`.
  private mutating func isExistingUser(at start: Int64) -> Bool {
    let end = start - leadMilliseconds
    // Facts before this are forgotten, and what began before it is no attempt.
    let since = history == .max ? Int64.min : start - history
    if !existingByActivity {
      let first = since == .min ? 0 : firstIndex(from: since)
      return first < walk.count && walk[first].timeMilliseconds < end
    }
    if earlier.hasDecided(since: since) { return true }
    // Nearly everybody: nothing stands so long before.
    if walk[0].timeMilliseconds >= end { return false }
    if since > .min { earlier.look(again: firstIndex(from: since)) }
    while earlier.checked < walk.count, walk[earlier.checked].timeMilliseconds < end {
      let fact = walk[earlier.checked]
      let shows = fact.kind != .activity || fact.isActivity
      if shows && !earlier.hold(fact.timeMilliseconds, since: since) { return true }
      earlier.checked += 1
    }
    return false
  }
}
