extension Profile {
  /// Trendy: version 2 asks for less before the app is seen and primes each permission on a page
  /// of its own: somewhat fewer leave, more grant. Signing in half-way costs the most people. The
  /// only skips are those of the permissions.
  static var trendy: Profile {
    var profile = Profile()
    profile.versionShares = ["1": 0.4]
    profile.genericStep = StepHabits(leave: 0.035, skip: 0, back: 0.04)
    profile.steps["auth"] = StepHabits(leave: 0.11, skip: 0, back: 0.04, sigma: 0.8)
    profile.steps["create_event_type"] = StepHabits(leave: 0.05, skip: 0, back: 0.06)
    profile.steps["log_first_event"] = StepHabits(leave: 0.04, skip: 0, back: 0.05)
    profile.steps["permissions"] = StepHabits(leave: 0.04, skip: 0, back: 0.02)
    var notifications = PermissionHabits()
    notifications.notNow = 0.18
    notifications.notNowItem = "notifications"
    notifications.granted = 0.64
    notifications.restricted = 0
    notifications.error = 0.02
    profile.permissions["notifications"] = notifications
    var location = PermissionHabits()
    location.notNow = 0.3
    location.notNowItem = "location"
    location.granted = 0.5
    location.restricted = 0.02
    location.error = 0.02
    location.grantedDetails = ["when_in_use", "when_in_use", "when_in_use", "always", "reduced"]
    location.decidedDetails = []
    location.provisional = 0
    profile.permissions["location"] = location
    profile.checksStatusFirst = 0
    profile.effects["1"] = Effect(leave: 1.05, grant: 0.85, returning: 0.95)
    profile.effects["location_first"] = Effect(leave: 1.12, grant: 0.94)
    profile.versionsBeforeExperiments = ["1"]
    profile.dayHabits.releases = [("1.9.0", 0), ("2.0.0", 36), ("2.0.1", 41)]
    profile.dayHabits.incidents = [
      // Signing in with Apple hung.
      Incident(
        appVersion: "2.0.0", firstDay: 36, days: 5, damage: .leaving(step: "auth", odds: 3)),
      Incident(
        appVersion: "2.0.1", firstDay: 70, days: 1,
        damage: .missingProperty(event: "event_type_created", property: "template")),
    ]
    profile.actions = signInActions + loggingActions
    profile.identity.signedIn = 0
    profile.identity.signsIn = 1
    profile.activity = [("app_opened", 4), ("chart_viewed", 3), ("insight_opened", 1)]
    profile.dimensions["os"] = [("iOS 26.1", 5), ("iOS 26.0", 3), ("iOS 17.7", 2)]
    profile.dimensions["device_model"] = Profile.iPhones + [("iPad14,3", 1)]
    profile.dimensions["sign_in_method"] = [("apple", 6), ("google", 3), ("email", 2)]
    return profile
  }

  private static var signInActions: [ActionHabits] {
    [
      ActionHabits(
        "sign_in_result", .onStep("auth"), 0.16, id: "sign_in_trouble",
        with: [("status=cancelled", 5), ("status=failed", 4)]),
      ActionHabits("sign_in_result", .signIn, 1, with: [("status=succeeded", 1)]),
    ]
  }

  /// Version 1 has people make an event type and log an event on the way, version 2 afterwards.
  private static var loggingActions: [ActionHabits] {
    let templates: [ActionHabits.Choice] = [
      ("template=exercise", 4), ("template=mood", 3), ("template=sleep", 2),
      ("template=medication", 2), ("template=custom", 2),
    ]
    return [
      ActionHabits(
        "event_type_created", .onStep("create_event_type"), 0.75, id: "made_on_the_way",
        with: templates, [("source=onboarding", 1)]),
      ActionHabits(
        "event_logged", .onStep("log_first_event"), 0.8, id: "logged_on_the_way",
        after: "made_on_the_way", with: [("source=onboarding", 1)]),
      ActionHabits(
        "event_type_created", .later(medianMilliseconds: 300_000), 0.72, abandoned: 0.06,
        unless: "made_on_the_way", with: templates, [("source=home", 1)], again: 0.05),
      ActionHabits(
        "event_logged", .later(medianMilliseconds: 120_000), 0.8, id: "first_event",
        after: "event_type_created", with: [("source=home", 4), ("source=widget", 1)]),
      ActionHabits(
        "event_logged", .later(medianMilliseconds: 6_000_000), 0.6, abandoned: 0.1,
        id: "logged_again", after: "made_on_the_way",
        with: [("source=home", 4), ("source=widget", 1)], again: 0.95),
    ]
  }
}
