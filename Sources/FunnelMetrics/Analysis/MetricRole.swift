internal import ReportText

/// The part that a metric has in the decision on an experiment.
public enum MetricRole: Sendable, Hashable {
  /// All metrics decide together: the experiment has no plan.
  case together
  /// It decides, at the whole alpha.
  case primary
  /// It says what else changed; the secondary metrics are adjusted among themselves.
  case secondary
  /// It must not suffer by more than a margin, relative to the control.
  case guardrail(margin: Double)

  /// A name for tables; `nil` without a plan.
  package var name: String? {
    switch self {
    case .together: nil
    case .primary: "primary"
    case .secondary: "secondary"
    case .guardrail: "guardrail"
    }
  }

  /// What a metric's name is followed by in tables for people.
  package var remark: String {
    switch self {
    case .together, .secondary: ""
    case .primary: " (primary)"
    case .guardrail(let margin): " (guardrail, \(RateText.bound(margin)))"
    }
  }

  /// The margin of a guardrail.
  package var margin: Double? {
    if case .guardrail(let margin) = self { margin } else { nil }
  }
}
