import FlowDefinition

/// The events outside the onboarding proper that the flow file counts: goals, friction, anchors,
/// events to come back with.
struct Happenings: Sendable {
  static let onboardingEvents: Set<String> = [
    "onboarding_started", "onboarding_page_viewed", "onboarding_step_skipped",
    "onboarding_skipped", "onboarding_completed", "permission_prompted", "permission_result",
  ]

  private(set) var table = TemplateTable()
  /// By goal, friction and retention measure; `nil` where it can't be acted out, or where any
  /// activity will do.
  private(set) var goalChoices: [TemplateChoice?] = []
  private(set) var frictionChoices: [TemplateChoice?] = []
  private(set) var retentionChoices: [TemplateChoice?] = []
  /// Events that anchor something and come just before entry, such as `app_installed`.
  private(set) var anchorChoices: [TemplateChoice] = []
  /// By goal: whether it makes its event happen; the second goal with a pattern does not.
  private(set) var schedules: [Bool] = []
  /// By permission: granted in the Settings, which a goal may ask for.
  private(set) var settingsGrants: [Int] = []
  private(set) var notSimulated: [String] = []
  /// All event names in use here.
  private(set) var events: Set<String> = []
  private(set) var goalIsTold: [Bool] = []
  private(set) var retentionIsTold: [Bool] = []

  init(_ flow: Flow, _ profile: Profile) {
    settingsGrants = flow.permissions.map { permission in
      table.index(of: Happenings.settingsGrant(permission))
    }
    addGoals(flow, profile)
    for friction in flow.friction {
      if Happenings.canAct(friction.pattern) {
        frictionChoices.append(table.choice(for: friction.pattern))
        events.insert(friction.pattern.event)
      } else {
        frictionChoices.append(nil)
        notSimulated.append("friction:\(friction.id)")
      }
    }
    addRetention(flow)
    for anchor in flow.goals.map(\.anchor) + flow.retention.map(\.anchor) {
      guard case .event(let pattern) = anchor, Happenings.canAct(pattern) else { continue }
      guard events.insert(pattern.event).inserted else { continue }
      anchorChoices.append(table.choice(for: pattern))
    }
  }

  static func canAct(_ pattern: EventPattern) -> Bool {
    !onboardingEvents.contains(pattern.event)
      && pattern.conditions.allSatisfy {
        !EventTemplate.bareName($0.property).contains(".") && !$0.values.isEmpty
      }
  }

  /// What a grant in the Settings looks like.
  private static func settingsGrant(_ permission: String) -> EventTemplate {
    EventTemplate(
      event: "permission_result",
      properties: [
        EventTemplate.Property(name: "permission", value: permission),
        EventTemplate.Property(name: "status", value: "granted"),
        EventTemplate.Property(name: "source", value: "settings"),
      ])
  }

  /// Whether the pattern can only mean a grant in the Settings.
  private static func isSettingsGrant(_ pattern: EventPattern) -> Bool {
    pattern.event == "permission_result"
      && pattern.conditions.contains {
        EventTemplate.bareName($0.property) == "source" && $0.values == ["settings"]
      }
  }

  private mutating func addGoals(_ flow: Flow, _ profile: Profile) {
    var seen: Set<EventPattern> = []
    for goal in flow.goals {
      let habits = profile.goals[goal.id] ?? profile.genericGoal
      guard Happenings.canAct(goal.pattern) else {
        let isTold = Happenings.isSettingsGrant(goal.pattern) && goal.by == nil
        goalChoices.append(nil)
        schedules.append(false)
        goalIsTold.append(isTold)
        guard !isTold else { continue }
        notSimulated.append("goal:\(goal.id)")
        continue
      }
      goalChoices.append(
        table.choice(for: goal.pattern, by: goal.by, values: habits.values))
      schedules.append(seen.insert(goal.pattern).inserted)
      goalIsTold.append(true)
      events.insert(goal.pattern.event)
    }
    for (index, goal) in flow.goals.enumerated() where goalIsTold[index] {
      guard !isKnown(goal.anchor) else { continue }
      goalIsTold[index] = false
      notSimulated.append("goal:\(goal.id)")
    }
  }

  private mutating func addRetention(_ flow: Flow) {
    for measure in flow.retention {
      let isPossible = measure.pattern.map(Happenings.canAct) ?? true
      let isTold = isPossible && isKnown(measure.anchor)
      retentionIsTold.append(isTold)
      if !isTold { notSimulated.append("retention:\(measure.id)") }
      guard isTold, let pattern = measure.pattern else {
        retentionChoices.append(nil)
        continue
      }
      retentionChoices.append(table.choice(for: pattern))
      events.insert(pattern.event)
    }
  }

  private func isKnown(_ anchor: Anchor) -> Bool {
    switch anchor {
    case .entry: true
    case .event(let pattern): Happenings.canAct(pattern)
    case .goal(let index): goalIsTold.indices.contains(index) && goalIsTold[index]
    }
  }
}
