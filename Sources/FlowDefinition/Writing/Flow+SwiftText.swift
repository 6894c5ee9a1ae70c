extension Flow {
  /// Swift code with a call for each event of this flow, for apps that report them with
  /// `OnboardingEvents`: a page, permission or variant that the flow doesn't have doesn't compile.
  ///
  /// - Parameter command: what made it, for the first line.
  public func swiftText(madeBy command: String) -> String {
    SwiftCalls(flow: self).text(madeBy: command)
  }
}

/// Writes the calls of one flow.
private struct SwiftCalls {
  let flow: Flow
  private let typeName: String
  private let variantTypes: [(experiment: Experiment, label: String, type: String)]

  init(flow: Flow) {
    self.flow = flow
    var outer = SwiftName()
    typeName = outer.type(flow.id, ending: "Onboarding")
    var types = SwiftName(taken: ["Page", "Permission"])
    var labels = SwiftName(taken: [
      "action", "time", "userID", "deviceID", "sessionID", "messageID", "context",
    ])
    variantTypes = flow.experiments.map {
      ($0, labels.member($0.id), types.type($0.id, ending: "Variant"))
    }
  }

  func text(madeBy command: String) -> String {
    let parts =
      [pages()] + (flow.permissions.isEmpty ? [] : [permissions()]) + variantTypes.map(variants)
      + [onboardingCalls()] + (flow.permissions.isEmpty ? [] : [permissionCalls()])
      + otherCalls() + [event()]
    let version =
      flow.newestVersion.map { "\n  public static let version = \(SwiftName.literal($0))\n" } ?? ""
    return """
      // Made by `\(SwiftName.comment(command))`; make it again when the flow file changes.
      // Fingerprint of the flow: \(flow.fingerprint)

      import OnboardingEvents

      /// \(SwiftName.comment(flow.title)): what happens in this onboarding, as events.
      public enum \(typeName) {
        /// What its events have as `flow`.
        public static let flow = \(SwiftName.literal(flow.id))
      \(version)
      \(parts.joined(separator: "\n\n"))
      }

      """
  }

  private func cases(_ items: [(value: String, title: String)]) -> String {
    var names = SwiftName()
    return items.map { value, title in
      (title == value ? "" : "    /// \(SwiftName.comment(title))\n")
        + "    case \(names.member(value)) = \(SwiftName.literal(value))"
    }.joined(separator: "\n")
  }

  private func pages() -> String {
    """
      /// The pages of all versions and variants.
      public enum Page: String, Sendable, Hashable, CaseIterable {
    \(cases(flow.steps.map { ($0.id, $0.title) }))
      }
    """
  }

  private func permissions() -> String {
    """
      public enum Permission: String, Sendable, Hashable, CaseIterable {
    \(cases(flow.permissions.map { ($0, $0) }))
      }
    """
  }

  private func variants(
    _ own: (experiment: Experiment, label: String, type: String)
  ) -> String {
    """
      /// The variants of the experiment \(SwiftName.comment(own.experiment.title)).
      public enum \(own.type): String, Sendable, Hashable, CaseIterable {
    \(cases(own.experiment.variants.map { ($0.id, $0.title) }))
      }
    """
  }

  private func onboardingCalls() -> String {
    """
      /// The onboarding began.
      public static func started() -> OnboardingAction { .started }

      /// A page came up.
      public static func pageViewed(_ page: Page) -> OnboardingAction {
        .pageViewed(page.rawValue)
      }

      /// A page, or one thing on it, was left out; the onboarding goes on.
      public static func stepSkipped(_ page: Page, item: String? = nil) -> OnboardingAction {
        .stepSkipped(page.rawValue, item: item)
      }

      /// The rest of the onboarding was skipped, on this page.
      public static func skipped(at page: Page? = nil) -> OnboardingAction {
        .skipped(at: page?.rawValue)
      }

      /// The onboarding came to its end.
      public static func completed(_ method: CompletionMethod = .finished) -> OnboardingAction {
        .completed(method)
      }
    """
  }

