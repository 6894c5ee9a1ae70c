extension Profile {
  /// AIQ: the copy of variant B keeps people reading; they finish more and are back on day 7 more.
  /// A test every three months brings people back long after.
  static var aiq: Profile {
    var profile = Profile()
    profile.days = 180
    profile.genericStep = StepHabits(leave: 0.045, skip: 0.07, back: 0.06, sigma: 0.6, pace: 1.05)
    profile.steps["privacy"] = StepHabits(leave: 0.05, skip: 0, back: 0.05)
    profile.skipAlsoCompletes = true
    profile.replay = 0.06
    profile.returns = ReturnHabits(
      firstDay: 0.34, decay: 0.38, finished: 1, skipped: 0.82, abandoned: 0.35)
    profile.effects["B"] = Effect(
      leave: 0.72, skip: 0.72, returning: 1.15, goals: 1.12, pace: 0.9)
    profile.goals["first_test_started"] = GoalHabits(
      finished: 0.62, skipped: 0.38, abandoned: 0.05,
      moment: .later(medianMilliseconds: 400_000), again: 0.02)
    profile.goals["test_completed"] = GoalHabits(
      finished: 0.5, skipped: 0.3, abandoned: 0.04,
      moment: .later(medianMilliseconds: 1_800_000), again: 0.03)
    profile.identity.signedIn = 0.5
    profile.identity.step = "privacy"
    profile.activity = [
      ("app_opened", 4), ("results_viewed", 3), ("article_read", 2), ("reminder_set", 0.5),
      ("push_delivered", 0.7),
    ]
    return profile
  }
}
