extension Profile {
  /// Memoss: those who jump ahead to the notifications page were not told what they are for, and
  /// grant far less; abandoning is rare, but who does is gone by the third day.
  static var memoss: Profile {
    var profile = Profile()
    profile.genericStep = StepHabits(leave: 0.025, skip: 0.085, back: 0.05)
    profile.steps["notifications"] = StepHabits(leave: 0.03, skip: 0, back: 0.03)
    profile.steps["sync"] = StepHabits(leave: 0.03, skip: 0.05, back: 0.05)
    var notifications = PermissionHabits()
    notifications.notNow = 0.08
    notifications.granted = 0.71
    notifications.grantedAfterSkip = 0.44
    notifications.checkedFirst = 0.5
    notifications.alreadyDecided = 0.05
    notifications.error = 0.02
    notifications.recovers = 0.18
    profile.permissions["notifications"] = notifications
    profile.returns = ReturnHabits(
      firstDay: 0.42, decay: 0.4, finished: 1, skipped: 0.9, abandoned: 0.3)
    profile.genericGoal = GoalHabits(finished: 0.5, skipped: 0.3, abandoned: 0.06)
    profile.goals["first_reminder"] = GoalHabits(
      finished: 0.58, skipped: 0.36, abandoned: 0.06,
      moment: .later(medianMilliseconds: 240_000), again: 0.06)
    profile.goals["recurring_reminder"] = GoalHabits(
      finished: 0.26, skipped: 0.1, abandoned: 0.02,
      moment: .later(medianMilliseconds: 40_000_000), again: 0.03)
    profile.identity.signedIn = 0.2
    profile.identity.signsIn = 0.3
    profile.identity.step = "sync"
    profile.activity = [
      ("app_opened", 4), ("reminder_list_viewed", 2), ("reminder_snoozed", 1),
      ("reminder_checked", 2), ("push_delivered", 1),
    ]
    profile.effects["benefit"] = Effect(grant: 1.12, returning: 1.07)
    profile.dimensions["text_size"] = [("default", 7), ("large", 2), ("extra_large", 1)]
    return profile
  }
}
