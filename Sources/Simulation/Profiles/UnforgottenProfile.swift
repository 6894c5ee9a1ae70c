extension Profile {
  /// Unforgotten: version 2 moved the account behind the profile and lost fewer people; one in
  /// three opens the premium page, and few of those buy.
  static var unforgotten: Profile {
    var profile = Profile()
    profile.versionShares = ["1": 0.3]
    profile.genericStep = StepHabits(leave: 0.03, skip: 0.015, back: 0.04)
    profile.steps["account_setup"] = StepHabits(leave: 0.12, skip: 0.04, back: 0.05)
    profile.steps["profile_setup"] = StepHabits(
      leave: 0.05, skip: 0.02, back: 0.03, decline: 0.35, items: ["photo"], sigma: 0.7)
    profile.steps["friend_code"] = StepHabits(
      leave: 0.02, skip: 0.02, back: 0.03, decline: 0.55, take: 0.9, items: ["friend_code"])
    profile.steps["premium"] = StepHabits(
      leave: 0.04, skip: 0.02, back: 0.1, decline: 0.6, take: 0.34, items: ["maybe_later"])
    profile.steps["notifications"] = StepHabits(leave: 0.02, skip: 0.01, back: 0.02)
    var notifications = PermissionHabits()
    notifications.notNow = 0.22
    notifications.granted = 0.66
    profile.permissions["notifications"] = notifications
    profile.friction = [
      "invalid_code": 0.12, "purchase_error": 0.07, "save_failed": 0.03, "retry": 0.05,
    ]
    profile.genericGoal = GoalHabits(finished: 0.4, skipped: 0.2, abandoned: 0.04)
    profile.goals["subscribed"] = GoalHabits(
      finished: 0.16, skipped: 0.04, abandoned: 0.01, moment: .step("premium"), again: 0.01,
      values: [("annual", 3), ("monthly", 2)])
    profile.goals["purchase_result"] = GoalHabits(
      finished: 0.3, skipped: 0.02, abandoned: 0.01, moment: .step("premium"), again: 0.002,
      values: [("cancelled", 4), ("failed", 1)])
    profile.goals["theme_chosen"] = GoalHabits(
      finished: 0.82, skipped: 0.7, abandoned: 0.6, moment: .step("theme_selection"), again: 0.01,
      values: [("classic", 5), ("forest", 3), ("ocean", 3), ("midnight", 2)])
    profile.goals["friend_connected"] = GoalHabits(
      finished: 0.3, skipped: 0.1, abandoned: 0.02, moment: .step("friend_code"), again: 0.03)
    profile.goals["first_action"] = GoalHabits(
      finished: 0.6, skipped: 0.4, abandoned: 0.03, again: 0.02,
      values: [("add_memory", 4), ("invite_friend", 2), ("explore", 3)])
    profile.effects["1"] = Effect(leave: 1.35, returning: 0.9, goals: 0.85)
    profile.effects["trial"] = Effect(leave: 0.95, returning: 1.06, goals: 1.22)
    profile.versionsBeforeExperiments = ["1"]
    profile.dimensions["install_source"] = [("organic", 5), ("friend", 3), ("ad", 2)]
    profile.identity.step = "profile_setup"
    profile.activity = [
      ("app_opened", 4), ("memory_viewed", 3), ("memory_shared", 1), ("push_delivered", 1),
      ("subscription_renewed", 0.2),
    ]
    return profile
  }
}
