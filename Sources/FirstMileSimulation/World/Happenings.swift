import FlowDefinition

/// The events outside the onboarding proper that the flow file counts: goals, friction, anchors,
/// events to come back with.
struct Happenings: Sendable {
  static let onboardingEvents: Set<String> = [
    "onboarding_started", "onboarding_page_viewed", "onboarding_step_skipped",
    "onboarding_skipped", "onboarding_completed", "permission_prompted", "permission_result",
  ]

  var table = TemplateTable()
  private(set) var actions: ActionPlan
  /// By page of the presentation after an update: begun, its pages, completed; and the update.
  private(set) var whatsNew: [Int] = []
  private(set) var updates: [Int] = []
  /// The start of an onboarding on another device.
  private(set) var secondStart = 0
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
  private(set) var frictionIsTold: [Bool] = []
  private(set) var retentionIsTold: [Bool] = []

  init(_ flow: Flow, _ profile: Profile) {
    var table = TemplateTable()
    settingsGrants = flow.permissions.map { permission in
      let habits = profile.permissions[permission] ?? profile.genericPermission
      return table.index(of: Happenings.settingsGrant(permission, habits.settingsStatus))
    }
    secondStart = table.index(
      of: EventTemplate(
        event: "onboarding_started",
        properties: [EventTemplate.Property(name: "device", value: "second")]))
    actions = ActionPlan(flow, profile, &table)
    self.table = table
    events.formUnion(actions.events)
    addWhatsNew(profile)
    addGoals(flow, profile)
    for friction in flow.friction {
      if Happenings.canAct(friction.pattern), isActedOut(friction.pattern) {
        frictionIsTold.append(true)
        frictionChoices.append(nil)
      } else if Happenings.canAct(friction.pattern) {
        frictionIsTold.append(true)
        frictionChoices.append(table.choice(for: friction.pattern))
        events.insert(friction.pattern.event)
      } else {
        frictionIsTold.append(false)
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
  private static func settingsGrant(_ permission: String, _ status: String) -> EventTemplate {
    EventTemplate(
      event: "permission_result",
      properties: [
        EventTemplate.Property(name: "permission", value: permission),
        EventTemplate.Property(name: "status", value: status),
        EventTemplate.Property(name: "source", value: "settings"),
      ])
  }

  /// Whether the pattern can only mean a grant in the Settings, or a start on another device: the
  /// onboarding's own events that are kept as happenings.
  private static func isKeptOnboarding(_ pattern: EventPattern) -> Bool {
    func needs(_ name: String, _ value: String) -> Bool {
      pattern.conditions.contains {
        EventTemplate.bareName($0.property) == name && $0.values == [value]
      }
    }
    return switch pattern.event {
    case "permission_result": needs("source", "settings")
    case "onboarding_started": needs("device", "second")
    default: false
    }
  }

  /// Whether the profile's actions make the pattern's event.
  private func isActedOut(_ pattern: EventPattern) -> Bool {
    actions.events.contains(pattern.event) && table.templates.contains { $0.matches(pattern) }
  }

  /// The action that a text such as `tried status=purchased` is about, and the templates that fit.
  func satisfying(_ text: String) -> (action: Int, templates: Set<Int>)? {
    let id = text.prefix { $0 != " " }
    guard let action = actions.index(of: String(id)) else { return nil }
    let pairs = ActionHabits.pairs(String(text.dropFirst(id.count)))
    let fitting = table.templates.indices.filter { index in
      pairs.allSatisfy { table.templates[index].properties.contains($0) }
    }
    return (action, Set(fitting))
  }

  private mutating func addWhatsNew(_ profile: Profile) {
    guard let habits = profile.whatsNew else { return }
    func property(_ name: String, _ value: String) -> EventTemplate.Property {
      EventTemplate.Property(name: name, value: value)
    }
    var templates = [
      EventTemplate(event: "onboarding_started", properties: [], flow: habits.flow)
    ]
    for (index, page) in habits.pages.enumerated() {
      templates.append(
        EventTemplate(
          event: "onboarding_page_viewed",
          properties: [property("page_name", page), property("page_number", "\(index + 1)")],
          flow: habits.flow))
    }
    templates.append(
      EventTemplate(
        event: "onboarding_completed", properties: [property("completion_method", "finished")],
        flow: habits.flow))
    whatsNew = templates.map { table.index(of: $0) }
    let versions = profile.dayHabits.releases.map(\.appVersion)
    updates = zip(versions, versions.dropFirst()).map { from, to in
      table.index(
        of: EventTemplate(
          event: "app_updated",
          properties: [property("from_version", from), property("to_version", to)]))
    }
    events.insert("app_updated")
  }

  private mutating func addGoals(_ flow: Flow, _ profile: Profile) {
    var seen: Set<EventPattern> = []
    for goal in flow.goals {
      let habits = profile.goals[goal.id] ?? profile.genericGoal
      guard Happenings.canAct(goal.pattern) else {
        let isTold = Happenings.isKeptOnboarding(goal.pattern) && goal.by == nil
        goalChoices.append(nil)
        schedules.append(false)
        goalIsTold.append(isTold)
        guard !isTold else { continue }
        notSimulated.append("goal:\(goal.id)")
        continue
      }
      goalIsTold.append(true)
      events.insert(goal.pattern.event)
      guard !isActedOut(goal.pattern) else {
        goalChoices.append(nil)
        schedules.append(false)
        continue
      }
      goalChoices.append(
        table.choice(for: goal.pattern, by: goal.by, values: habits.values))
      schedules.append(seen.insert(goal.pattern).inserted)
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
      guard isTold, let pattern = measure.pattern, !isActedOut(pattern) else {
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
