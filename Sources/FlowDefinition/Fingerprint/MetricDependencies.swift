/// Which definitions of a flow a metric depends on, beyond those that all metrics do.
struct MetricDependencies {
  let flow: Flow
  private let catalog: MetricCatalog
  private let experiments: CanonicalValue
  private let statistics: CanonicalValue?
  private let dimensions: CanonicalValue
  private let goals: [String: CanonicalValue]
  private let friction: [String: CanonicalValue]
  private let funnels: [String: CanonicalValue]
  private let retention: [String: CanonicalValue]

  init(_ flow: Flow) {
    func parts(_ names: [String], _ values: [CanonicalValue]) -> [String: CanonicalValue] {
      Dictionary(zip(names, values.map(\.written)), uniquingKeysWith: { first, _ in first })
    }
    self.flow = flow
    catalog = MetricCatalog(flow)
    experiments = CanonicalValue.array(flow.experiments.map { flow.canonical($0) }).written
    statistics = flow.canonicalStatistics()?.written
    dimensions = flow.canonicalDimensions().written
    goals = parts(
      flow.goals.map(\.id),
      flow.goals.indices.map { flow.canonicalGoal($0, depth: flow.goals.count) })
    friction = parts(flow.friction.map(\.id), flow.friction.map { flow.canonical($0) })
    funnels = parts(flow.funnels.map(\.id), flow.funnels.map { flow.canonical($0) })
    retention = parts(flow.retention.map(\.id), flow.retention.map { flow.canonical($0) })
  }

  /// The parts by their key in the canonical JSON; `nil` for a name that is no metric, or that
  /// depends on everything.
  func parts(of metric: MetricName, step: String) -> [String: CanonicalValue]? {
    // Holm's adjustment is over all metrics of the report: any of them changes it.
    let comparison = metric.comparison
    if comparison == .adjustedP { return nil }
    if MetricCatalog.numbersOfVariants.contains(metric)
      || MetricCatalog.experimentCounts.contains(metric)
    {
      return ["experiments": experiments]
    }
    if let comparison, let rate = metric.comparedNumber {
      guard var parts = plainParts(of: rate, step: step) else { return nil }
      if comparison == .observationalLiftStratified {
        parts["dimensions"] = dimensions
      }
      if !comparison.isObservational {
        parts["experiments"] = experiments
        parts["statistics"] = statistics
      }
      return parts
    }
    return plainParts(of: metric, step: step)
  }

  private func plainParts(of metric: MetricName, step: String) -> [String: CanonicalValue]? {
    if metric.isRetention {
      return retentionParts(metric)
        ?? (metric.isOverall ? retentionParts(metric.withoutOverall) : nil)
    }
    guard let kind = catalog.kind(of: metric) else { return nil }
    switch kind {
    case .none: return [:]
    case .step: return stepParts(metric, step)
    case .permission: return permissionParts(step)
    case .goal:
      let id = String(step.prefix { $0 != ":" })
      return goals[id].map { ["goal": $0] }
    case .friction:
      return friction[step].map { ["friction": $0] }
    case .funnel:
      let id = String(step.prefix { $0 != ":" })
      return funnels[id].map { ["funnel": $0] }
    }
  }

  private func stepParts(_ metric: MetricName, _ step: String) -> [String: CanonicalValue] {
    // Whether a step branches off or is optional distinguishes "bypassed" from "not taken".
    guard [.branchTaken, .stepBypassed].contains(metric),
      let declared = flow.steps.first(where: { $0.id == step })
    else { return [:] }
    return [
      "optional": .boolean(declared.isOptional),
      "branch_of": .text(declared.branchOf.map(flow.stepID) ?? ""),
    ]
  }

  private func permissionParts(_ permission: String) -> [String: CanonicalValue] {
    let asking = flow.steps.filter { $0.asks.contains(permission) }.map(\.id)
    return ["permission": .text(permission), "asked_on": .textSet(asking)]
  }

  private func retentionParts(_ metric: MetricName) -> [String: CanonicalValue]? {
    if metric.isOfCommonCohort, let own = retentionParts(metric.withoutCommonCohort) {
      // Who is in it is a matter of all measures that it has in common.
      let all = flow.commonCohortMeasures.map { flow.canonical(flow.retention[$0]) }
      return own.merging(["common": .array(all)]) { own, _ in own }
    }
    guard let id = metric.retentionID, let measure = retention[id] else { return nil }
    // Where the visit of the attempt ends is a matter of activity, whatever one comes back for.
    return [
      "retention": measure, "day": .text(flow.day.rawValue),
      "not_activity": .textSet(flow.notActivity),
    ]
  }
}
