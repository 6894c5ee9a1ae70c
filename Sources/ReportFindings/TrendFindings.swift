internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
package import FunnelMetrics
internal import ReportText

/// The headline rates that rise or fall over the weeks, and a sentence for reports without any.
package struct TrendFindings {
  package let analysis: Analysis

  func drafts() -> [FindingDraft] {
    (analysis.cohortTrends ?? []).map { trend in
      FindingDraft(
        kind: .trend, tone: trend.isBad ? .bad : .good,
        claim: Sentence(words: Self.claim(trend)),
        detail: Sentence(
          words: "(\(Self.evidence(trend)): adjusted \(RateText.p(trend.pAdjusted)))"
            + "\(withoutGaps). The people may have changed, and so may the app."),
        chart: ChartID("trends", trend.rate.metric.rawValue, trend.rate.step),
        subject: .trend(metric: trend.rate.metric, step: trend.rate.step))
    }
  }

  private var withoutGaps: String {
    analysis.cohorts().contains(where: analysis.lacksEvents)
      ? "; without those of which events are missing" : ""
  }

  /// What the claim's rates are of, and what was tested.
  private static func evidence(_ trend: CohortTrend) -> String {
    guard let jump = trend.jump else {
      return "the first and the last \(ends(trend)); a straight line through all"
    }
    let sides = [jump.index, trend.cohorts.count - jump.index].map {
      CountText.of($0, unit(trend))
    }
    return "\(sides[0]) before, \(sides[1]) since; one change fits clearly better than a straight "
      + "line"
  }

  /// `Completion falls, from 68 % to 55 % over 13 weeks`
  private static func claim(_ trend: CohortTrend) -> String {
    if let jump = trend.jump, let cohort = trend.cohorts[jump.index...].first {
      let rates = HeadlineWords.pair(jump.before, jump.after)
      let verb = trend.isRising ? "rose" : "fell"
      return "\(SafeText.name(trend.rate.name, limit: 60)) \(verb) from "
        + "\(rates[0]) to \(rates[1]) \(CohortChange.date(cohort))"
    }
    let rates = HeadlineWords.pair(trend.ends.first, trend.ends.last)
    return "\(SafeText.name(trend.rate.name, limit: 60)) \(trend.isRising ? "rises" : "falls"), "
      + "from \(rates[0]) to \(rates[1]) over "
      + CountText.of(trend.cohorts.count, unit(trend))
  }

  /// `3 weeks`
  private static func ends(_ trend: CohortTrend) -> String {
    trend.endCohorts == 1 ? unit(trend) : CountText.of(trend.endCohorts, unit(trend))
  }

  private static func unit(_ trend: CohortTrend) -> String {
    guard let dates = trend.cohorts.first.flatMap({ CohortDates($0.breakdown.value) }) else {
      return "cohort"
    }
    return dates.first == dates.last ? "day" : dates.last - dates.first == 6 ? "week" : "month"
  }

  /// For the section of trends: the rates that rise or fall, or that none is shown to.
  package static func summary(_ analysis: Analysis) -> String {
    guard let trends = analysis.cohortTrends else {
      return "Too few whole cohorts to say whether anything rises or falls."
    }
    if trends.isEmpty { return "Nothing rises or falls steadily over time." }
    return trends.map { claim($0) + "." }.joined(separator: " ")
  }
}
