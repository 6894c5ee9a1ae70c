import FlowDefinition

extension FateDrawer {
  /// What happens while on a step; true where a denial drives the person away.
  mutating func tellVisit(_ arm: Arm, _ position: Int, at time: Int64, _ dwell: Int64) -> Bool {
    let step = arm.steps[position]
    for friction in step.friction where comesTrue(arm.friction[friction]) {
      happen(world.happenings.frictionChoices[friction], at: time + dwell / 5)
    }
    for goal in step.goals where !hasHappened(goal) && comesTrue(arm.goals[goal].onStep) {
      happen(world.happenings.goalChoices[goal], at: time + dwell * 4 / 5)
    }
    act(onStep: position, at: time, dwell)
    let asked = arm.asked[position]
    for (index, permission) in asked.enumerated() where !fate.permissions[permission].wasAsked {
      let part = dwell / Int64(2 * asked.count)
      let from = time + dwell / 4 + Int64(index) * part
      if ask(permission, on: position, from: from, part) { return true }
    }
    return false
  }

  func hasHappened(_ goal: Int) -> Bool {
    let matches = world.matches.goals[goal]
    return fate.happenings.contains { matches[$0.template] }
  }

  /// The story of one permission, within the given time; true where it drives away.
  private mutating func ask(
    _ permission: Int, on position: Int, from time: Int64, _ span: Int64
  ) -> Bool {
    let chances = arm.permissions[permission]
    fate.permissions[permission].wasAsked = true
    if comesTrue(chances.checkedFirst) {
      result(permission, PermissionStatus.notDetermined, at: time, .notPrompted)
    }
    let asked = time + span / 4
    let answered = time + span / 2
    if comesTrue(chances.alreadyDecided) {
      let isGranted = comesTrue(chances.alreadyGranted)
      decide(permission, .alreadyDecided, isGranted: isGranted, isReached: false, at: answered)
      let status = isGranted ? grantedStatus(permission, isDecided: true) : PermissionStatus.denied
      result(permission, status, at: answered, .notPrompted)
      return false
    }
    if comesTrue(chances.notNow) {
      fate.permissions[permission].answer = .notNow
      if chances.notNowItem >= 0 {
        skipStep(position, item: chances.notNowItem, at: answered - 1)
      }
      result(permission, PermissionStatus.notNow, at: answered, .notPrompted)
      return false
    }
    if comesTrue(chances.restricted) {
      decide(permission, .restricted, isGranted: false, isReached: false, at: answered)
      result(permission, PermissionStatus.restricted, at: answered, .usual)
      return false
    }
    if comesTrue(chances.unsaid) {
      decide(permission, .granted, isGranted: true, isReached: false, at: answered)
      result(permission, grantedStatus(permission), at: answered, .usual)
      return false
    }
    if comesTrue(chances.provisional) {
      decide(permission, .alreadyDecided, isGranted: true, isReached: false, at: answered)
      result(permission, PermissionStatus.provisional, at: answered, .notPrompted)
      return false
    }
    return prompt(permission, asked: asked, answered: answered, again: time + span * 3 / 4)
  }

