internal import ExperimentStatistics
package import FunnelMetrics

/// Which rule decides a comparison, where a reader also sees the intervals for repeated checks,
/// which may say something else.
package struct LookRule {
  private let comparison: MetricComparison
  /// Of the last check: the interval that allows for all checks before it.
  private let last: EstimateWithInterval?

  package init(_ comparison: MetricComparison, in summary: ExperimentSummary) {
    self.comparison = comparison
    last =
      summary.diaries.first {
        $0.variant == comparison.variant && $0.metric == comparison.metric
          && $0.step == comparison.step
      }?.entries.last?.difference.value
  }

  private var isOpen: Bool? { last.map { $0.interval.lower <= 0 && $0.interval.upper >= 0 } }

  /// What a decision rests on, behind its claim; `nil` where the flow file plans when to check.
  package var caveat: String? {
    guard comparison.phase == nil, !comparison.isSequential, comparison.role == .together else {
      return nil
    }
    switch isOpen {
    case true?:
      return "No interim checks are planned, so this holds if today is the only look. If you have "
        + "checked along the way, it’s still open."
    case false?:
      return "No interim checks are planned, but this holds even if you have checked along the way."
    case nil: return "No interim checks are planned, so this holds if today is the only look."
    }
  }

  /// Whether the verdict or the diary below it decides, and why.
  package var deciding: String {
    if comparison.phase != nil {
      return "The verdict above decides. The number of people is planned: before it is reached, "
        + "a difference must hold at every check; once it is reached, one look decides."
    }
    if comparison.isSequential {
      return "The verdict above decides. Checks at any time are planned, so its interval allows "
        + "for all of them and for all metrics. The intervals here are of this rate alone, and "
        + "narrower."
    }
    let rule =
      "The verdict above decides: no interim checks are planned, so this report counts as the "
      + "only look. The intervals here allow for a check at every date, and so are wider"
    switch isOpen {
    case true?:
      return "\(rule): the last one still includes 0. If you have checked along the way and "
        + "would have stopped at a good result, it’s still open."
    case false?: return "\(rule): the last one excludes 0, too."
    case nil: return "\(rule)."
    }
  }
}
