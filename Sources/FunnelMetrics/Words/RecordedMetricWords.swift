package import FlowDefinition
internal import ReportText

/// Metrics in words where nothing but a report's file is at hand, which names steps, goals and
/// permissions by their ids: `reach of How tests work`, `Day 7 retention`.
package enum RecordedMetricWords {
  /// As a line of a list begins.
  package static func of(_ metric: MetricName, step: String) -> String {
    let subject = PlainName.of(step).capitalizedFirst
    return switch metric {
    case .completionRate: "Completion"
    case .skipRate: "Left by skipping"
    case .abandonRate: "Abandoned"
    case .usedSkipRate: "Used Skip"
    case .stepReach: "Reach of \(subject)"
    case .permissionOptIn: "\(subject) opt-in"
    case .permissionAcceptance: "\(subject) acceptance"
    case .permissionReach: "Asked for \(PlainName.of(step))"
    case .goalRate: subject
    case .frictionRate: "Friction: \(subject)"
    default: retention(metric) ?? (PlainName.of(metric.rawValue).capitalizedFirst + suffix(step))
    }
  }

  private static func suffix(_ step: String) -> String { step == "all" ? "" : ": \(step)" }

  /// Of `retention_d7`, `retention_d80_110`, `retention_on_or_after_d7`, and of measures with a
  /// name of their own before the days: `retention_inviter_d7`.
  private static func retention(_ metric: MetricName) -> String? {
    let whose = metric.isOverall ? ", of everyone" : ""
    let metric = metric.withoutOverall
    let name = /retention_(?:(?<own>.+?)_)??(?<after>on_or_after_)?d(?<first>\d+)(?:_(?<last>\d+))?/
    guard let found = metric.rawValue.wholeMatch(of: name) else { return nil }
    let own = found.own.map { " (\(PlainName.of(String($0))))" } ?? ""
    if let last = found.last { return "Days \(found.first)–\(last) retention\(own)\(whose)" }
    return "Day \(found.first)\(found.after == nil ? "" : " or later") retention\(own)\(whose)"
  }
}
