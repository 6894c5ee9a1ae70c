internal import FlowDefinition

/// Steps, skips, resumes and time on step of an attempt (definitions 5.6, 5.7, 7, 10).
extension AttemptEvaluator {
  /// What the walk over the onboarding facts of an attempt has to remember.
  private struct StepWalk {
    var openStep = -1
    var openedAt: Int64 = 0
    var previousTime = Int64.min
    var sessions = SessionWalk()
    var hasStarted = false
    var lastIsDenial = false
    var hasSkipFact = false
    /// Steps that were viewed and not yet gone on from; their times of first view stand in
    /// `moveOnMilliseconds`.
    var waiting: UInt64 = 0
    /// The last step of the person's list that was viewed; −1 for none.
    var lastViewed = -1
    /// The millisecond at hand, the last step viewed before it, and the first viewed in it: facts
    /// of one millisecond that differ in their session stand in no order. −1 for none.
    var moment = Int64.min
    var viewedBefore = -1
    var firstHere = -1
    /// The person came back to the attempt since the last view before this millisecond.
    var hasResumed = false
    /// The step that was left before the person first came back, until the next view; −1 for none.
    var leftAt = -1

    /// Goes on to a fact's millisecond.
    mutating func advance(to time: Int64) {
      if time == moment { return }
      (moment, viewedBefore, firstHere) = (time, lastViewed, -1)
    }
  }

  mutating func findSteps() {
    attempt.viewed = 0
    attempt.wentBack = 0
    attempt.declined = 0
    attempt.furthestPlace = -1
    attempt.skipPage = -1
    attempt.usedSkip = false
    attempt.isResumed = false
    attempt.resumedInPlace = nil
    for step in attempt.stepMilliseconds.indices {
      attempt.stepMilliseconds[step] = -1
      attempt.moveOnMilliseconds[step] = -1
    }
    stepVisits?.removeAll()
    forgetTransitions()
    var state = StepWalk()
    for index in attemptRange where walk[index].kind != .activity {
      let fact = walk[index]
      let isSameMoment = fact.timeMilliseconds == state.previousTime
      if isSameMoment && fact.isTwin(of: walk[index - 1]) { continue }
      if fact.timeMilliseconds != state.moment { arrive(&state) }
      state.advance(to: fact.timeMilliseconds)
      let resumes = isResume(fact, &state)
      if resumes { state.hasResumed = true }
      if resumes && !attempt.isResumed {
        attempt.isResumed = true
        state.leftAt = state.viewedBefore
        if state.firstHere >= 0 { comeBack(to: state.firstHere, &state) }
      }
      if resumes || fact.kind == .viewed || fact.kind == .skipped || fact.kind == .completed {
        close(&state, at: fact.timeMilliseconds)
      }
      take(fact, &state)
    }
    arrive(&state)
    noteEnd(from: state.lastViewed)
    endWaiting(state)
    if state.openStep >= 0 { keepVisit(state, end: nil) }
    attempt.endsWithDenial = state.lastIsDenial
    attempt.declined &= attempt.viewed
  }

  private mutating func take(_ fact: WalkFact, _ state: inout StepWalk) {
    let action = compiled.actions[fact.action]
    state.lastIsDenial = fact.kind == .permissionResult && action.status == .denied
    switch fact.kind {
    case .viewed:
      guard fact.page >= 0 else { return }
      let step = Int(fact.page)
      let place = compiled.lists.place(attempt.list, step)
      if place < 0 {
        quality.viewsOutsideList += 1
        return
      }
      comeBack(to: step, &state)
      if state.firstHere < 0 {
        state.firstHere = step
      } else {
        noteMove(from: state.lastViewed, to: step, isReturn: false)
      }
      state.lastViewed = step
      moveOn(&state, at: fact.timeMilliseconds, to: place)
      if attempt.viewed & (1 << UInt64(step)) == 0 {
        state.waiting |= 1 << UInt64(step)
        attempt.moveOnMilliseconds[step] = fact.timeMilliseconds
      }
      view(step, place)
      if place == attempt.furthestPlace { furthestViewedAt = fact.timeMilliseconds }
      state.openStep = step
      state.openedAt = fact.timeMilliseconds
    case .stepSkipped:
      if fact.page >= 0 { attempt.declined |= 1 << UInt64(fact.page) }
    case .skipped:
      attempt.usedSkip = true
      // Where a tap and a completion both report the skip, the first tap's page counts.
      if !state.hasSkipFact { attempt.skipPage = skipPage(fact) }
      compareSkip(fact, action, lastViewed: state.lastViewed)
      state.hasSkipFact = true
    case .completed where action.completesBySkipping:
      attempt.usedSkip = true
      compareSkip(fact, action, lastViewed: state.lastViewed)
      if attempt.skipPage < 0 { attempt.skipPage = skipPage(fact) }
    default:
      break
    }
  }

