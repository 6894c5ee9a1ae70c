/// Events that SDKs send by themselves, and not because a person did something.
///
/// Sources of the names: Mixpanel, *Default Mobile Events Collection*; Google, *[GA4]
/// Automatically collected events* (answer 9234069); Amplitude, *Mobile Autocapture Schema*;
/// PostHog, *Autocapture*; Braze, *Customer behavior and user events*; Segment's *Native Mobile
/// Spec* and RudderStack's *Mobile Application Lifecycle Events Spec*. docs/start.md has their
/// addresses.
package enum AutomaticEvents {
  /// What says nothing about a person's being there: updates, crashes, pings, what is delivered.
  private static let unattended: Set<String> = [
    // Mixpanel
    "$ae_updated", "$ae_crashed",
    // GA4
    "app_remove", "app_update", "os_update", "app_clear_data", "app_exception", "ad_exposure",
    "ad_impression", "app_store_refund", "app_store_subscription_cancel",
    "app_store_subscription_convert", "app_store_subscription_renew", "firebase_campaign",
    "notification_dismiss", "notification_foreground", "notification_receive",
    "dynamic_link_app_update",
    // Amplitude
    "[Amplitude] Application Backgrounded", "[Amplitude] Application Updated",
    "[Amplitude] Application Installed", "[Amplitude] End Session",
    "[Amplitude] Network Request", "[Amplitude] Error Logged", "session_end",
    // PostHog
    "$feature_flag_called", "$pageleave", "$web_vitals", "$exception", "$identify", "$set",
    "$create_alias", "$merge_dangerously", "$groupidentify", "$snapshot", "$performance_event",
    "$feature_enrollment_update", "$$heatmap", "$heatmap", "$$client_ingestion_warning",
    // Segment and RudderStack
    "Application Backgrounded", "Application Crashed", "Application Installed",
    "Application Updated", "Application Uninstalled", "Push Notification Received",
    "Push Notification Bounced",
    // mParticle
    "application_state_transition", "breadcrumb", "crash_report",
    "network_performance", "opt_out", "profile", "push_registration", "uninstall",
    "user_attribute_change", "user_identity_change",
    // Braze: what it sent, and what its servers did
    "users.messages.email.Send", "users.messages.email.Delivery", "users.messages.email.Bounce",
    "users.messages.email.SoftBounce", "users.messages.email.MarkAsSpam",
    "users.messages.pushnotification.Send", "users.messages.pushnotification.Bounce",
    "users.messages.webhook.Send", "users.messages.sms.Send", "users.messages.sms.Delivery",
    "users.behaviors.app.SessionEnd", "users.behaviors.Uninstall",
    "users.campaigns.EnrollInControl", "users.canvas.Entry", "users.RandomBucketNumberUpdate",
  ]

  /// What says that an app was opened or a page touched, and nothing about what for.
  private static let attended: Set<String> = [
    "$ae_session", "$ae_first_open",
    "first_open", "first_visit", "session_start", "user_engagement",
    "[Amplitude] Start Session", "[Amplitude] Application Opened",
    "$autocapture", "$rageclick", "$dead_click",
    "Application Foregrounded", "first_run",
    "users.behaviors.app.FirstSession", "users.behaviors.app.SessionStart",
  ]

  /// Words of which one makes a name that of a ping, and pairs of words that do so together.
  private static let words: Set<String> = ["heartbeat", "keepalive", "ping", "backgrounded"]
  private static let pairs: [(Set<String>, Set<String>)] = [
    (["keep"], ["alive"]), (["session"], ["end", "ended", "ping", "timeout", "expired"]),
    (["push", "notification"], ["received", "receive", "delivered"]),
    (["background"], ["sync", "fetch", "refresh", "entered", "app"]),
    (["app"], ["closed", "terminated"]),
  ]

  /// Whether nobody has to be there for the event.
  package static func isUnattended(_ name: String) -> Bool {
    if unattended.contains(name) { return true }
    let own = Set(parts(of: name))
    return !own.isDisjoint(with: words)
      || pairs.contains { !own.isDisjoint(with: $0.0) && !own.isDisjoint(with: $0.1) }
  }

  /// Whether an SDK sends it when the app is opened, or for any touch.
  package static func isAttended(_ name: String) -> Bool { attended.contains(name) }

  /// Whether an app of any kind may have the event: an SDK's own, or one of its beginning.
  package static func isOfAnyApp(_ name: String) -> Bool {
    isUnattended(name) || isAttended(name) || isLifecycle(name)
  }

  /// What an SDK sends by itself when an app is installed or launched, or a person is named: first
  /// in everybody's timeline, and part of no onboarding.
  package static func isLifecycle(_ name: String) -> Bool {
    let plain = name.lowercased().filter { $0.isLetter }
    return name.hasPrefix("$")
      || [
        "appinstalled", "applicationinstalled", "appinstall", "installed", "firstopen",
        "applicationopened", "appopened", "appopen", "applicationupdated", "appupdated",
        "sessionstart", "sessionstarted", "sessionend", "sessionended", "identify",
        "userengagement",
        "amplitudeapplicationinstalled", "amplitudeapplicationopened", "amplitudestartsession",
        "amplitudeendsession",
      ].contains(plain)
  }

  /// `appBackgrounded` → `app`, `backgrounded`
  private static func parts(of name: String) -> [String] {
    var parts: [String] = []
    var part = ""
    var isAfterSmall = false
    for character in name {
      let isBoundary = !character.isLetter || character.isUppercase && isAfterSmall
      if isBoundary && !part.isEmpty {
        parts.append(part)
        part = ""
      }
      if character.isLetter { part += character.lowercased() }
      isAfterSmall = character.isLowercase
    }
    return part.isEmpty ? parts : parts + [part]
  }
}
