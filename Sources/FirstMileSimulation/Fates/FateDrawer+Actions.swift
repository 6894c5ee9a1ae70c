import FlowDefinition

extension FateDrawer {
  /// What happens while on a step, besides walking on.
  mutating func act(onStep position: Int, at time: Int64, _ dwell: Int64) {
    let here = arm.stepActions[position]
    for (place, index) in here.enumerated() where fate.actions[index] == nil {
      guard isReady(index), comesTrue(arm.actions[index].outcomes[0]) else { continue }
      // One after the other, and none before what it depends on.
      perform(index, at: time + dwell * Int64(2 + 7 * place / max(1, here.count)) / 10)
    }
  }

  /// What happens before the entry: installed, for example.
  mutating func actBefore() {
    for index in world.happenings.actions.before where comesTrue(arm.actions[index].outcomes[0]) {
      perform(index, at: fate.entry - random.milliseconds(2_000, 20_000))
    }
  }

  /// What follows the outcome.
  mutating func actLater() {
    let actions = world.happenings.actions.list
    for (index, action) in actions.enumerated() {
      let slot = arm.actions[index].outcomes[Int(fate.outcome.rawValue)]
      guard slot >= 0, isLater(action), fate.actions[index] == nil, isReady(index) else { continue }
      guard comesTrue(slot) else { continue }
      let before = action.after.flatMap { fate.actions[$0]?.time }
      switch action.habits.moment {
      case .later(let median):
        let delay = random.logNormal(median: median, sigma: 0.9)
        perform(index, at: (before ?? fate.outcomeTime) + 1 + Int64(min(delay, 4e9)))
      case .days(let first, let last):
        let base = before ?? fate.entry
        perform(
          index,
          at: random.milliseconds(
            base + Int64(first) * World.day, base + Int64(last) * World.day))
      case .onStep, .beforeEntry, .signIn: continue
      }
      recur(index)
    }
  }

  /// Repeats one of the actions that people repeat, on a visit.
  mutating func actAgain(at time: Int64) {
    let repeated = world.happenings.actions.repeated
    guard !repeated.isEmpty else { return }
    let index = repeated[random.below(repeated.count)]
    let action = world.happenings.actions.list[index]
    guard random.chance(action.habits.again), arm.actions[index].outcomes[0] >= 0 else { return }
    let base = action.after.flatMap { fate.actions[$0]?.template }
    guard let template = action.choice(after: base)?.draw(&random) else { return }
    happen(template: template, at: time)
  }

  /// Signs in with the event that the app sends for it; false where it has none of its own.
  mutating func actSignIn(at time: Int64) -> Bool {
    var acted = false
    for index in world.happenings.actions.signIns where comesTrue(arm.actions[index].outcomes[0]) {
      perform(index, at: time)
      acted = true
    }
    return acted
  }

  private func isLater(_ action: ActionPlan.Action) -> Bool {
    switch action.habits.moment {
    case .later, .days: true
    case .onStep, .beforeEntry, .signIn: false
    }
  }

  /// Whether what it depends on has happened.
  private func isReady(_ index: Int) -> Bool {
    let action = world.happenings.actions.list[index]
    if let unless = action.unless, fate.actions[unless] != nil { return false }
    guard let after = action.after else { return true }
    guard let base = fate.actions[after] else { return false }
    return action.choice(after: base.template) != nil
  }

  private mutating func perform(_ index: Int, at time: Int64) {
    let action = world.happenings.actions.list[index]
    let base = action.after.flatMap { fate.actions[$0]?.template }
    guard let template = action.choice(after: base)?.draw(&random) else { return }
    // What follows from it looks at what happened, not at what was sent.
    let at = happen(template: template, at: time)
    fate.actions[index] = Fate.Happening(time: at, template: template)
  }

  private mutating func recur(_ index: Int) {
    let slot = arm.actions[index].recurs
    let action = world.happenings.actions.list[index]
    guard slot >= 0, let days = action.habits.recurs?.days, let first = fate.actions[index] else {
      return
    }
    var time = first.time + Int64(days) * World.day
    while time <= world.horizon, comesTrue(slot) {
      happen(template: first.template, at: time)
      time += Int64(days) * World.day
    }
  }
}
