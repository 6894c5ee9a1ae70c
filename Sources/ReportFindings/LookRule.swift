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

  /// What the verdicts of an experiment rest on, in a sentence that every experiment has; `nil`
  /// where there is no verdict.
  package static func basis(_ summary: ExperimentSummary) -> String? {
    let judged = summary.comparisons.filter { $0.verdict != nil }
    guard summary.doubts.isEmpty, !judged.isEmpty else { return nil }
    if judged.contains(where: { $0.phase != nil }) {
      return "The verdict must hold at every check until the planned number of people is reached; "
        + "then one look decides."
    }
    return judged.contains(where: \.isSequential)
      ? "The verdict holds at every check: the flow file plans for checks at any time, "
        + "so intervals are wider and p-values larger than those of a single look."
      : "The verdict counts this report as the only look: the flow file plans no interim checks."
  }

  /// What makes the intervals of an experiment wide that may be checked at any time, and what would
  /// make them narrower; `nil` for others.
  static func price(_ comparison: MetricComparison) -> String? {
    guard comparison.isSequential, comparison.phase == nil else { return nil }
    return " Part of this is the price of checks at any time: with a number of people planned "
      + "beforehand (“planned” in the flow file) the next experiment needs fewer."
  }

  /// What a decision rests on, behind its claim; `nil` where the flow file plans when to check.
  package var caveat: String? {
    guard comparison.phase == nil, !comparison.isSequential, comparison.role == .together else {
      return nil
    }
    let rule = "This holds for one look, today"
    switch isOpen {
    case true?:
      return
        "Decide by it if this is your only look. If you have looked before, wait: the "
        + "interval for repeated checks includes 0."
    case false?: return "\(rule), and for repeated checks as well."
    case nil: return "\(rule): no interim checks are planned."
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
      return "\(rule): the last one still includes 0. Use them if you stop as soon as the result "
        + "looks good. Where the flow file plans such checks, the verdict already allows for them."
    case false?: return "\(rule): the last one excludes 0, too."
    case nil: return "\(rule)."
    }
  }
}
