import FlowDefinition

extension FateDrawer {
  /// Visits on later days: how often and how long is the person's own.
  mutating func comeBack() {
    if random.chance(0.5) { visit(at: fate.outcomeTime + random.milliseconds(60_000, 7_200_000)) }
    guard let loyalty = drawLoyalty() else { return }
    let habits = world.profile.returns.loyalties[loyalty]
    let lifetime = random.exponential(mean: habits.meanDays)
    let known = Int(DayClock.floor(world.horizon - fate.entry, World.day))
    let last = min(known, max(1, Int(lifetime.rounded(.up))))
    updateApp(within: fate.entry + Int64(lifetime * Double(World.day)))
    guard last >= 1 else { return }
    let slot = arm.returns[loyalty]
    for day in 1...last {
      let morning = fate.entry + Int64(day) * World.day
      let time = morning + random.milliseconds(0, World.day - 30 * World.minute)
      guard comesTrue(slot, odds: world.dayEffects.oddsOfReturning(at: time)) else { continue }
      fate.session = UInt8(truncatingIfNeeded: 16 + day % 200)
      let before = fate.records.count
      visit(at: time)
      repeatGoal(at: time + 150_000)
      actAgain(at: time + 170_000)
      if fate.hasSecondDevice, day > 1, fate.signInTime < time, random.chance(0.6) {
        for index in before..<fate.records.count
        where fate.records[index].identity.contains([.user, .device]) {
          fate.records[index].identity.insert(.secondDevice)
        }
      }
    }
  }

  private mutating func drawLoyalty() -> Int? {
    let slots = arm.loyalties[Int(fate.outcome.rawValue)]
    for (loyalty, slot) in slots.enumerated() where comesTrue(slot) { return loyalty }
    return nil
  }

  /// The next release is installed, and what is new is presented.
  private mutating func updateApp(within life: Int64) {
    guard let habits = world.profile.whatsNew, world.context.hasReleases else { return }
    let code = Int(fate.context[ContextModel.appVersion])
    let releases = world.profile.dayHabits.releases
    guard code + 1 < releases.count, code < world.happenings.updates.count else { return }
    let released = world.start + Int64(releases[code + 1].day) * World.day
    let earliest = max(released, fate.outcomeTime + World.day + 60 * World.minute)
    guard earliest < min(life, world.horizon), comesTrue(arm.updates) else { return }
    var time = earliest + random.milliseconds(0, 5 * World.day)
    fate.updateTime = time
    fate.updatedVersion = UInt8(truncatingIfNeeded: code + 1)
    fate.session = 10
    happen(template: world.happenings.updates[code], at: time)
    for template in world.happenings.whatsNew {
      if template != world.happenings.whatsNew.first, random.chance(habits.leaves) { return }
      time += random.milliseconds(1_500, 9_000)
      happen(template: template, at: time)
    }
  }

  /// Another device of the same person shows the onboarding too, as nothing was made on the first.
  mutating func onboardAgain() -> Bool {
    guard world.profile.secondOnboarding > 0, fate.outcome == .skipped, fate.hasSecondDevice,
      world.flow.identity != .device, !fate.isUserOnly, fate.signInTime < fate.outcomeTime,
      comesTrue(arm.secondOnboarding)
    else { return false }
    let before = fate.records.count
    fate.session = 9
    let window = world.flow.windowMilliseconds
    var time = fate.entry + window + random.milliseconds(2 * 60 * World.minute, 8 * World.day)
    fate.replayTime = time
    let template = world.happenings.secondStart
    fate.happenings.append(Fate.Happening(time: time, template: template))
    tell(.started, at: time, a: template)
    let list = arm.list
    let last = random.chance(0.7) ? list.count : 1 + random.below(list.count)
    for (position, step) in list.enumerated().prefix(last) {
      time += random.milliseconds(2_000, 15_000)
      tell(.viewed, at: time, a: step, b: position, style: pageStyle())
    }
    if last == list.count { tell(.completed, at: time + 4_000, a: 0) }
    for index in before..<fate.records.count where fate.records[index].identity.contains(.device) {
      fate.records[index].identity.insert(.secondDevice)
    }
    return true
  }
}
