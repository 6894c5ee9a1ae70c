/// The names of the tracking plan (docs/formats.md) that have a meaning of their own.
public enum CanonicalNames {
  /// The onboarding events, in the order in which ties at one millisecond are broken.
  public static let events = [
    "onboarding_started", "permission_prompted", "onboarding_page_viewed",
    "onboarding_step_skipped", "permission_result", "onboarding_skipped", "onboarding_completed",
  ]

  /// Statuses of a permission result, in declared order; the first six are granting ones.
  public static let statuses = [
    "granted", "provisional", "ephemeral", "when_in_use", "always", "reduced", "denied", "error",
    "restricted", "not_now", "not_determined",
  ]

  /// How an onboarding was completed.
  public static let methods = ["finished", "skipped"]
}
