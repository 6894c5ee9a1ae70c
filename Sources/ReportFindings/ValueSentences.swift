internal import ExperimentStatistics
package import FlowDefinition
package import FunnelMetrics
internal import ReportText

/// What people's events add up to in the variants of an experiment, in a sentence each.
package struct ValueSentences {
  package let flow: Flow
  package let summary: ExperimentSummary

  package init(flow: Flow, summary: ExperimentSummary) {
    self.flow = flow
    self.summary = summary
  }

  /// `trial: Paid comes to 3.2 a person, against 2.8: a difference of 0.4 (0.1 to 0.7), …`
  package func all(of variant: String? = nil) -> [String] {
    summary.values.filter { $0.variant == variant ?? $0.variant }.map(sentence)
  }

  private func sentence(_ value: ValueComparison) -> String {
    let means =
      opening(value) + "\(RateText.amount(value.treatment.mean)) \(unit(value)), against "
      + RateText.amount(value.controlMean.mean)
    guard let difference = value.difference.value else {
      return means + "; not tested, too few people have an amount."
    }
    let interval =
      "\(RateText.amount(difference.interval.lower)) to "
      + RateText.amount(difference.interval.upper)
    let compared =
      means + ": a difference of \(RateText.amount(difference.estimate)) (\(interval))"
    switch value.measure {
    case .uncapped: return compared + ", not tested: the capped amounts decide."
    case .perEvent:
      return compared + ", not randomised: the variant may change who has an event at all."
    case .perPerson, .capped: break
    }
    guard let p = value.pAdjusted else { return compared + ", not tested." }
    let verdict =
      !summary.doubts.isEmpty
      ? "no verdict" : value.isHigher.map { $0 ? "higher" : "lower" } ?? "no difference shown"
    return compared + ", adjusted \(RateText.p(p)): \(verdict)."
  }

  /// `trial: Paid, capped at 99.99 (3 people have more), comes to `
  private func opening(_ value: ValueComparison) -> String {
    let title = flow.goals.first { $0.id == value.goal }?.title ?? value.goal
    let variant = ExperimentNames(summary.id, flow).variant(value.variant)
    let name =
      "\(variant): \(SafeText.name(title, limit: 60)) "
    switch value.measure {
    case .perPerson, .perEvent: return name + "averages "
    case .uncapped: return name + "without the cap averages "
    case .capped(_, let amount, let people):
      let more =
        people == 1 ? "1 person has more" : "\(NumberText.grouped(people)) people have more"
      return name + "capped at \(RateText.amount(amount)) (\(more)) averages "
    }
  }

  private func unit(_ value: ValueComparison) -> String {
    if value.measure == .perEvent { return "per event" }
    return value.metric.isOverall ? "per person, of everyone" : "per person"
  }
}
