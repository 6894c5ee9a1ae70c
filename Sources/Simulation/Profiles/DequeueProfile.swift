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
    profile.returns = ReturnHabits(
      firstDay: 0.44, decay: 0.4, finished: 1, skipped: 0.84, abandoned: 0.3)
    profile.effects["three_screen"] = Effect(leave: 0.8, skip: 0.75, returning: 1.16, goals: 1.05)
    profile.genericGoal = GoalHabits(finished: 0.6, skipped: 0.35, abandoned: 0.06)
    profile.goals["first_stack"] = GoalHabits(
      finished: 0.72, skipped: 0.4, abandoned: 0.3, moment: .step("create_first_stack"),
      again: 0.05)
    profile.goals["first_task"] = GoalHabits(
      finished: 0.65, skipped: 0.35, abandoned: 0.05, moment: .later(medianMilliseconds: 120_000),
      again: 0.08)
    profile.identity.signedIn = 0.3
    profile.identity.secondDevice = 0.25
    profile.identity.step = "ready"
    profile.activity = [
      ("app_opened", 4), ("stack_viewed", 3), ("task_completed", 3), ("push_delivered", 0.7),
    ]
    return profile
  }
}
