import FlowDefinition

extension World {
  mutating func addActions(to arm: inout Arm, _ label: String) {
    let marks = Set(label.split(separator: " ").map(String.init))
    for action in happenings.actions.list {
      let habits = action.habits
      let isHere = habits.only.map(marks.contains) ?? true
      var isPossible = isHere
      var position = -1
      if case .onStep = habits.moment {
        position = action.step.map { arm.positions[$0] } ?? -1
        isPossible = isHere && position >= 0
      }
      guard isPossible else {
        arm.actions.append(ActionChances(outcomes: [-1, -1, -1], recurs: -1))
        continue
      }
      let factor = action.isGain && habits.after == nil ? arm.effect.goals : 1
      func slot(_ given: String, _ chance: Double) -> Int {
        // What always happens does; a gain makes nothing certain.
        let gained = chance >= 1 ? 1 : min(0.98, chance * factor)
        return book.add("action", of: habits.id, given: given, arm: label, gained)
      }
      var outcomes: [Int]
      switch habits.moment {
      case .beforeEntry, .signIn: outcomes = [slot("", habits.chances[0]), -1, -1]
      case .onStep: outcomes = [slot("on step", habits.chances[0]), -1, -1]
      case .later, .days:
        outcomes = zip(Outcome.allCases, habits.chances).map { outcome, chance in
          slot("outcome=\(outcome.name)", chance)
        }
      }
      let recurs = habits.recurs.map {
        book.add("action", of: habits.id, given: "once more", arm: label, $0.chance)
      }
      if position >= 0 { arm.stepActions[position].append(arm.actions.count) }
      arm.actions.append(ActionChances(outcomes: outcomes, recurs: recurs ?? -1))
    }
  }

  mutating func addReturns(to arm: inout Arm, _ label: String) {
    let habits = profile.returns
    let factors = [habits.finished, habits.skipped, habits.abandoned]
    for outcome in Outcome.allCases {
      // Each loyalty is drawn of those whom the ones before left over.
      var rest = 1.0
      var slots: [Int] = []
      for loyalty in habits.loyalties {
        let factor = factors[Int(outcome.rawValue)] * arm.effect.returning
        let share = min(rest, loyalty.share * factor)
        slots.append(
          book.add(
            "loyalty", of: loyalty.name, given: "outcome=\(outcome.name)", arm: label,
            rest > 0 ? share / rest : 0))
        rest -= share
      }
      arm.loyalties.append(slots)
    }
    arm.returns = habits.loyalties.map { loyalty in
      book.add("return", of: "a day", given: "loyalty=\(loyalty.name)", arm: label, loyalty.daily)
    }
    arm.updates = book.add("update", of: "", arm: label, profile.whatsNew?.updates ?? 0)
    arm.secondOnboarding = book.add(
      "second_onboarding", of: "", arm: label, profile.secondOnboarding)
    arm.startsOver = book.add("start_over", of: "", arm: label, profile.startsOver)
    arm.retentionEvents = flow.retention.indices.map { index in
      guard happenings.retentionChoices[index] != nil else { return -1 }
      return book.add(
        "return", of: flow.retention[index].id, given: "anchored", arm: label,
        0.42 * arm.effect.returning)
    }
  }

  /// The version that was the newest on a day, by its place among the releases.
  func newestRelease(at time: Int64) -> Int {
    let day = Int(DayClock.floor(time - start, World.day))
    return profile.dayHabits.releases.lastIndex { $0.day <= day } ?? 0
  }
}
