public import FlowDefinition
public import FunnelEngine

/// A rate as a pair of counters: which persons over which.
public struct RateDefinition: Sendable, Hashable {
  /// The rate's name, as in `metrics.csv`.
  public var metric: MetricName
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
        .completionRate, "all", [layout[.finished], layout[.finishedAfterSkipping]], persons),
      RateDefinition(.skipRate, "all", [layout[.skipped]], persons),
      RateDefinition(.abandonRate, "all", [layout[.abandoned]], persons),
      RateDefinition(.usedSkipRate, "all", [layout[.usedSkip]], persons),
      RateDefinition(
        .resumedInPlace, "all", [layout[.resumedInPlace]], layout[.resumedToPage]),
    ]
    if flow.skip != .ends { rates.remove(at: 1) }
    return rates
  }

  private static func steps(_ flow: Flow, _ layout: CounterLayout) -> [RateDefinition] {
    let persons = layout[.persons]
    let entry = (layout[.leftAtEntrySkipping], layout[.leftAtEntryAbandoned])
    var rates = [
      RateDefinition(.stepDropOff, "(entry)", [entry.0, entry.1], persons),
      RateDefinition(.stepLeftSkipping, "(entry)", [entry.0], persons),
      RateDefinition(.stepAbandoned, "(entry)", [entry.1], persons),
      RateDefinition(
        .stepAbandonedAfterDenial, "(entry)", [layout[.leftAtEntryAfterDenial]], persons),
    ]
    for (index, step) in flow.steps.enumerated() {
      let listed = layout[.listed, index]
      let viewed = layout[.viewed, index]
      let left = (layout[.leftSkipping, index], layout[.abandonedHere, index])
      rates += [
        RateDefinition(.stepReach, step.id, [viewed], listed),
        RateDefinition(.stepBypassed, step.id, [layout[.bypassed, index]], listed),
        RateDefinition(.stepConversion, step.id, [layout[.advanced, index]], viewed),
        RateDefinition(
          .stepCompletion, step.id, [layout[CounterLayout.Step.finished, index]], viewed),
        RateDefinition(.stepDropOff, step.id, [left.0, left.1], viewed),
        RateDefinition(.stepLeftSkipping, step.id, [left.0], viewed),
        RateDefinition(.stepAbandoned, step.id, [left.1], viewed),
        RateDefinition(
          .stepAbandonedAfterDenial, step.id, [layout[.abandonedAfterDenial, index]], viewed),
        RateDefinition(.stepWentBack, step.id, [layout[.wentBack, index]], viewed),
        RateDefinition(.stepDeclined, step.id, [layout[.declined, index]], viewed),
      ]
      if step.branchOf != nil {
        rates.append(
          RateDefinition(
            .branchTaken, step.id, [layout[.branchTaken, index]], layout[.viewedParent, index]))
      }
    }
    for (index, step) in flow.steps.enumerated() {
      rates.append(
        RateDefinition(.skipShare, step.id, [layout[.firstSkip, index]], layout[.usedSkip]))
    }
    rates.append(
      RateDefinition(.skipShare, "(unknown)", [layout.unknownSkipPage], layout[.usedSkip]))
    return rates
  }

  private static func permissions(_ flow: Flow, _ layout: CounterLayout) -> [RateDefinition] {
    let persons = layout[.persons]
    return flow.permissions.enumerated().flatMap { index, name in
      [
        RateDefinition(.permissionOptIn, name, [layout[.optIn, index]], persons),
        RateDefinition(
          .permissionAcceptance, name, [layout[.accepted, index]], layout[.reached, index]),
        RateDefinition(.permissionReach, name, [layout[.reached, index]], persons),
        RateDefinition(
          .permissionRecovered, name, [layout[.recovered, index]],
          layout[.deniedAndMature, index]),
        RateDefinition(
          .permissionLeftAfterDenial, name, [layout[.leftAfterDenial, index]],
          layout[.denied, index]),
        RateDefinition(.permissionSawPriming, name, [layout[.sawPriming, index]], persons),
      ]
        + PermissionClass.allCases.map { answer in
          RateDefinition(.permissionClass(answer), name, [layout[answer, index]], persons)
        }
    }
  }

  /// Goals, friction and retention.
  private static func later(_ flow: Flow, _ layout: CounterLayout) -> [RateDefinition] {
    var rates = flow.goals.enumerated().map { index, goal in
      RateDefinition(
        .goalRate, goal.id, [layout[goal: index, .met]], layout[goal: index, .eligible])
    }
    rates += flow.friction.enumerated().map { index, friction in
      RateDefinition(
        .frictionRate, friction.id, [layout[friction: index]], layout[.persons])
    }
    rates += flow.retention.enumerated().map { index, measure in
      RateDefinition(
        .retention(measure), "all", [layout[retention: index, .met]],
        layout[retention: index, .eligible])
    }
    rates += layout.commonMeasures.enumerated().map { place, measure in
      RateDefinition(
        .retention(flow.retention[measure]).ofCommonCohort, "all",
        [layout.commonMet(place)], layout.commonEligible)
    }
    for (place, goal) in layout.overallGoals.enumerated() {
      rates.append(
        RateDefinition(
          .goalRateOverall, flow.goals[goal].id, [layout[overall: place, .met]],
          layout[overall: place, .eligible]))
    }
    for (offset, measure) in layout.overallRetention.enumerated() {
      let place = layout.overallGoals.count + offset
      rates.append(
        RateDefinition(
          .retention(flow.retention[measure]).overall, "all",
          [layout[overall: place, .met]], layout[overall: place, .eligible]))
    }
    return rates
  }

  private static func funnels(_ flow: Flow, _ layout: CounterLayout) -> [RateDefinition] {
    flow.funnels.enumerated().flatMap { index, funnel in
      funnel.steps.indices.map { step in
        RateDefinition(
          .funnelStep, "\(funnel.id):\(step + 1)", [layout[funnel: index, step]],
          layout[funnel: index, 0])
      }
    }
  }

  package init(_ metric: MetricName, _ step: String, _ numerators: [Int], _ denominator: Int) {
    self.metric = metric
    self.step = step
    self.numerators = numerators
    self.denominator = denominator
  }
}
