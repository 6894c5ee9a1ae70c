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
    default:
      flow.retention.first { "retention_\($0.id)" == metric }.map(\.words) ?? metric
    }
  }
}
