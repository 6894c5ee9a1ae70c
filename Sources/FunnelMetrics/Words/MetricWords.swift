package import FlowDefinition
internal import ReportText

/// Metrics in words, for people.
package enum MetricWords {
  package static func of(_ metric: String, step: String, _ flow: Flow) -> String {
    switch metric {
    case "completion_rate": "completion"
    case "skip_rate": "left by skipping"
    case "used_skip_rate": "used Skip"
    case "abandon_rate": "abandoned"
    case "permission_opt_in": "\(step) opt-in"
    case "goal_rate": goal(step, flow) + (isAmongSome(metric, step, flow) ? amongSome : "")
    case "goal_rate_overall": "\(goal(step, flow)), of everyone"
    case "permission_acceptance": "\(step) acceptance"
    case "permission_reach": "asked for \(step)"
    case "friction_rate": flow.friction.first { $0.id == step }?.words ?? step
    case "step_reach": "reach of \(screen(step, flow))"
    case "step_drop_off": "left at \(screen(step, flow))"
    default: time(metric, step, flow) ?? retention(metric, flow) ?? metric
    }
  }

  /// Metrics in a list: `completion, “First stack” and “Paid” (of everyone)`. Titles may have
  /// commas of their own, so that quotation marks say where they end.
  package static func list(_ comparisons: [MetricComparison], _ flow: Flow) -> String {
    comparisons.map { inSentence($0.metric, step: $0.step, flow) }.listed
  }

  /// A metric within a sentence, with quotation marks about the title of a goal.
  package static func inSentence(_ metric: String, step: String, _ flow: Flow) -> String {
    switch metric {
    case "goal_rate" where !isAmongSome(metric, step, flow): "“\(goal(step, flow))”"
    case "goal_rate_overall": "“\(goal(step, flow))” (of everyone)"
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
  private static func time(_ metric: String, _ step: String, _ flow: Flow) -> String? {
    guard let quantile = MetricCatalog.quantile(of: metric) else { return nil }
    let what: String? =
      switch quantile.measure {
      case "time_to_complete": "time to complete"
      case "time_to_goal": "time to \(goal(step, flow))"
      case "time_on_step": "time on \(screen(step, flow))"
      case "time_to_move_on": "time to move on from \(screen(step, flow))"
      default: nil
      }
    return what.map {
      quantile.percent == 50 ? "median \($0)" : "\(quantile.percent)th percentile of the \($0)"
    }
  }

  private static func retention(_ metric: String, _ flow: Flow) -> String? {
    for (suffix, words) in [
      (Flow.commonCohortSuffix, ", common cohort"), ("_overall", ", of everyone"),
    ]
    where metric.hasSuffix(suffix) {
      let name = metric.dropLast(suffix.count)
      guard let measure = flow.retention.first(where: { "retention_\($0.id)" == name }) else {
        continue
      }
      return measure.words + words
    }
    return flow.retention.first { "retention_\($0.id)" == metric }.map {
      $0.words + (flow.isRandomised($0) ? "" : amongSome)
    }
  }

  private static let amongSome = ", among those who got there"

  private static func isAmongSome(_ metric: String, _ step: String, _ flow: Flow) -> Bool {
    flow.goals.first { $0.id == step }.map { !flow.isRandomised($0) } ?? false
  }

  /// A metric of any kind with what is said of it: `day 7 retention, lift over the control`.
  package static func line(_ metric: String, step: String, _ flow: Flow) -> String {
    let kinds = [
      ("observational_lift_stratified_", "finishing over skipping, stratified (observational)"),
      ("observational_lift_", "finishing over skipping (observational)"),
      ("lift_", "lift over the control"), ("difference_", "difference to the control"),
    ]
    for (prefix, words) in kinds where metric.hasPrefix(prefix) {
      let rest = of(String(metric.dropFirst(prefix.count)), step: step, flow)
      return "\(rest), \(words)"
    }
    return of(metric, step: step, flow)
  }
}
