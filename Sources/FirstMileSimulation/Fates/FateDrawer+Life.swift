import FlowDefinition

extension FateDrawer {
  /// Installed, and, for a few, given another variant besides their own: before the first screen
  /// where that leaves them out, else after their own.
  mutating func tellWhatComesBefore() {
    for choice in world.happenings.anchorChoices where random.chance(0.97) {
      happen(choice, at: fate.entry - random.milliseconds(2_000, 20_000))
    }
    actBefore()
    if fate.isContaminated, world.flow.windowMilliseconds >= 1_000 {
      let time = fate.isLeftOut ? fate.entry - 1_000 : fate.entry + 1
      tell(.activity, at: time, a: world.names.visits[0])
      if let last = fate.records.indices.last {
        fate.records[last].identity.insert(.otherVariant)
      }
    }
  }

  /// An existing user: seen earlier than the lead of the entry.
  mutating func visitLongBefore() {
    let lead = world.flow.leadMilliseconds
    let first = world.start + lead + 2 * World.day
    fate.entry = random.milliseconds(first, world.horizon - 1_000)
    let latest = fate.entry - lead - 60 * World.minute
    visit(at: random.milliseconds(max(world.start, latest - 20 * World.day), latest))
  }

  /// Onboarding facts without an entry: the dump begins in the middle of it.
  mutating func walkAsOrphan() {
    let arm = self.arm
    fate.entry = world.start + random.milliseconds(World.minute, World.day / 2)
    var time = min(fate.entry, world.horizon - 10 * World.minute)
    for (position, step) in arm.list.enumerated().dropFirst(1 + random.below(2)) {
      guard random.chance(0.85) else { break }
      tell(.viewed, at: time, a: step, b: position, style: pageStyle())
      time += random.milliseconds(3_000, 30_000)
    }
    tell(.completed, at: time, a: 0)
    fate.outcomeTime = time
  }

  /// A visit of the app: one event or more, in a session of its own.
  mutating func visit(at time: Int64) {
    var time = time
    for _ in 0...random.below(2) {
      let name = world.names.visits[random.index(cumulated: world.names.visitsCumulated)]
      tell(.activity, at: time, a: name)
      time += random.milliseconds(2_000, 120_000)
    }
  }

  /// All that follows the attempt, as far as the dump goes.
  mutating func liveOn() {
    fate.session = 8
    answerLater()
    reachGoals()
    actLater()
    comeBack()
    comeBackForEvents()
    if fate.outcome == .abandoned {
      completeLate()
    } else if !onboardAgain() {
      replay()
    }
    receiveSilently()
    markUpdate()
  }

  private mutating func reachGoals() {
    for (index, goal) in world.flow.goals.enumerated() {
      let slot = arm.goals[index].outcomes[Int(fate.outcome.rawValue)]
      guard slot >= 0, !hasHappened(index) else { continue }
      var base = fate.outcomeTime
      if case .goal(let anchor) = goal.anchor {
        guard let reached = firstHappening(of: anchor) else { continue }
        base = reached
      }
      guard comesTrue(slot) else { continue }
      let habits = world.profile.goals[goal.id] ?? world.profile.genericGoal
      switch habits.moment {
      case .later(let median):
        let delay = random.logNormal(median: median, sigma: 1.1)
        happen(world.happenings.goalChoices[index], at: base + 1 + Int64(min(delay, 2e9)))
      case .step:
        let delay = random.logNormal(median: 900_000, sigma: 1.2)
        happen(world.happenings.goalChoices[index], at: base + 1 + Int64(min(delay, 2e9)))
      case .days(let first, let last):
        let from = base + Int64(first) * World.day
        happen(
          world.happenings.goalChoices[index],
          at: random.milliseconds(from, base + Int64(last) * World.day))
      }
    }
  }

  func firstHappening(of goal: Int) -> Int64? {
    let matches = world.matches.goals[goal]
    return fate.happenings.filter { matches[$0.template] }.map(\.time).min()
  }

  /// Lines after the update name the app's new version.
  private mutating func markUpdate() {
    guard fate.updateTime < .max else { return }
    for index in fate.records.indices where fate.records[index].time >= fate.updateTime {
      fate.records[index].identity.insert(.updated)
    }
  }

  mutating func repeatGoal(at time: Int64) {
    guard !world.flow.goals.isEmpty else { return }
    let goal = random.below(world.flow.goals.count)
    guard world.happenings.goalChoices[goal] != nil else { return }
    let habits = world.profile.goals[world.flow.goals[goal].id] ?? world.profile.genericGoal
    guard random.chance(habits.again) else { return }
    happen(world.happenings.goalChoices[goal], at: time)
  }

  /// Retention measures with an event of their own: it happens on a day of the bracket.
  private mutating func comeBackForEvents() {
    for (index, measure) in world.flow.retention.enumerated() {
      let slot = arm.retentionEvents[index]
      guard slot >= 0 else { continue }
      var anchor = fate.entry
      if case .goal(let goal) = measure.anchor {
        guard let reached = firstHappening(of: goal) else { continue }
        anchor = reached
      }
      guard comesTrue(slot) else { continue }
      let days = measure.window.days
      let from = anchor + Int64(days.start) * World.day
      let time = random.milliseconds(from, anchor + Int64(days.end) * World.day - 1)
      happen(world.happenings.retentionChoices[index], at: time)
    }
  }

  private mutating func completeLate() {
    guard fate.furthest >= 0, comesTrue(arm.completesLate) else { return }
    fate.session = 6
    let end = fate.entry + world.flow.windowMilliseconds
    var time = end + random.milliseconds(60 * World.minute, 5 * World.day)
    let list = arm.list
    for (position, step) in list.enumerated().dropFirst(max(0, fate.furthest)) {
      tell(.viewed, at: time, a: step, b: position, style: pageStyle())
      time += random.milliseconds(3_000, 20_000)
    }
    tell(.completed, at: time, a: 0)
    fate.lateCompletionTime = time
  }

  private mutating func replay() {
    guard comesTrue(arm.replay) else { return }
    fate.session = 7
    // A start that comes later begins another attempt.
    let latest = min(20 * World.day, world.flow.newAttemptAfterMilliseconds ?? .max)
    let earliest = min(120 * World.minute, latest / 2)
    var time = fate.outcomeTime + random.milliseconds(earliest, latest)
    fate.replayTime = time
    tell(.started, at: time)
    let list = arm.list
    let last = random.below(list.count + 1)
    for (position, step) in list.enumerated().prefix(last) {
      time += random.milliseconds(2_000, 15_000)
      tell(.viewed, at: time, a: step, b: position, style: pageStyle())
    }
    // Who skipped and finishes within the window has not skipped.
    let isReplay =
      fate.outcome != .skipped || time + 4_000 > fate.entry + world.flow.windowMilliseconds
    if last == list.count, isReplay { tell(.completed, at: time + 4_000, a: 0) }
  }

  /// Events that show nothing of the person, such as a push that was delivered.
  private mutating func receiveSilently() {
    guard !world.names.silent.isEmpty else { return }
    while random.chance(0.35) {
      let time = fate.entry + random.milliseconds(World.day / 2, 31 * World.day)
      tell(.activity, at: time, a: world.names.silent[random.below(world.names.silent.count)])
    }
  }
}
