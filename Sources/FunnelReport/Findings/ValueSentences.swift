internal import ExperimentStatistics
internal import FlowDefinition

/// What people's events add up to in the variants of an experiment, in a sentence each.
struct ValueSentences {
  let flow: Flow
  let summary: ExperimentSummary

  /// `trial: Paid comes to 3.2 a person, against 2.8: a difference of 0.4 (0.1 to 0.7), …`
  func all(of variant: String? = nil) -> [String] {
    summary.values.filter { $0.variant == variant ?? $0.variant }.map(sentence)
  }

  private func sentence(_ value: ValueComparison) -> String {
    let title = flow.goals.first { $0.id == value.goal }?.title ?? value.goal
    let everyone = value.metric == "goal_value_overall" ? " of everyone" : ""
    let means =
      "\(SafeText.name(value.variant, limit: 40)): \(SafeText.name(title, limit: 60)) comes to "
      + "\(RateText.amount(value.treatment.mean)) a person\(everyone), against "
      + "\(RateText.amount(value.controlMean.mean))"
    guard let difference = value.difference.value, let p = value.pAdjusted else {
      return means + "; not tested, too few people have an amount."
    }
    let interval =
      "\(RateText.amount(difference.interval.lower)) to "
      + RateText.amount(difference.interval.upper)
    let verdict =
      !summary.doubts.isEmpty
      ? "no verdict" : value.isHigher.map { $0 ? "higher" : "lower" } ?? "no difference shown"
    return means + ": a difference of \(RateText.amount(difference.estimate)) (\(interval)), "
      + "adjusted \(RateText.p(p)): \(verdict)."
  }
}
