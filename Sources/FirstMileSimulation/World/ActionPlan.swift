import FlowDefinition

/// The profile's actions, resolved to templates and to each other's places in the list.
struct ActionPlan: Sendable {
  struct Action: Sendable {
    var habits: ActionHabits
    /// The step it happens on; `nil` where the moment is another, or the flow has no such step.
    var step: Int?
    var after: Int?
    var unless: Int?
    /// By template of the base, where it gives values or decides whether this happens at all;
    /// otherwise one choice under -1.
    var choices: [Int: TemplateChoice]
    /// Reaches a goal of the flow: what raises goals raises its chance.
    var isGain: Bool

    /// What can happen after a base of this template; `nil` where nothing can.
    func choice(after template: Int?) -> TemplateChoice? {
      choices[-1] ?? template.flatMap { choices[$0] }
    }
  }

  private(set) var list: [Action] = []
  /// Actions that later visits bring again.
  private(set) var repeated: [Int] = []
  private(set) var signIns: [Int] = []
  private(set) var before: [Int] = []
  /// All event names in use here.
  private(set) var events: Set<String> = []

  init(_ flow: Flow, _ profile: Profile, _ table: inout TemplateTable) {
    var places: [String: Int] = [:]
    for habits in profile.actions where !Happenings.onboardingEvents.contains(habits.event) {
      let after = habits.after.flatMap { places[$0] }
      if habits.after != nil, after == nil { continue }
      var step: Int?
      if case .onStep(let id) = habits.moment { step = flow.stepIndex(id) }
      let index = list.count
      places[habits.id] = index
      list.append(
        Action(
          habits: habits, step: step, after: after,
          unless: habits.unless.flatMap { places[$0] },
          choices: choices(habits, after, &table),
          isGain: flow.goals.contains { $0.pattern.event == habits.event }))
      events.insert(habits.event)
      if habits.again > 0 { repeated.append(index) }
      switch habits.moment {
      case .signIn: signIns.append(index)
      case .beforeEntry: before.append(index)
      default: break
      }
    }
  }

  func index(of id: String) -> Int? { list.firstIndex { $0.habits.id == id } }

  private func choices(
    _ habits: ActionHabits, _ after: Int?, _ table: inout TemplateTable
  ) -> [Int: TemplateChoice] {
    guard let after, habits.given != nil || !habits.carried.isEmpty else {
      return [-1: choice(habits, [], &table)]
    }
    let given = habits.given.map(ActionHabits.pairs) ?? []
    var choices: [Int: TemplateChoice] = [:]
    for base in Set(list[after].choices.values.flatMap(\.templates)).sorted() {
      let template = table.templates[base]
      guard given.allSatisfy({ template.properties.contains($0) }) else { continue }
      let carried = template.properties.filter { habits.carried.contains($0.name) }
      choices[base] = choice(habits, carried, &table)
    }
    return choices
  }

  private func choice(
    _ habits: ActionHabits, _ carried: [EventTemplate.Property], _ table: inout TemplateTable
  ) -> TemplateChoice {
    var drafts: [(properties: [EventTemplate.Property], weight: Double)] = [(carried, 1)]
    for group in habits.properties {
      drafts = drafts.flatMap { draft in
        group.map { choice in
          (draft.properties + ActionHabits.pairs(choice.properties), draft.weight * choice.weight)
        }
      }
    }
    var choice = TemplateChoice()
    for draft in drafts {
      let template = EventTemplate(event: habits.event, properties: draft.properties)
      choice.add(table.index(of: template), weight: draft.weight)
    }
    return choice
  }
}