  /// Notes the way to the first step that was viewed in the millisecond at hand, once all of it is
  /// known: facts that stand behind the view may say that the person has come back.
  private mutating func arrive(_ state: inout StepWalk) {
    guard state.firstHere >= 0 else { return }
    noteMove(
      from: state.viewedBefore, to: state.firstHere,
      isReturn: state.hasResumed && state.viewedBefore >= 0)
    state.hasResumed = false
  }

  /// Notes for the steps before a place of the person's list that the person has gone on from them.
  private mutating func moveOn(_ state: inout StepWalk, at time: Int64, to place: Int) {
    var waiting = state.waiting
    while waiting != 0 {
      let step = waiting.trailingZeroBitCount
      waiting &= waiting - 1
      guard compiled.lists.place(attempt.list, step) < place else { continue }
      attempt.moveOnMilliseconds[step] = time - attempt.moveOnMilliseconds[step]
      state.waiting &= ~(1 << UInt64(step))
    }
  }

  /// What finishing means for the steps that are left: who finishes has gone on from all of them.
  private mutating func endWaiting(_ state: StepWalk) {
    var waiting = state.waiting
    while waiting != 0 {
      let step = waiting.trailingZeroBitCount
      waiting &= waiting - 1
      attempt.moveOnMilliseconds[step] =
        attempt.outcome.isFinished
        ? attempt.endMilliseconds - attempt.moveOnMilliseconds[step] : Attempt.never
    }
  }

  private mutating func view(_ step: Int, _ place: Int) {
    let bit: UInt64 = 1 << UInt64(step)
    if attempt.viewed & bit != 0 && attempt.furthestPlace > place { attempt.wentBack |= bit }
    attempt.viewed |= bit
    attempt.furthestPlace = max(attempt.furthestPlace, place)
  }

  private mutating func skipPage(_ fact: WalkFact) -> Int {
    fact.page >= 0 ? Int(fact.page) : compiled.flow.steps.count
  }

  /// Notes the first page that a person comes back to.
  private mutating func comeBack(to step: Int, _ state: inout StepWalk) {
    guard state.leftAt >= 0 else { return }
    attempt.resumedInPlace = step == state.leftAt
    state.leftAt = -1
  }

  /// Counts a skip's number that names another page than the one viewed last. People can't skip
  /// on a page that they don't see: the app counts otherwise than the flow says.
  private mutating func compareSkip(
    _ fact: WalkFact, _ action: CompiledAction, lastViewed: Int
  ) {
    guard action.namedStep == CompiledPage.none, action.place >= 0, lastViewed >= 0 else { return }
    quality.numberedSkips += 1
    let place = compiled.lists.place(attempt.list, lastViewed)
    if place == Int(action.place) { return }
    quality.skipPageConflicts += 1
    if action.isIndex { return }
    if place == Int(action.place) + 1 { quality.skipPagesOneEarly += 1 }
    if place == Int(action.place) - 1 { quality.skipPagesOneLate += 1 }
  }

  /// Whether the person comes back into the attempt with this fact.
  private mutating func isResume(_ fact: WalkFact, _ state: inout StepWalk) -> Bool {
    var resumes = false
    if fact.kind == .started {
      resumes = state.hasStarted
      state.hasStarted = true
    }
    if fact.session != 0 && state.sessions.begins(fact.session, at: fact.timeMilliseconds) {
      resumes = true
    }
    if state.previousTime != .min,
      fact.timeMilliseconds - state.previousTime > AttemptEvaluator.resumeGapMilliseconds
    {
      resumes = true
    }
    state.previousTime = fact.timeMilliseconds
    return resumes
  }

  private mutating func close(_ state: inout StepWalk, at time: Int64) {
    guard state.openStep >= 0 else { return }
    let spent = time - state.openedAt
    let isCounted = spent <= AttemptEvaluator.resumeGapMilliseconds
    if isCounted {
      let sum = max(attempt.stepMilliseconds[state.openStep], 0)
      attempt.stepMilliseconds[state.openStep] = sum + spent
    }
    keepVisit(state, end: isCounted ? time : nil)
    state.openStep = -1
  }

  private mutating func keepVisit(_ state: StepWalk, end: Int64?) {
    stepVisits?.append(
      StepVisit(step: state.openStep, startMilliseconds: state.openedAt, endMilliseconds: end))
  }
}
