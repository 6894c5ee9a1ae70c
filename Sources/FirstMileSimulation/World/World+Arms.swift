import FlowDefinition

extension World {
  /// Adds the arm of a version and some variants (`nil`: outside the experiments).
  mutating func addArm(version: Int, variants: [Int]?) {
    var effect = versions[version].name.flatMap { profile.effects[$0] } ?? Effect()
    var list = versions[version].list
    var hasOwnList = false
    var label = "version=\(versions[version].label)"
    for (experiment, index) in zip(flow.experiments, variants ?? []) {
      let variant = experiment.variants[index]
      label += " \(experiment.id)=\(variant.id)"
      let named = profile.effects["\(experiment.id)=\(variant.id)"]
      if let change = named ?? profile.effects[variant.id], index != experiment.control {
        effect = effect.times(change)
      }
      if !hasOwnList, let steps = variant.steps {
        list = steps
        hasOwnList = true
      }
    }
    if variants == nil { label += " outside" }
    var positions = Array(repeating: -1, count: flow.steps.count)
    for (position, step) in list.enumerated() { positions[step] = position }
    var arm = Arm(
      version: version, variants: variants ?? [], list: list, positions: positions, effect: effect)
    arm.replay = book.add("replay", of: "", arm: label, profile.replay)
    arm.completesLate = book.add("complete_late", of: "", arm: label, profile.completesLate)
    arm.leavesAtEntry = book.add("leave", of: "(entry)", arm: label, profile.kinds.leavesAtEntry)
    addPermissions(to: &arm, label)
    addGoals(to: &arm, label)
    addReturns(to: &arm, label)
    arm.stepActions = Array(repeating: [], count: list.count)
    addActions(to: &arm, label)
    for position in list.indices { addStep(to: &arm, position, label) }
    arms.append(arm)
  }

  private mutating func addStep(to arm: inout Arm, _ position: Int, _ label: String) {
    let step = flow.steps[arm.list[position]]
    // A page may be another one in an older version.
    let own = profile.steps["\(versions[arm.version].label)/\(step.id)"]
    let habits = own ?? profile.steps[step.id] ?? profile.genericStep
    let parent = step.branchOf.map { arm.positions[$0] } ?? -1
    var canSkip = habits.skip > 0
    if case .leadsTo(let target) = flow.skip, position >= arm.positions[target] { canSkip = false }
    let decline = habits.decline > 0 ? habits.decline : (step.isOptional ? 0.3 : 0)
    let expected = Double(step.expectedMilliseconds ?? 15_000)
    func slot(_ chance: String, _ probability: Double, _ book: inout ChanceBook) -> Int {
      book.add(chance, of: step.id, arm: label, probability)
    }
    arm.steps.append(
      StepChances(
        leave: slot("leave", habits.leave * arm.effect.leave, &book),
        skip: slot("skip", habits.skip * arm.effect.skip, &book),
        back: slot("go_back", habits.back, &book), decline: slot("decline", decline, &book),
        take: slot("take", habits.take, &book), pause: slot("pause", profile.pause, &book),
        canDecline: decline > 0, canSkip: canSkip,
        isOptional: step.isOptional || step.branchOf != nil, parent: parent,
        declineUnless: habits.declineUnless.compactMap(happenings.satisfying),
        items: habits.items.map { item($0) },
        medianMilliseconds: expected * habits.pace * arm.effect.pace, sigma: habits.sigma,
        goals: flow.goals.indices.filter { arm.goals[$0].onStep >= 0 && isGoal($0, on: step.id) },
        friction: flow.friction.indices.filter {
          arm.friction[$0] >= 0 && frictionStep($0, arm) == arm.list[position]
        }))
  }

  mutating func item(_ name: String) -> Int {
    if let known = items.firstIndex(of: name) { return known }
    items.append(name)
    return items.count - 1
  }

