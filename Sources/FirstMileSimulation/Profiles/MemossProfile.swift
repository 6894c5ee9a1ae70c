extension Profile {
  /// Memoss: people who jump ahead to the notifications page never read what they are for, and
  /// grant far less; few abandon, but most who do are gone by the third day.
  static var memoss: Profile {
    var profile = Profile()
    profile.genericStep = StepHabits(leave: 0.025, skip: 0.085, back: 0.05)
    profile.steps["notifications"] = StepHabits(leave: 0.03, skip: 0, back: 0.03)
    profile.steps["sync"] = StepHabits(leave: 0.03, skip: 0.05, back: 0.05)
    // The screen asks right away: there is no "Not now".
    var notifications = PermissionHabits()
    notifications.notNow = 0
    notifications.granted = 0.71
    notifications.grantedAfterSkip = 0.44
    notifications.checkedFirst = 0.5
    notifications.alreadyDecided = 0.08
    notifications.decidedDetails = ["granted", "ephemeral", "provisional"]
    notifications.restricted = 0
    notifications.error = 0.03
    notifications.recovers = 0.18
    profile.permissions["notifications"] = notifications
    profile.checksStatusFirst = 0
    profile.tellsNavigation = true
    profile.effects["benefit"] = Effect(grant: 1.12, returning: 1.07)
    profile.returns = .memoss
    profile.dayHabits.releases = [("1.3.0", 0), ("1.4.1", 24), ("1.4.2", 58)]
    profile.dayHabits.incidents = [
      // The first build of 1.4.1 froze on the page about syncing.
      Incident(
        appVersion: "1.4.1", firstDay: 25, days: 4, damage: .leaving(step: "sync", odds: 5)),
      Incident(
        appVersion: "1.4.2", firstDay: 66, days: 1, damage: .lostViews(step: "custom_snooze")),
    ]
    profile.whatsNew = WhatsNewHabits(
      flow: "memoss_whats_new", pages: ["shared_lists", "quick_add"])
    profile.actions = [
      ActionHabits(
        "reminder_created", .later(medianMilliseconds: 240_000), 0.58, skipped: 0.4,
        abandoned: 0.06, with: [("recurring=false", 7), ("recurring=true", 3)], again: 0.25),
      ActionHabits(
        "reminder_created", .later(medianMilliseconds: 90_000_000), 0.22, id: "recurring_reminder",
        after: "reminder_created", given: "recurring=false", with: [("recurring=true", 1)]),
    ]
    profile.identity.signedIn = 0.2
    profile.identity.signsIn = 0.3
    profile.identity.step = "sync"
    profile.activity = [
      ("app_opened", 4), ("reminder_list_viewed", 2), ("reminder_snoozed", 1),
      ("reminder_checked", 2),
    ]
    profile.dimensions["os"] = [("iOS 26.1", 6), ("iOS 26.0", 3)]
    profile.dimensions["device_model"] = Profile.iPhones
    profile.dimensions["text_size"] = [("default", 7), ("large", 2), ("extra_large", 1)]
    profile.dimensions["reduce_motion"] = [("false", 88), ("true", 12)]
    return profile
  }
}

extension ReturnHabits {
  fileprivate static var memoss: ReturnHabits {
    var habits = ReturnHabits()
    habits.skipped = 0.85
    habits.abandoned = 0.12
    return habits
  }
}