  private func permissionCalls() -> String {
    """
      /// The system's dialog for a permission came up.
      public static func permissionPrompted(_ permission: Permission) -> OnboardingAction {
        .permissionPrompted(permission.rawValue)
      }

      /// What became of a request; `prompted` says whether the system's dialog was shown for it.
      public static func permissionResult(
        _ permission: Permission, _ status: PermissionStatus, prompted: Bool? = nil
      ) -> OnboardingAction {
        .permissionResult(permission.rawValue, status, prompted: prompted)
      }
    """
  }

  /// A call for each further event that the flow counts, with the properties that it looks at.
  private func otherCalls() -> [String] {
    var names = SwiftName(taken: [
      "flow", "version", "event", "started", "pageViewed", "stepSkipped", "skipped", "completed",
      "permissionPrompted", "permissionResult",
    ])
    return otherEvents().map { event, properties in
      var labels = SwiftName(taken: ["properties", "all"])
      let parameters = properties.map { (name: $0, label: labels.member($0)) }
      let list =
        parameters.map { "\($0.label): EventValue? = nil" } + ["_ all: [String: EventValue] = [:]"]
      let body = parameters.map {
        "    if let \($0.label) { properties[\(SwiftName.literal($0.name))] = \($0.label) }\n"
      }.joined()
      return """
          public static func \(names.member(event))(
            \(list.joined(separator: ",\n    "))
          ) -> OnboardingAction {
            \(parameters.isEmpty ? "let" : "var") properties = all
        \(body)    return OnboardingAction(\(SwiftName.literal(event)), properties)
          }
        """
    }
  }

  private func otherEvents() -> [(event: String, properties: [String])] {
    var found: [(event: String, properties: [String])] = []
    func add(_ pattern: EventPattern, _ more: [String?] = []) {
      let own = [
        "onboarding_started", "onboarding_page_viewed", "onboarding_step_skipped",
        "onboarding_skipped", "onboarding_completed", "permission_prompted", "permission_result",
      ]
      if own.contains(pattern.event) { return }
      if !found.contains(where: { $0.event == pattern.event }) { found.append((pattern.event, [])) }
      guard let place = found.firstIndex(where: { $0.event == pattern.event }) else { return }
      for name in pattern.conditions.map(\.property) + more.compactMap({ $0 })
      where !name.contains(".") && !found[place].properties.contains(name) {
        found[place].properties.append(name)
      }
    }
    if let entry = flow.entry { add(entry) }
    for goal in flow.goals { add(goal.pattern, [goal.by, goal.value]) }
    for friction in flow.friction { add(friction.pattern) }
    for measure in flow.retention { if let pattern = measure.pattern { add(pattern) } }
    for step in flow.funnels.flatMap(\.steps) { for pattern in step.anyOf { add(pattern) } }
    return found
  }

  private func event() -> String {
    let variants = variantTypes.map { "\n    \($0.label): \($0.type)? = nil," }.joined()
    let experiments = variantTypes.map {
      "    if let \($0.label) { experiments[\(SwiftName.literal($0.experiment.id))] = "
        + "\($0.label).rawValue }\n"
    }.joined()
    let version = flow.newestVersion == nil ? "nil" : "version"
    return """
        /// What happened, when and to whom, as an event of this flow.
        public static func event(
          _ action: OnboardingAction, at time: EventTime, userID: String? = nil,
          deviceID: String? = nil, sessionID: String? = nil, messageID: String? = nil,\(variants)
          context: [String: EventValue] = [:]
        ) -> OnboardingEvent {
          \(variantTypes.isEmpty ? "let" : "var") experiments: [String: String] = [:]
      \(experiments)    return OnboardingEvent(
            action, at: time, userID: userID, deviceID: deviceID, sessionID: sessionID,
            messageID: messageID, flow: flow, flowVersion: \(version), experiments: experiments,
            context: context)
        }
      """
  }
}
