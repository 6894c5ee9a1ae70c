import FlowDefinition

/// The flow's custom funnels, as far as the simulator can follow them: steps in order, within one
/// window from the first entry, without optional steps and exclusions.
struct FunnelPlan: Sendable {
  struct Funnel: Sendable {
    var id: String
    var windowMilliseconds: Int64
    var steps: [Step]
  }

  /// Which lines are a step.
  struct Step: Sendable {
    /// By template and by activity.
    var templates: [Bool]
    var activities: [Bool]
    /// The onboarding's own events.
    var onboarding: [EventPattern]
  }

  private(set) var funnels: [Funnel] = []
  private(set) var notSimulated: [String] = []

  init(_ flow: Flow, _ templates: [EventTemplate], _ names: ActivityNames) {
    for funnel in flow.funnels {
      let isPlain =
        funnel.order == .ordered && funnel.entry == .first && funnel.windowScope == .whole
        && funnel.exclusions.isEmpty
        && funnel.steps.allSatisfy { !$0.isOptional && $0.anyOf.allSatisfy(FunnelPlan.canFollow) }
      guard isPlain else {
        notSimulated.append("funnel:\(funnel.id)")
        continue
      }
      let steps = funnel.steps.map { step in
        Step(
          templates: templates.map { template in step.anyOf.contains { template.matches($0) } },
          activities: names.names.map { name in
            step.anyOf.contains { $0.event == name && $0.conditions.isEmpty }
          },
          onboarding: step.anyOf.filter { Happenings.onboardingEvents.contains($0.event) })
      }
      funnels.append(
        Funnel(id: funnel.id, windowMilliseconds: funnel.windowMilliseconds, steps: steps))
    }
  }

  private static func canFollow(_ pattern: EventPattern) -> Bool {
    pattern.conditions.allSatisfy { !EventTemplate.bareName($0.property).contains(".") }
  }
}