  /// The system asks.
  private mutating func prompt(
    _ permission: Int, asked: Int64, answered: Int64, again: Int64
  ) -> Bool {
    let chances = arm.permissions[permission]
    // Where an app looks at the status before it asks, Android calls it denied.
    if random.chance(world.profile.checksStatusFirst) {
      let checked = asked - 1
      decide(permission, .alreadyDecided, isGranted: false, isReached: true, at: checked)
      result(permission, PermissionStatus.denied, at: checked, .notPrompted)
    }
    fate.permissions[permission].isReached = true
    fate.lastDenied = -1
    if comesTrue(chances.unanswered) {
      tell(.prompted, at: asked, a: permission)
      return false
    }
    // Some apps send the prompt, some say `prompted: true`, most do both.
    let telling = random.unit()
    if telling < 0.9 { tell(.prompted, at: asked, a: permission) }
    let style: EventRecord.Style = telling < 0.2 ? .usual : .prompted
    if comesTrue(chances.error) {
      decide(permission, .error, isGranted: false, isReached: true, at: answered)
      result(permission, PermissionStatus.error, at: answered, style)
      if random.chance(0.5) {
        result(permission, grantedStatus(permission), at: again, .prompted)
      }
      return false
    }
    let slot = fate.usedSkip ? chances.grantedAfterSkip : chances.granted
    if comesTrue(slot) {
      decide(permission, .granted, isGranted: true, isReached: true, at: answered)
      result(permission, grantedStatus(permission), at: answered, style)
      return false
    }
    decide(permission, .denied, isGranted: false, isReached: true, at: answered)
    result(permission, PermissionStatus.denied, at: answered, style)
    return comesTrue(chances.leavesAfterDenial)
  }

  /// Notes the decisive answer.
  private mutating func decide(
    _ permission: Int, _ answer: Fate.PermissionClass, isGranted: Bool, isReached: Bool,
    at time: Int64
  ) {
    fate.permissions[permission].answer = answer
    fate.permissions[permission].isGranted = isGranted
    fate.permissions[permission].isReached = isReached
    let isDenied = answer == .denied || (answer == .alreadyDecided && !isGranted)
    fate.permissions[permission].deniedAt = isDenied ? time : nil
  }

  private mutating func result(
    _ permission: Int, _ status: Int, at time: Int64, _ style: EventRecord.Style
  ) {
    fate.lastDenied = status == PermissionStatus.denied ? permission : -1
    tell(.result, at: time, a: permission, b: status, style: style)
  }

  private mutating func grantedStatus(_ permission: Int, isDecided: Bool = false) -> Int {
    let id = world.flow.permissions[permission]
    let habits = world.profile.permissions[id] ?? world.profile.genericPermission
    let details = isDecided ? habits.decidedDetails + habits.grantedDetails : habits.grantedDetails
    guard !details.isEmpty else { return PermissionStatus.granted }
    let detail = details[random.below(details.count)]
    return PermissionStatus.names.firstIndex(of: detail) ?? PermissionStatus.granted
  }

  /// Granted in the Settings: later on the day of the attempt, or after a denial within 30 days.
  mutating func answerLater() {
    let window = world.flow.windowMilliseconds
    for permission in fate.permissions.indices {
      let chances = arm.permissions[permission]
      let answer = fate.permissions[permission].answer
      if arm.asksFor[permission], fate.outcome != .abandoned,
        answer == .notNow || answer == .noResult,
        window > 3 * 60 * World.minute, comesTrue(chances.answersLater)
      {
        let latest = min(6 * 60 * World.minute, window / 3)
        let time = fate.outcomeTime + random.milliseconds(5 * World.minute, latest)
        tell(.prompted, at: time, a: permission)
        grantInSettings(permission, at: time + 3_000, .promptedInSettings)
        decide(permission, .granted, isGranted: true, isReached: true, at: time + 3_000)
      }
      if let denied = fate.permissions[permission].deniedAt, window < 28 * World.day,
        comesTrue(chances.recovers)
      {
        let earliest = denied + window + 60 * World.minute
        let time = random.milliseconds(earliest, denied + 30 * World.day)
        grantInSettings(permission, at: time, .settings)
        fate.permissions[permission].recovers = true
      }
    }
  }

  private mutating func grantInSettings(
    _ permission: Int, at time: Int64, _ style: EventRecord.Style
  ) {
    let template = world.happenings.settingsGrants[permission]
    fate.happenings.append(Fate.Happening(time: time, template: template))
    let status = world.happenings.table.templates[template].value(of: "status") ?? ""
    tell(
      .result, at: time, a: permission,
      b: PermissionStatus.names.firstIndex(of: status) ?? PermissionStatus.granted, style: style)
  }
}
