/// The parts of a flow as canonical values: only what changes numbers. Titles, targets, expected
/// durations and the step a friction is shown at change none.
extension Flow {
  func canonical(_ pattern: EventPattern) -> CanonicalValue {
    let conditions = pattern.conditions.map { condition in
      CanonicalValue.object([
        "property": .text(condition.property), "values": .textSet(condition.values),
      ])
    }
    return .object(present: [
      "event": .text(pattern.event),
      "where": conditions.isEmpty ? nil : .set(conditions),
    ])
  }

  /// Ids are in it as one hash: a fingerprint's text names nobody.
  func canonical(_ leaveOut: LeaveOut) -> CanonicalValue {
    let marks = leaveOut.marks.map { mark in
      canonical(EventPattern(event: mark.event ?? "", conditions: mark.conditions))
    }
    let ids = CanonicalValue.textSet(leaveOut.ids).json
    return .object(present: [
      "marks": .set(marks),
      "ids": leaveOut.ids.isEmpty ? nil : .text(SHA256Digest.hexadecimal(ids)),
    ])
  }

  func canonical(_ anchor: Anchor) -> CanonicalValue {
    switch anchor {
    case .entry: .text("entry")
    case .event(let pattern): canonical(pattern)
    // The whole goal, not only its id: what it means decides where the window begins.
    case .goal(let index): .object(["goal": canonicalGoal(index, depth: goals.count)])
    }
  }

  /// `depth` ends the recursion for values not made by the parser, which refuses cycles.
  func canonicalGoal(_ index: Int, depth: Int) -> CanonicalValue {
    guard goals.indices.contains(index) else { return .text("(unknown)") }
    let goal = goals[index]
    let anchor: CanonicalValue
    if case .goal(let next) = goal.anchor {
      anchor =
        depth > 0
        ? .object(["goal": canonicalGoal(next, depth: depth - 1)]) : .text("(itself)")
    } else {
      anchor = canonical(goal.anchor)
    }
    return .object(present: [
      "id": .text(goal.id), "pattern": canonical(goal.pattern),
      "within_ms": .integer(goal.withinMilliseconds), "by": goal.by.map { .text($0) },
      "take": canonical(goal.take), "value": goal.value.map { .text($0) },
      "winsorise": goal.winsorisedAt.map { .number($0) },
      "per_event": goal.countsAmountPerEvent ? .boolean(true) : nil,
      "of_viewed": goal.ofViewedStep.map { .text(stepID($0)) }, "anchor": anchor,
    ])
  }

  /// `nil` for the default, so that goals without it keep their fingerprint.
  private func canonical(_ take: GoalValueRule) -> CanonicalValue? {
    switch take {
    case .first: nil
    case .last: .text("last")
    case .preferred(let values): .texts(values)
    }
  }

  /// One dimension as a text, as it was before there could be several.
  private func canonicalStrata(_ experiment: Experiment) -> CanonicalValue? {
    let dimensions = experiment.stratifiedBy
    return dimensions.count > 1 ? .textSet(dimensions) : dimensions.first.map { .text($0) }
  }

  func canonical(_ friction: Friction) -> CanonicalValue {
    .object(["id": .text(friction.id), "pattern": canonical(friction.pattern)])
  }

  func canonical(_ measure: RetentionMeasure) -> CanonicalValue {
    let (start, end) = measure.window.days
    return .object(present: [
      "id": .text(measure.id), "start_day": .integer(Int64(start)),
      "end_day": .integer(Int64(end)), "pattern": measure.pattern.map { canonical($0) },
      "anchor": canonical(measure.anchor),
    ])
  }

  func canonical(_ funnel: CustomFunnel) -> CanonicalValue {
    .object([
      "id": .text(funnel.id),
      "steps": .array(
        funnel.steps.map { step in
          .object([
            "any_of": .set(step.anyOf.map { canonical($0) }),
            "optional": .boolean(step.isOptional),
          ])
        }),
      "window_ms": .integer(funnel.windowMilliseconds),
      "window_per": .text(funnel.windowScope.rawValue), "order": .text(funnel.order.rawValue),
      "entry": .text(funnel.entry.rawValue),
      "exclude": .set(
        funnel.exclusions.map { exclusion in
          .object([
            "pattern": canonical(exclusion.pattern), "from": .integer(Int64(exclusion.from)),
            "to": .integer(Int64(exclusion.to)), "effect": .text(exclusion.effect.rawValue),
          ])
        }),
    ])
  }

  func canonical(_ experiment: Experiment) -> CanonicalValue {
    .object(present: [
      "id": .text(experiment.id), "control": .text(experiment.controlID),
      "sequential": .boolean(experiment.isSequential),
      "contaminated": .text(experiment.contaminated.rawValue),
      "start_ms": experiment.startMilliseconds.map { .integer($0) },
      "end_ms": experiment.endMilliseconds.map { .integer($0) },
      "splits": experiment.periods.isEmpty
        ? nil
        : .array(
          experiment.periods.map { period in
            .object([
              "start_ms": .integer(period.startMilliseconds),
              "shares": .array(period.shares.map { .number($0) }),
            ])
          }),
      "exposure": experiment.exposure.map { canonical($0) },
      "plan": experiment.plan.map(canonical),
      "planned": experiment.plannedPeople.map { .integer(Int64($0)) },
      "prior": experiment.priorDeviation.map { .number($0) },
      "stratify": canonicalStrata(experiment),
      "cluster": experiment.clusterPath.map { .text($0) },
      // In declared order, which breaks ties.
      "variants": .array(
        experiment.variants.map { variant in
          .object(present: [
            "id": .text(variant.id), "share": .number(variant.share),
            "steps": variant.steps.map { canonicalList($0) },
          ])
        }),
    ])
  }

  private func canonical(_ plan: ExperimentPlan) -> CanonicalValue {
    func name(_ rate: TestedRate) -> String { "\(rate.metric):\(rate.step)" }
    return .object([
      "primary": .text(name(plan.primary)),
      "guardrails": .set(
        plan.guardrails.map {
          .object(["rate": .text(name($0.rate)), "margin": .number($0.margin)])
        }),
    ])
  }

  /// `nil` for the defaults, so that a flow file that leaves them out keeps its fingerprint.
  func canonicalStatistics() -> CanonicalValue? {
    guard statistics != StatisticsSettings() else { return nil }
    return .object([
      "alpha": .number(statistics.alpha), "power": .number(statistics.power),
      "target_lift": .number(statistics.targetLift),
      "correction": .text(statistics.correction.rawValue),
      "rate_interval": .text(statistics.rateInterval.rawValue),
      "sequential_tuning": .integer(Int64(statistics.sequentialTuningPersons)),
    ])
  }

  func canonicalList(_ list: [Int]) -> CanonicalValue { .texts(list.map(stepID)) }

  func stepID(_ index: Int) -> String {
    steps.indices.contains(index) ? steps[index].id : "(unknown)"
  }
}
