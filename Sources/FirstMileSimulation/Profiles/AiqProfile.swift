extension Profile {
  /// AIQ: the copy of variant B keeps people reading; they finish more and are back on day 7 more.
  /// A test every three months brings people back long after.
  static var aiq: Profile {
    var profile = Profile()
    profile.days = 180
    profile.genericStep = StepHabits(leave: 0.045, skip: 0.07, back: 0.06, sigma: 0.6, pace: 1.05)
    // The last page has no skip button.
    profile.steps["privacy"] = StepHabits(leave: 0.05, skip: 0, back: 0.05)
    profile.skipAlsoCompletes = true
    profile.replay = 0.06
    profile.returns.skipped = 0.8
    profile.effects["B"] = Effect(
      leave: 0.72, skip: 0.72, returning: 1.15, goals: 1.12, pace: 0.9)
    profile.dayHabits.releases = [("1.3.0", 0), ("1.4.0", 61), ("1.4.1", 67), ("1.4.2", 128)]
    profile.dayHabits.incidents = [
      // The second page took seconds to draw.
      Incident(
        appVersion: "1.4.0", firstDay: 61, days: 6,
        damage: .leaving(step: "how_tests_work", odds: 4)),
      Incident(
        appVersion: "1.4.1", firstDay: 93, days: 1, damage: .lostViews(step: "testing_frequency")),
    ]
    profile.actions =
      [
        ActionHabits("privacy_link_tapped", .onStep("privacy"), 0.14)
      ]
      + test(
        "baseline",
        ActionHabits(
          "test_started", .later(medianMilliseconds: 400_000), 0.62, skipped: 0.38,
          abandoned: 0.05, id: "baseline"))
      + reminderActions
      // Too early for the recommended three months.
      + test(
        "early",
        ActionHabits("test_started", .days(9, 70), 0.13, id: "early", after: "baseline_completed"))
      + test(
        "reminded",
        ActionHabits(
          "test_started", .later(medianMilliseconds: 180_000), 0.6, id: "reminded",
          after: "reminder_opened"))
      + test(
        "unreminded",
        ActionHabits(
          "test_started", .days(80, 105), 0.25, id: "unreminded", after: "baseline_completed",
          unless: "reminded"))
    profile.identity.signedIn = 0.5
    profile.identity.step = "privacy"
    profile.activity = [("app_opened", 4), ("results_viewed", 3), ("article_read", 2)]
    profile.dimensions["os"] = [("iOS 26.1", 5), ("iOS 26.0", 3), ("iOS 18.7", 2)]
    profile.dimensions["device_model"] = Profile.iPhones + [("iPad14,3", 1)]
    profile.dimensions["locale"] = [
      ("en_US", 6), ("de_DE", 2), ("fr_FR", 1), ("ar_SA", 1), ("he_IL", 0.7),
    ]
    profile.dimensions["reduce_motion"] = [("false", 88), ("true", 12)]
    profile.derived["layout_direction"] = DerivedDimension(
      from: "locale", values: ["ar_SA": "right_to_left", "he_IL": "right_to_left"],
      usual: "left_to_right")
    return profile
  }

  /// Asked for at the end of the first test, opened when three months are over.
  private static var reminderActions: [ActionHabits] {
    [
      ActionHabits(
        "reminder_set", .later(medianMilliseconds: 60_000), 0.6, after: "baseline_completed"),
      ActionHabits("reminder_opened", .days(82, 92), 0.62, after: "reminder_set"),
    ]
  }

  /// A test from its start through three sections to its end; few stop in the middle.
  private static func test(_ id: String, _ start: ActionHabits) -> [ActionHabits] {
    let kind: ActionHabits.Choice = (id == "baseline" ? "test=baseline" : "test=retest", 1)
    var started = start
    started.properties = [[kind]]
    var actions = [started]
    for section in 1...3 {
      actions.append(
        ActionHabits(
          "test_section_completed", .later(medianMilliseconds: 240_000), 0.93,
          id: "\(id)_\(section)", after: actions[actions.count - 1].id,
          with: [("section=\(section)", 1)], carrying: ["test"]))
    }
    actions.append(
      ActionHabits(
        "test_completed", .later(medianMilliseconds: 20_000), 0.98, id: "\(id)_completed",
        after: "\(id)_3", carrying: ["test"]))
    return actions
  }
}
