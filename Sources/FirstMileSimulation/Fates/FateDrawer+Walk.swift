import FlowDefinition

extension FateDrawer {
  /// What a person does at the end of a visit.
  private enum Decision {
    case goOn, goBack, skip, leave
  }

  /// Walks through the flow from entry to the outcome.
  mutating func walk() {
    let arm = self.arm
    // Who is outside an experiment with lists of its own is known to have begun by `started`.
    fate.isImplied =
      fate.combination != nil && !fate.isLeftOut && !arm.list.isEmpty
      && random.chance(world.profile.kinds.impliedStart)
    var time = fate.entry
    if !fate.isImplied {
      tell(.started, at: time)
      time += random.milliseconds(20, 400)
      if comesTrue(arm.leavesAtEntry) {
        fate.outcomeTime = time
        return
      }
    }
    guard !arm.list.isEmpty else {
      finish(at: time + 5_000)
      return
    }
    walk(arm, from: time)
  }

  private mutating func walk(_ arm: Arm, from start: Int64) {
    var time = start
    var position = 0
    var backs = 0
    var signInAt = signInPosition(arm)
    var path: [Int] = []
    var reached: EventRecord.Identity = []
    isSwiper = world.profile.tellsNavigation && random.chance(0.35)
    while true {
      view(position, at: time, reached)
      if comesTrue(arm.steps[position].pause), let resumed = pause(position, at: time) {
        time = resumed.time
        if resumed.position != position { path.removeAll() }
        position = resumed.position
      }
      let dwell = dwellTime(arm.steps[position])
      let isDriven = tellVisit(arm, position, at: time, dwell)
      time += dwell
      let canGoBack = backs < 2 && !path.isEmpty
      switch isDriven ? .leave : decide(position, canGoBack) {
      case .leave:
        leave(at: time)
        return
      case .goBack:
        backs += 1
        position = path.removeLast()
        reached = .swiped
      case .skip:
        guard let target = skip(arm, position, at: time) else { return }
        path.append(position)
        position = target
        reached = []
        time += random.milliseconds(5, 60)
      case .goOn:
        decline(arm, position, at: time - dwell / 12)
        if signInAt == position {
          signIn(at: time - dwell / 20)
          signInAt = nil
        }
        reached = navigation()
        guard let next = nextPosition(arm, after: position) else {
          finish(at: time)
          return
        }
        path.append(position)
        position = next
      }
    }
  }

  /// How the next page is reached.
  private mutating func navigation() -> EventRecord.Identity {
    guard world.profile.tellsNavigation else { return [] }
    return random.chance(isSwiper ? 0.9 : 0.12) ? .swiped : .tapped
  }

  private mutating func decide(_ position: Int, _ canGoBack: Bool) -> Decision {
    let step = arm.steps[position]
    let odds =
      world.dayEffects.oddsOfLeaving(at: fate.entry)
      * world.incidents.oddsOfLeaving(
        arm.list[position], at: fate.entry, fate.context[ContextModel.appVersion])
    if comesTrue(step.leave, odds: odds) { return .leave }
    if step.canSkip, !fate.usedSkip, comesTrue(step.skip) { return .skip }
    if canGoBack, comesTrue(step.back) { return .goBack }
    return .goOn
  }

  private mutating func view(
    _ position: Int, at time: Int64, _ reached: EventRecord.Identity = []
  ) {
    let step = arm.list[position]
    let bit: UInt64 = 1 << UInt64(step)
    fate.shown |= bit
    // A view that is lost is none: to the flow's numbers the person never saw the page.
    if losesView(step, position, at: time) { return }
    if fate.viewed & bit != 0, fate.furthest > position { fate.wentBack |= bit }
    fate.viewed |= bit
    fate.furthest = max(fate.furthest, position)
    fate.lastDenied = -1
    let before = fate.records.count
    tell(.viewed, at: time, a: step, b: position, style: pageStyle())
    if world.profile.tellsNavigation, fate.records.count > before {
      fate.records[before].identity.formUnion(reached)
    }
  }

  /// Both name and number on most events, one of them where that is enough.
  mutating func pageStyle() -> EventRecord.Style {
    let isOutside = fate.combination == nil || fate.isLeftOut
    if isOutside { return .nameOnly }
    let drawn = random.unit()
    if drawn < 0.05 { return .nameOnly }
    if drawn < 0.10, world.numbersAreClear { return .numberOnly }
    return drawn < 0.13 ? .nameAndIndex : .usual
  }

  private mutating func dwellTime(_ step: StepChances) -> Int64 {
    let visits = Int64(arm.list.count + 6)
    let longest = max(900, min(20 * World.minute, world.flow.windowMilliseconds / (4 * visits)))
    let drawn = random.logNormal(median: step.medianMilliseconds, sigma: step.sigma)
    return min(longest, max(800, Int64(drawn)))
  }

