package import FlowDefinition

/// The adversarial flows with funnels drawn at random: steps of any kind, optional ones,
/// exclusions, every order, window and entry.
package struct RandomFunnels {
  private var generator: SeededGenerator

  package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private static let patterns = [
    EventPattern(event: "onboarding_started"),
    EventPattern(event: "onboarding_page_viewed"),
    EventPattern(
      event: "onboarding_page_viewed",
      conditions: [PropertyCondition(property: "page_name", values: ["plan", "done"])]),
    EventPattern(event: "permission_result"), EventPattern(event: "onboarding_completed"),
    EventPattern(event: "stack_created"), EventPattern(event: "stack_created"),
    EventPattern(event: "purchase"), EventPattern(event: "installed"),
    EventPattern(event: "code_failed"), EventPattern(event: "push_delivered"),
    EventPattern(event: "app_opened"),
  ]

  /// The flow with other funnels.
  package mutating func flow(_ flow: Flow) -> Flow {
    var flow = flow
    flow.funnels = (0..<4).map { funnel("f\($0)") }
    return flow
  }

  private mutating func pattern() -> EventPattern {
    generator.pick(Self.patterns, or: Self.patterns[0])
  }

  private mutating func funnel(_ id: String) -> CustomFunnel {
    let count = 1 + generator.below(4)
    var steps: [FunnelStep] = []
    for step in 0..<count {
      let events = generator.chance(15) ? [pattern(), pattern()] : [pattern()]
      steps.append(FunnelStep(anyOf: events, isOptional: step > 0 && generator.chance(30)))
    }
    if generator.chance(40) { steps[0] = FunnelStep(anyOf: [Self.patterns[0]]) }
    var funnel = CustomFunnel(
      id: id, steps: steps,
      windowMilliseconds: Int64(generator.pick([400, 90_000, 3_600_000, 86_400_000], or: 400)),
      windowScope: generator.pick(CustomFunnel.WindowScope.allCases, or: .whole),
      order: generator.pick([.ordered, .ordered, .strict, .any], or: .ordered),
      entry: generator.pick(CustomFunnel.Entry.allCases, or: .first))
    for _ in 0..<(count > 1 ? generator.below(3) : 0) {
      let from = 1 + generator.below(count - 1)
      funnel.exclusions.append(
        FunnelExclusion(
          pattern: pattern(), from: from, to: from + 1 + generator.below(count - from),
          effect: generator.pick(FunnelExclusion.Effect.allCases, or: .remove)))
    }
    return funnel
  }
}
