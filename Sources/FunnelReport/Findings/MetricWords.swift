internal import FlowDefinition

/// Metrics in words, for people.
enum MetricWords {
  static func of(_ metric: String, step: String, _ flow: Flow) -> String {
    switch metric {
    case "completion_rate": "completion"
    case "skip_rate": "skipped"
    case "used_skip_rate": "used skip"
    case "abandon_rate": "abandoned"
    case "permission_opt_in": "\(step) opt-in"
    case "goal_rate": "goal \(step)"
    case "permission_acceptance": "\(step) acceptance"
    case "permission_reach": "\(step) reach"
    case "friction_rate": "friction \(step)"
    case "step_reach": "reach of \(step)"
    case "step_drop_off": "left at \(step)"
    default:
      flow.retention.first { "retention_\($0.id)" == metric }.map(\.words) ?? metric
    }
  }

  /// A metric of any kind in a line of its own: `Day 7 retention, lift over the control`.
  static func line(_ metric: String, step: String, _ flow: Flow) -> String {
    let kinds = [
      ("observational_lift_stratified_", "finishing over skipping, stratified (observational)"),
      ("observational_lift_", "finishing over skipping (observational)"),
      ("lift_", "lift over the control"), ("difference_", "difference to the control"),
    ]
    for (prefix, words) in kinds where metric.hasPrefix(prefix) {
      let rest = of(String(metric.dropFirst(prefix.count)), step: step, flow)
      return "\(rest.capitalizedFirst), \(words)"
    }
    return of(metric, step: step, flow).capitalizedFirst
  }
}
