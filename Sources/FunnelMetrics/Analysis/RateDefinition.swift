public import FlowDefinition
public import FunnelEngine

/// A rate as a pair of counters: which persons over which.
public struct RateDefinition: Sendable, Hashable {
  /// The rate's name, as in `metrics.csv`.
  public var metric: String
  /// The step, goal, permission, page or funnel step; `all` where the rate has none.
  public var step: String
  /// The counters that are added up above the line, by their place in the `CounterLayout`.
  public var numerators: [Int]
  /// The counter below the line, by its place in the `CounterLayout`.
  public var denominator: Int

  /// Every rate of a flow, in the order of output.
  public static func all(_ flow: Flow, _ layout: CounterLayout) -> [RateDefinition] {
    outcomes(flow, layout) + steps(flow, layout) + permissions(flow, layout)
      + later(flow, layout) + funnels(flow, layout)
  }

  private static func outcomes(_ flow: Flow, _ layout: CounterLayout) -> [RateDefinition] {
    let persons = layout[.persons]
    var rates = [
      RateDefinition(
        "completion_rate", "all", [layout[.finished], layout[.finishedAfterSkipping]], persons),
      RateDefinition("skip_rate", "all", [layout[.skipped]], persons),
      RateDefinition("abandon_rate", "all", [layout[.abandoned]], persons),
      RateDefinition("used_skip_rate", "all", [layout[.usedSkip]], persons),
      RateDefinition(
        "resumed_in_place", "all", [layout[.resumedInPlace]], layout[.resumedToPage]),
    ]
    if flow.skip != .ends { rates.remove(at: 1) }
    return rates
  }

  private static func steps(_ flow: Flow, _ layout: CounterLayout) -> [RateDefinition] {
    let persons = layout[.persons]
    let entry = (layout[.leftAtEntrySkipping], layout[.leftAtEntryAbandoned])
    var rates = [
      RateDefinition("step_drop_off", "(entry)", [entry.0, entry.1], persons),
      RateDefinition("step_left_skipping", "(entry)", [entry.0], persons),
      RateDefinition("step_abandoned", "(entry)", [entry.1], persons),
      RateDefinition(
        "step_abandoned_after_denial", "(entry)", [layout[.leftAtEntryAfterDenial]], persons),
    ]
    for (index, step) in flow.steps.enumerated() {
      let listed = layout[.listed, index]
      let viewed = layout[.viewed, index]
      let left = (layout[.leftSkipping, index], layout[.abandonedHere, index])
      rates += [
        RateDefinition("step_reach", step.id, [viewed], listed),
        RateDefinition("step_bypassed", step.id, [layout[.bypassed, index]], listed),
        RateDefinition("step_conversion", step.id, [layout[.advanced, index]], viewed),
        RateDefinition(
          "step_completion", step.id, [layout[CounterLayout.Step.finished, index]], viewed),
        RateDefinition("step_drop_off", step.id, [left.0, left.1], viewed),
        RateDefinition("step_left_skipping", step.id, [left.0], viewed),
        RateDefinition("step_abandoned", step.id, [left.1], viewed),
        RateDefinition(
          "step_abandoned_after_denial", step.id, [layout[.abandonedAfterDenial, index]], viewed),
        RateDefinition("step_went_back", step.id, [layout[.wentBack, index]], viewed),
        RateDefinition("step_declined", step.id, [layout[.declined, index]], viewed),
      ]
      if step.branchOf != nil {
        rates.append(
          RateDefinition(
            "branch_taken", step.id, [layout[.branchTaken, index]], layout[.viewedParent, index]))
      }
    }
    for (index, step) in flow.steps.enumerated() {
      rates.append(
        RateDefinition("skip_share", step.id, [layout[.firstSkip, index]], layout[.usedSkip]))
    }
    rates.append(
      RateDefinition("skip_share", "(unknown)", [layout.unknownSkipPage], layout[.usedSkip]))
    return rates
  }

  private static func permissions(_ flow: Flow, _ layout: CounterLayout) -> [RateDefinition] {
    let persons = layout[.persons]
    return flow.permissions.enumerated().flatMap { index, name in
      [
        RateDefinition("permission_opt_in", name, [layout[.optIn, index]], persons),
        RateDefinition(
          "permission_acceptance", name, [layout[.accepted, index]], layout[.reached, index]),
        RateDefinition("permission_reach", name, [layout[.reached, index]], persons),
        RateDefinition(
          "permission_recovered", name, [layout[.recovered, index]],
          layout[.deniedAndMature, index]),
        RateDefinition(
          "permission_left_after_denial", name, [layout[.leftAfterDenial, index]],
          layout[.denied, index]),
        RateDefinition("permission_saw_priming", name, [layout[.sawPriming, index]], persons),
      ]
        + PermissionClass.allCases.map { answer in
          RateDefinition("permission_class_\(answer.name)", name, [layout[answer, index]], persons)
        }
    }
  }

  /// Goals, friction and retention.
  private static func later(_ flow: Flow, _ layout: CounterLayout) -> [RateDefinition] {
    var rates = flow.goals.enumerated().map { index, goal in
      RateDefinition(
        "goal_rate", goal.id, [layout[goal: index, .met]], layout[goal: index, .eligible])
    }
    rates += flow.friction.enumerated().map { index, friction in
      RateDefinition(
        "friction_rate", friction.id, [layout[friction: index]], layout[.persons])
    }
    rates += flow.retention.enumerated().map { index, measure in
      RateDefinition(
        "retention_\(measure.id)", "all", [layout[retention: index, .met]],
        layout[retention: index, .eligible])
    }
    rates += layout.commonMeasures.enumerated().map { place, measure in
      RateDefinition(
        "retention_\(flow.retention[measure].id)\(Flow.commonCohortSuffix)", "all",
        [layout.commonMet(place)], layout.commonEligible)
    }
    for (place, goal) in layout.overallGoals.enumerated() {
      rates.append(
        RateDefinition(
          "goal_rate_overall", flow.goals[goal].id, [layout[overall: place, .met]],
          layout[overall: place, .eligible]))
    }
    for (offset, measure) in layout.overallRetention.enumerated() {
      let place = layout.overallGoals.count + offset
      rates.append(
        RateDefinition(
          "retention_\(flow.retention[measure].id)_overall", "all",
          [layout[overall: place, .met]], layout[overall: place, .eligible]))
    }
    return rates
  }

  private static func funnels(_ flow: Flow, _ layout: CounterLayout) -> [RateDefinition] {
    flow.funnels.enumerated().flatMap { index, funnel in
      funnel.steps.indices.map { step in
        RateDefinition(
          "funnel_step", "\(funnel.id):\(step + 1)", [layout[funnel: index, step]],
          layout[funnel: index, 0])
      }
    }
  }

  package init(_ metric: String, _ step: String, _ numerators: [Int], _ denominator: Int) {
    self.metric = metric
    self.step = step
    self.numerators = numerators
    self.denominator = denominator
  }
}
