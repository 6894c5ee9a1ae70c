extension Profile {
  /// Trendy: version 2 asks for less before the app is seen and primes each permission on a page
  /// of its own: fewer leave, more grant. Signing in half-way costs the most people.
  static var trendy: Profile {
    var profile = Profile()
    profile.versionShares = ["1": 0.4]
    profile.genericStep = StepHabits(leave: 0.035, skip: 0.03, back: 0.04)
    profile.steps["auth"] = StepHabits(leave: 0.11, skip: 0.03, back: 0.04, sigma: 0.8)
    profile.steps["create_event_type"] = StepHabits(leave: 0.08, skip: 0.06, back: 0.06)
    profile.steps["log_first_event"] = StepHabits(leave: 0.07, skip: 0.06, back: 0.05)
    profile.steps["permissions"] = StepHabits(leave: 0.05, skip: 0.04, back: 0.02)
    var notifications = PermissionHabits()
    notifications.notNow = 0.18
    notifications.granted = 0.64
    profile.permissions["notifications"] = notifications
    var location = PermissionHabits()
    location.notNow = 0.3
    location.granted = 0.5
    location.restricted = 0.012
    location.grantedDetails = ["when_in_use", "when_in_use", "when_in_use", "always", "reduced"]
    location.provisional = 0
    profile.permissions["location"] = location
    profile.friction = ["sign_in_failed": 0.08, "sign_in_cancelled": 0.1]
    profile.effects["1"] = Effect(leave: 1.25, grant: 0.8, returning: 0.88, goals: 0.8)
    profile.effects["location_first"] = Effect(leave: 1.12, grant: 0.94)
    profile.versionsBeforeExperiments = ["1"]
    profile.dimensions["sign_in_method"] = [("apple", 6), ("google", 3), ("email", 2)]
    profile.genericGoal = GoalHabits(
      finished: 0.55, skipped: 0.3, abandoned: 0.06, moment: .later(medianMilliseconds: 300_000))
    profile.identity.signedIn = 0.05
    profile.identity.signsIn = 0.85
    profile.activity = [
      ("app_opened", 4), ("chart_viewed", 3), ("insight_opened", 1), ("push_delivered", 1),
    ]
    return profile
  }
}