  private func isGoal(_ goal: Int, on step: String) -> Bool {
    let habits = profile.goals[flow.goals[goal].id] ?? profile.genericGoal
    if case .step(let id) = habits.moment { return id == step }
    return false
  }

  /// The step a friction happens on: the declared one, else the second of the list.
  private func frictionStep(_ friction: Int, _ arm: Arm) -> Int {
    flow.friction[friction].step ?? arm.list[min(1, arm.list.count - 1)]
  }

  private mutating func addPermissions(to arm: inout Arm, _ label: String) {
    arm.asked = Array(repeating: [], count: arm.list.count)
    for (index, permission) in flow.permissions.enumerated() {
      let habits = profile.permissions[permission] ?? profile.genericPermission
      let asking = arm.list.firstIndex { flow.steps[$0].asks.contains(permission) }
      let other = arm.list.firstIndex { habits.askedOn.contains(flow.steps[$0].id) }
      if let position = asking ?? other { arm.asked[position].append(index) }
      arm.asksFor.append((asking ?? other) != nil)
      let factor = arm.effect.grant
      let notNowItem = habits.notNowItem.map { item($0) } ?? -1
      func slot(_ chance: String, _ given: String, _ p: Double, _ book: inout ChanceBook) -> Int {
        book.add(chance, of: permission, given: given, arm: label, p)
      }
      arm.permissions.append(
        PermissionChances(
          checkedFirst: slot("checked_first", "", habits.checkedFirst, &book),
          alreadyDecided: slot("already_decided", "asked", habits.alreadyDecided, &book),
          alreadyGranted: slot("granted", "already_decided", 0.7, &book),
          notNow: slot("not_now", "not decided", habits.notNow, &book),
          restricted: slot("restricted", "not put off", habits.restricted, &book),
          unsaid: slot("unsaid", "not restricted", habits.unsaid, &book),
          provisional: slot("provisional", "not unsaid", habits.provisional, &book),
          unanswered: slot("unanswered", "prompted", habits.unanswered, &book),
          error: slot("error", "prompted and answered", habits.error, &book),
          granted: slot("granted", "prompted, no error", habits.granted * factor, &book),
          grantedAfterSkip: slot(
            "granted", "prompted, no error, after a skip", habits.grantedAfterSkip * factor, &book),
          leavesAfterDenial: slot("leave", "just denied", habits.leavesAfterDenial, &book),
          recovers: slot("recover", "denied", habits.recovers, &book),
          answersLater: slot("answer_later", "came through without", habits.answersLater, &book),
          notNowItem: notNowItem))
    }
  }

  private mutating func addGoals(to arm: inout Arm, _ label: String) {
    for (index, goal) in flow.goals.enumerated() {
      let habits = profile.goals[goal.id] ?? profile.genericGoal
      guard happenings.schedules[index] else {
        arm.goals.append(GoalChances(outcomes: [-1, -1, -1], onStep: -1))
        continue
      }
      if case .step(let id) = habits.moment, let step = flow.stepIndex(id), arm.positions[step] >= 0
      {
        let slot = book.add(
          "goal", of: goal.id, given: "on step", arm: label, habits.finished * arm.effect.goals)
        arm.goals.append(GoalChances(outcomes: [-1, -1, -1], onStep: slot))
        continue
      }
      let chances = [habits.finished, habits.skipped, habits.abandoned]
      let slots = zip(Outcome.allCases, chances).map { outcome, chance in
        book.add(
          "goal", of: goal.id, given: "outcome=\(outcome.name)", arm: label,
          chance * arm.effect.goals)
      }
      arm.goals.append(GoalChances(outcomes: slots, onStep: -1))
    }
    for (index, friction) in flow.friction.enumerated() {
      let chance = profile.friction[friction.id] ?? profile.genericFriction
      let isPossible = happenings.frictionChoices[index] != nil && !arm.list.isEmpty
      arm.friction.append(
        isPossible ? book.add("friction", of: friction.id, arm: label, chance) : -1)
    }
  }
}
