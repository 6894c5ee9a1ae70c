extension Profile {
  /// Unforgotten: version 2 asks for a profile in place of an account and loses fewer on a page;
  /// some open the premium page, and few of them buy. No page skips the whole rest.
  static var unforgotten: Profile {
    var profile = Profile()
    profile.versionShares = ["1": 0.25]
    profile.genericStep = StepHabits(leave: 0.03, skip: 0, back: 0.04)
    profile.steps["account_setup"] = StepHabits(leave: 0.1, skip: 0, back: 0.05)
    // The first version asked for no photo.
    profile.steps["1/profile_setup"] = StepHabits(leave: 0.05, skip: 0, back: 0.03, sigma: 0.7)
    profile.steps["profile_setup"] = StepHabits(
      leave: 0.05, skip: 0, back: 0.03, decline: 0.35, items: ["photo"], sigma: 0.7)
    profile.steps["friend_code"] = StepHabits(
      leave: 0.02, skip: 0, back: 0.03, decline: 0.93, items: ["friend_code"],
      declineUnless: ["friend_connected"])
    profile.steps["premium"] = StepHabits(
      leave: 0.04, skip: 0, back: 0.1, decline: 0.85, take: 0.45, items: ["maybe_later"],
      declineUnless: ["tried status=purchased", "tried status=restored", "bought_again"])
    profile.steps["notifications"] = StepHabits(leave: 0.02, skip: 0, back: 0.02)
    var notifications = PermissionHabits()
    notifications.notNow = 0.22
    notifications.notNowItem = "not_now"
    notifications.granted = 0.66
    notifications.restricted = 0
    notifications.error = 0.02
    profile.permissions["notifications"] = notifications
    profile.checksStatusFirst = 0
    profile.effects["1"] = Effect(leave: 1.2, returning: 0.92)
    profile.effects["trial"] = Effect(leave: 0.95, returning: 1.06)
    profile.versionsBeforeExperiments = ["1"]
    profile.dayHabits.releases = [("2.0.0", 0), ("2.1.0", 30), ("2.1.1", 37)]
    profile.dayHabits.incidents = [
      // The form lost its focus after each letter.
      Incident(
        appVersion: "2.1.0", firstDay: 30, days: 7,
        damage: .leaving(step: "profile_setup", odds: 4)),
      Incident(
        appVersion: "2.1.1", firstDay: 62, days: 1,
        damage: .missingProperty(event: "theme_selected", property: "theme")),
    ]
    profile.actions = profileActions + friendActions + purchaseActions
    profile.identity.step = "profile_setup"
    profile.activity = [
      ("app_opened", 4), ("medication_logged", 3), ("birthday_viewed", 1),
      ("appointment_added", 1),
    ]
    profile.dimensions["os"] = [("iOS 26.1", 5), ("iOS 26.0", 3), ("iOS 18.7", 2)]
    profile.dimensions["device_model"] = Profile.iPhones + [("iPhone14,6", 1), ("iPad14,3", 1)]
    profile.dimensions["install_source"] = [
      ("app_store", 5), ("friend_invite", 3), ("campaign", 2),
    ]
    profile.dimensions["reduce_motion"] = [("false", 88), ("true", 12)]
    profile.dimensions["voice_over"] = [("false", 95), ("true", 5)]
    profile.dimensions["text_size"] = [("default", 6), ("large", 3), ("accessibility", 1)]
    profile.derived["device_class"] = DerivedDimension(
      from: "device_model", values: ["iPhone14,6": "small_phone", "iPad14,3": "ipad"],
      usual: "phone")
    return profile
  }

  private static var profileActions: [ActionHabits] {
    [
      ActionHabits(
        "profile_save_failed", .onStep("profile_setup"), 0.07,
        with: [("reason=network", 3), ("reason=photo_upload", 1), ("reason=server", 1)]),
      ActionHabits(
        "onboarding_retry_tapped", .onStep("profile_setup"), 0.8, after: "profile_save_failed",
        with: [("page_name=profile_setup", 1)]),
      ActionHabits(
        "theme_selected", .onStep("theme_selection"), 0.84,
        with: [
          ("theme=style_one", 5), ("theme=style_two", 3), ("theme=style_three", 3),
          ("theme=style_four", 2),
        ]),
      ActionHabits(
        "first_action_tapped", .onStep("completion"), 0.9,
        with: [("card=create_reminder", 5), ("card=explore_app", 3), ("card=add_friend", 2)]),
    ]
  }

  private static var friendActions: [ActionHabits] {
    let roles: [ActionHabits.Choice] = [
      ("role=viewer", 4), ("role=helper", 3), ("role=admin", 2), ("role=owner", 1),
    ]
    return [
      ActionHabits(
        "friend_code_failed", .onStep("friend_code"), 0.16,
        with: [
          ("reason=invalid", 5), ("reason=expired", 2), ("reason=already_used", 2),
          ("reason=network", 2),
        ]),
      ActionHabits(
        "onboarding_retry_tapped", .onStep("friend_code"), 0.6, id: "retry_code",
        after: "friend_code_failed", with: [("page_name=friend_code", 1)]),
      ActionHabits(
        "friend_connected", .onStep("friend_code"), 0.3, with: [("method=code", 1)], roles),
      ActionHabits(
        "invite_sent", .later(medianMilliseconds: 90_000_000), 0.3, skipped: 0, abandoned: 0.02,
        with: [("channel=message", 3), ("channel=link", 2)], again: 0.05),
      ActionHabits(
        "invite_accepted", .later(medianMilliseconds: 70_000_000), 0.5, after: "invite_sent"),
      ActionHabits(
        "friend_connected", .later(medianMilliseconds: 2_000), 1, id: "invited_friend",
        after: "invite_accepted", with: [("method=invite", 1)], roles),
    ]
  }

  private static var purchaseActions: [ActionHabits] {
    let products: [ActionHabits.Choice] = [
      ("product=annual price=29.99 currency=USD", 1),
      ("product=monthly price=3.99 currency=USD", 1),
    ]
    let offer = ["product", "price", "currency"]
    return [
      // How the first try ends.
      ActionHabits(
        "purchase_result", .onStep("premium"), 0.45, id: "tried",
        with: [
          ("status=purchased", 7), ("status=restored", 2), ("status=cancelled", 9),
          ("status=failed reason=network", 2), ("status=failed reason=payment_declined", 3),
          ("status=failed reason=not_allowed", 2), ("status=pending", 2),
        ], products),
      ActionHabits(
        "onboarding_retry_tapped", .onStep("premium"), 0.7, id: "retry_purchase", after: "tried",
        given: "status=failed", with: [("page_name=premium", 1)]),
      ActionHabits(
        "purchase_result", .onStep("premium"), 0.6, id: "bought_again", after: "tried",
        given: "status=failed", with: [("status=purchased", 1)], carrying: offer),
      // A purchase that somebody else has to approve.
      ActionHabits(
        "purchase_result", .later(medianMilliseconds: 30_000_000), 0.6, id: "approved",
        after: "tried", given: "status=pending", with: [("status=purchased", 1)], carrying: offer),
      ActionHabits(
        "trial_started", .onStep("premium"), 0.98, id: "bought", after: "tried",
        given: "status=purchased", only: "paywall=trial", carrying: offer),
      // Without a trial the store charges at once.
      ActionHabits(
        "subscription_charged", .later(medianMilliseconds: 4_000), 1, id: "charged",
        after: "tried", given: "status=purchased", unless: "bought", with: [("period=first", 1)],
        carrying: offer),
      ActionHabits(
        "subscription_charged", .later(medianMilliseconds: 4_000), 1, id: "charged_again",
        after: "bought_again", with: [("period=first", 1)], carrying: offer),
      ActionHabits(
        "subscription_charged", .later(medianMilliseconds: 4_000), 1, id: "charged_approved",
        after: "approved", with: [("period=first", 1)], carrying: offer),
      ActionHabits(
        "subscription_charged", .days(7, 7), 0.62, id: "trial_paid", after: "bought",
        with: [("period=first", 1)], carrying: offer),
      ActionHabits(
        "subscription_charged", .days(30, 30), 0.8, id: "trial_renewed", after: "trial_paid",
        given: "product=monthly", with: [("period=later", 1)], carrying: offer,
        recurs: (30, 0.85)),
      ActionHabits(
        "subscription_charged", .days(30, 30), 0.78, id: "renewed", after: "tried",
        given: "status=purchased product=monthly", unless: "bought", with: [("period=later", 1)],
        carrying: offer, recurs: (30, 0.85)),
      ActionHabits(
        "subscription_refunded", .days(2, 14), 0.3, id: "refunded", after: "charged",
        carrying: offer),
      ActionHabits(
        "subscription_refunded", .days(2, 14), 0.3, id: "again_refunded", after: "charged_again",
        carrying: offer),
      ActionHabits(
        "subscription_refunded", .days(1, 10), 0.3, id: "trial_refunded", after: "trial_paid",
        carrying: offer),
    ]
  }
}
