package import FlowDefinition
internal import ReportText

/// Metrics in words, for people.
package enum MetricWords {
  package static func of(_ metric: MetricName, step: String, _ flow: Flow) -> String {
    switch metric {
    case .completionRate: "completion"
    case .skipRate: "left by skipping"
    case .usedSkipRate: "used Skip"
    case .abandonRate: "abandoned"
    case .permissionOptIn: "\(step) opt-in"
    case .goalRate: goal(step, flow) + (ofSome(goal: step, flow) ?? "")
    case .goalRateOverall: "\(goal(step, flow)), of everyone"
    case .permissionAcceptance: "\(step) acceptance"
    case .permissionReach: "asked for \(step)"
    case .frictionRate: flow.friction.first { $0.id == step }?.words ?? step
    case .stepReach: "reach of \(screen(step, flow))"
    case .stepDropOff: "left at \(screen(step, flow))"
    default: time(metric, step, flow) ?? retention(metric, flow) ?? metric.rawValue
    }
  }

  /// Metrics in a list: `completion, “First stack” and “Paid” (of everyone)`. Titles may have
  /// commas of their own, so that quotation marks say where they end.
  package static func list(_ comparisons: [MetricComparison], _ flow: Flow) -> String {
    comparisons.map { inSentence($0.metric, step: $0.step, flow) }.listed
  }

  /// A metric within a sentence, with quotation marks about the title of a goal.
  package static func inSentence(_ metric: MetricName, step: String, _ flow: Flow) -> String {
    switch metric {
    case .goalRate where ofSome(goal: step, flow) == nil: "“\(goal(step, flow))”"
    case .goalRateOverall: "“\(goal(step, flow))” (of everyone)"
    default: of(metric, step: step, flow)
    }
  }

  /// A goal with the time that it may take: `First stack (within 2 min)`.
  package static func windowed(_ goal: Goal) -> String {
    "\(goal.title) (within \(RateText.duration(Double(goal.withinMilliseconds) / 1000)))"
  }

  /// The title of a goal, and the value of it that is meant: `Purchases: restored`.
  private static func goal(_ step: String, _ flow: Flow) -> String {
    let parts = step.split(separator: ":", maxSplits: 1).map(String.init)
    guard let goal = flow.goals.first(where: { $0.id == parts.first }) else { return step }
    return parts.count > 1 ? "\(goal.title): \(PlainName.of(parts[1]))" : goal.title
  }

  private static func screen(_ step: String, _ flow: Flow) -> String {
    flow.stepIndex(step).map { flow.steps[$0].title } ?? step
  }

  /// `median time to First stack`, `90th percentile of the time on Welcome`
  private static func time(_ metric: MetricName, _ step: String, _ flow: Flow) -> String? {
    guard let quantile = MetricCatalog.quantile(of: metric) else { return nil }
    let what: String? =
      switch quantile.measure {
      case .timeToComplete: "time to complete"
      case .timeToGoal: "time to \(goal(step, flow))"
      case .timeOnStep: "time on \(screen(step, flow))"
      case .timeToMoveOn: "time to move on from \(screen(step, flow))"
      default: nil
      }
    return what.map {
      quantile.percent == 50 ? "median \($0)" : "\(quantile.percent)th percentile of the \($0)"
    }
  }

  private static func retention(_ metric: MetricName, _ flow: Flow) -> String? {
    for measure in flow.retention {
      let name = MetricName.retention(measure)
      if metric == name.ofCommonCohort { return measure.words + ", common cohort" }
      if metric == name.overall { return measure.words + ", of everyone" }
    }
    return flow.retention.first { .retention($0) == metric }.map {
      $0.words + (ofSome($0.anchor, viewed: nil, flow) ?? "")
    }
  }

  private static func ofSome(goal id: String, _ flow: Flow) -> String? {
    flow.goals.first { $0.id == id }.flatMap { ofSome($0.anchor, viewed: $0.ofViewedStep, flow) }
  }

  /// Whom a rate is of, where that isn't everybody: `, of those who saw Premium`,
  /// `, of those with “Paid”`; `nil` where it is everybody.
  package static func ofSome(_ anchor: Anchor, viewed step: Int?, _ flow: Flow) -> String? {
    let origin: String? =
      switch anchor {
      case .entry: nil
      case .event(let pattern): "with “\(pattern.words(flow))”"
      case .goal(let index) where flow.goals.indices.contains(index):
        "with “\(flow.goals[index].title)”"
      case .goal: nil
      }
    let viewed = step.flatMap { flow.steps.indices.contains($0) ? flow.steps[$0] : nil }
    let people = [viewed.map { "who saw \($0.title)" }, origin].compactMap(\.self)
    return people.isEmpty ? nil : ", of those \(people.joined(separator: " and "))"
  }

  /// A metric of any kind with what is said of it: `day 7 retention, relative lift over the
  /// control`.
  package static func line(_ metric: MetricName, step: String, _ flow: Flow) -> String {
    let words: String? =
      switch metric.comparison {
      case .observationalLiftStratified:
        "relative lift of finishing over skipping, stratified (observational)"
      case .observationalLift: "relative lift of finishing over skipping (observational)"
      case .lift: "relative lift over the control"
      case .difference: "difference to the control"
      case .p, .adjustedP, .probabilityBetter, nil: nil
      }
    guard let words, let rest = metric.comparedNumber else {
      return of(metric, step: step, flow)
    }
    return "\(of(rest, step: step, flow)), \(words)"
  }
}
