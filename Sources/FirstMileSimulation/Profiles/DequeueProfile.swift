extension Profile {
  /// Dequeue: the short variant `three_screen` finishes more and is back on day 7 more, though its
  /// people have read less; many are called away and resume.
  static var dequeue: Profile {
    var profile = Profile()
    profile.genericStep = StepHabits(leave: 0.03, skip: 0.035, back: 0.05, pace: 0.9)
    profile.steps["create_first_stack"] = StepHabits(
      leave: 0.06, skip: 0.05, back: 0.04, sigma: 0.8)
    profile.steps["ready"] = StepHabits(leave: 0.015, skip: 0, back: 0.02)
    profile.pause = 0.035
    profile.startsOver = 0.3
    profile.effects["three_screen"] = Effect(leave: 0.9, skip: 0.85, returning: 1.16)
    profile.dayHabits.releases = [("1.0.0", 0), ("1.1.0", 40), ("1.1.1", 46)]
    profile.dayHabits.incidents = [
      // The keyboard hid the button.
      Incident(
        appVersion: "1.1.0", firstDay: 40, days: 6,
        damage: .leaving(step: "create_first_stack", odds: 4)),
      Incident(
        appVersion: "1.1.1", firstDay: 71, days: 1,
        damage: .missingProperty(event: "stack_created", property: "input")),
    ]
    profile.actions = stackActions
    profile.identity.signedIn = 0.3
    profile.identity.secondDevice = 0.45
    profile.identity.step = "welcome"
    profile.secondOnboarding = 0.5
    profile.activity = [("app_opened", 4), ("stack_viewed", 3), ("task_completed", 3)]
    profile.dimensions["os"] = [("iOS 26.1", 6), ("iOS 26.0", 3)]
    profile.dimensions["device_model"] = Profile.iPhones + [("iPhone14,6", 1), ("iPad14,3", 1)]
    profile.dimensions["locale"] = [("en_US", 6), ("en_GB", 2), ("en_AU", 1)]
    return profile
  }

  private static var stackActions: [ActionHabits] {
    let inputs: [ActionHabits.Choice] = [("input=chip", 5), ("input=typed", 4)]
    return [
      ActionHabits("app_installed", .beforeEntry, 0.97),
      ActionHabits(
        "stack_created", .onStep("create_first_stack"), 0.85, with: inputs,
        [("source=onboarding", 1)]),
      ActionHabits(
        "stack_created", .later(medianMilliseconds: 400_000), 0.4, skipped: 0.35, abandoned: 0.1,
        id: "later_stack", unless: "stack_created", with: [("input=typed", 1)],
        [("source=home", 1)], again: 0.15),
      ActionHabits(
        "survey_answered", .onStep("ready"), 0.35,
        with: [("answer=yes", 6), ("answer=somewhat", 3), ("answer=no", 2)]),
      // The sheet that opens once a stack is there and the flow is done.
      ActionHabits(
        "task_created", .later(medianMilliseconds: 25_000), 0.58, skipped: 0, abandoned: 0,
        after: "stack_created", with: [("source=first_task_sheet", 1)]),
      ActionHabits(
        "first_task_skipped", .later(medianMilliseconds: 15_000), 0.85, skipped: 0, abandoned: 0,
        after: "stack_created", unless: "task_created"),
      ActionHabits(
        "task_created", .later(medianMilliseconds: 9_000_000), 0.4, skipped: 0.3, abandoned: 0.1,
        id: "later_task", unless: "task_created", with: [("source=stack", 1)], again: 0.3),
    ]
  }
}
