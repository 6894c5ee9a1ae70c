/// What happened, without who and when: an event's name and its properties.
///
/// The events that FirstMile knows have a call of their own; everything else an app reports is an
/// action with a name: `OnboardingAction("paid", ["plan": "yearly"])`.
public struct OnboardingAction: Sendable, Hashable {
  /// The `event` of the tracking plan.
  public let name: String
  /// What belongs to this event alone, by name.
  public let properties: [String: EventValue]

  /// An event of your own: `name` is what reports and flow files call it.
  public init(_ name: String, _ properties: [String: EventValue] = [:]) {
    self.name = name
    self.properties = properties
  }

  /// The onboarding began.
  public static let started = OnboardingAction("onboarding_started")

  /// A page came up.
  ///
  /// - Parameters:
  ///   - page: the page's name, which is the step's id in the flow file.
  ///   - number: its number, from the flow's `counts_from` on; the name is enough.
  public static func pageViewed(_ page: String, number: Int? = nil) -> OnboardingAction {
    var properties: [String: EventValue] = ["page_name": .string(page)]
    if let number { properties["page_number"] = .integer(Int64(number)) }
    return OnboardingAction("onboarding_page_viewed", properties)
  }

  /// One page, or one thing on it, was left out; the onboarding goes on.
  public static func stepSkipped(_ page: String, item: String? = nil) -> OnboardingAction {
    var properties: [String: EventValue] = ["page_name": .string(page)]
    if let item { properties["item"] = .string(item) }
    return OnboardingAction("onboarding_step_skipped", properties)
  }

  /// The rest of the onboarding was skipped.
  ///
  /// - Parameter page: where the button was.
  public static func skipped(at page: String? = nil) -> OnboardingAction {
    OnboardingAction(
      "onboarding_skipped", page.map { ["skipped_at_page": .string($0)] } ?? [:])
  }

  /// The onboarding came to its end.
  public static func completed(_ method: CompletionMethod = .finished) -> OnboardingAction {
    OnboardingAction("onboarding_completed", ["completion_method": .string(method.rawValue)])
  }

  /// The system's dialog for a permission came up.
  public static func permissionPrompted(_ permission: String) -> OnboardingAction {
    OnboardingAction("permission_prompted", ["permission": .string(permission)])
  }

  /// What became of a request for a permission.
  ///
  /// - Parameter prompted: whether the system's dialog was shown for this result; `false` where it
  ///   was decided before, `nil` where that is not known.
  public static func permissionResult(
    _ permission: String, _ status: PermissionStatus, prompted: Bool? = nil
  ) -> OnboardingAction {
    var properties: [String: EventValue] = [
      "permission": .string(permission), "status": .string(status.rawValue),
    ]
    if let prompted { properties["prompted"] = .boolean(prompted) }
    return OnboardingAction("permission_result", properties)
  }
}