  /// Called away: more than 30 minutes, or the app is forced to quit, and the same page again.
  private mutating func pause(_ position: Int, at time: Int64) -> (position: Int, time: Int64)? {
    let window = world.flow.windowMilliseconds
    guard !fate.resumed, window >= 8 * 60 * World.minute else { return nil }
    let gap = random.logNormal(median: 2_400_000, sigma: 1)
    let longest = min(window / 8, 10 * 60 * World.minute)
    var resumedAt = time + min(longest, 31 * World.minute + Int64(gap))
    fate.resumed = true
    var position = position
    if random.chance(0.7) {
      fate.session += 1
      if random.chance(0.5) {
        tell(.started, at: resumedAt)
        resumedAt += random.milliseconds(20, 300)
        if comesTrue(arm.startsOver) { position = 0 }
      }
    }
    view(position, at: resumedAt)
    return (position, resumedAt)
  }

  private mutating func nextPosition(_ arm: Arm, after position: Int) -> Int? {
    var next = position + 1
    while next < arm.steps.count {
      let step = arm.steps[next]
      guard step.isOptional else { return next }
      let parent = step.parent >= 0 ? arm.list[step.parent] : -1
      let isOffered = parent < 0 || fate.shown & (1 << UInt64(parent)) != 0
      if isOffered, comesTrue(step.take) { return next }
      next += 1
    }
    return nil
  }

  private mutating func decline(_ arm: Arm, _ position: Int, at time: Int64) {
    let step = arm.steps[position]
    let isDone = step.declineUnless.contains { rule in
      fate.actions[rule.action].map { rule.templates.contains($0.template) } ?? false
    }
    if isDone { return }
    guard step.canDecline, comesTrue(step.decline) else { return }
    let item = step.items.isEmpty ? nil : step.items[random.below(step.items.count)]
    skipStep(position, item: item, at: time)
  }

  /// Skips this step, or one item on it.
  mutating func skipStep(_ position: Int, item: Int?, at time: Int64) {
    let index = arm.list[position]
    // Who never saw the step, as far as is known, can't be counted as declining it.
    fate.declined |= fate.viewed & (1 << UInt64(index))
    fate.lastDenied = -1
    tell(.stepSkipped, at: time, a: index, b: item)
  }

  /// The skip of the rest: the position to jump to, or `nil` where it ended the flow.
  private mutating func skip(_ arm: Arm, _ position: Int, at time: Int64) -> Int? {
    fate.usedSkip = true
    fate.lastDenied = -1
    let step = arm.list[position]
    if case .leadsTo(let target) = world.flow.skip {
      fate.skipStep = step
      tell(.skipped, at: time, a: step, b: position, style: pageStyle())
      return arm.positions[target]
    }
    fate.outcome = .skipped
    fate.outcomeTime = time
    tellSkip(step, position, at: time)
    finishAfterSkip(at: time)
    return nil
  }

  private mutating func tellSkip(_ step: Int, _ position: Int, at time: Int64) {
    if world.profile.skipAlsoCompletes, random.chance(0.04) {
      return tell(.completed, at: time, a: 1)
    }
    if random.chance(0.03) {
      tell(.skipped, at: time)
    } else {
      fate.skipStep = step
      tell(.skipped, at: time, a: step, b: position, style: pageStyle())
    }
    // The app takes the time once for both calls.
    if world.profile.skipAlsoCompletes { tell(.completed, at: time, a: 1) }
  }

  /// Some think better of it and finish all the same.
  private mutating func finishAfterSkip(at time: Int64) {
    let end = time + random.milliseconds(5_000, 90_000)
    guard random.chance(world.profile.finishesAfterSkipping),
      end <= fate.entry + world.flow.windowMilliseconds
    else { return }
    finish(at: end)
  }

  private mutating func finish(at time: Int64) {
    fate.outcome = .finished
    fate.outcomeTime = time
    fate.lastDenied = -1
    tell(.completed, at: time, a: random.chance(0.03) ? nil : 0)
  }

  private mutating func leave(at time: Int64) {
    fate.outcome = .abandoned
    fate.outcomeTime = time
    guard fate.lastDenied >= 0 else { return }
    fate.leftAfterDenial = true
    if fate.permissions[fate.lastDenied].answer == .denied {
      fate.permissions[fate.lastDenied].leftAfterDenial = true
    }
  }

  private mutating func signInPosition(_ arm: Arm) -> Int? {
    let habits = world.profile.identity
    guard fate.signInTime == .max, random.chance(habits.signsIn) else { return nil }
    let step = world.flow.stepIndex(habits.step).map { arm.positions[$0] } ?? -1
    return step >= 0 ? step : random.below(arm.list.count)
  }

  /// From here on lines bear user and device: the first one does, so that they are one person.
  private mutating func signIn(at time: Int64) {
    fate.signInTime = time
    if !actSignIn(at: time) { tell(.activity, at: time, a: 0) }
  }
}
