internal import ExperimentStatistics
package import FlowDefinition
package import FunnelMetrics
internal import ReportText

/// What stands beside the comparisons of an experiment, in sentences for every report: within what
/// they are made, and for whom a variant does more than for others.
package struct AdjustmentSentences {
  package let flow: Flow
  package let summary: ExperimentSummary
  private var names: ExperimentNames { ExperimentNames(summary.id, flow) }

  package init(flow: Flow, summary: ExperimentSummary) {
    self.flow = flow
    self.summary = summary
  }

  private static let maximumValues = 6

  /// Empty where nothing is declared and no effect is shown to differ.
  package func all() -> [String] {
    [stratified(), byAccounts(), posterior()].compactMap { $0 }
      + summary.effectDifferences.map(differing)
  }

  /// `short does not do the same for everyone. completion by os: iOS +6.2 points (3.1 to 9.3), …`
  private func differing(_ found: EffectDifference) -> String {
    let name = MetricWords.of(found.metric, step: found.step, flow)
    let parts = found.parts.prefix(Self.maximumValues).map { part -> String in
      let points = part.difference.value.map {
        "\(RateText.signedNumber($0.estimate)) (\(RateText.signedNumber($0.interval.lower)) to "
          + "\(RateText.signedNumber($0.interval.upper)))"
      }
      return "\(SafeText.name(part.value, limit: 40)) \(points ?? "–")"
    }
    let more = found.parts.count - parts.count
    return "The effect of \(names.variant(found.variant)) on \(name) depends on "
      + "\(SafeText.name(found.dimension, limit: 40)), adjusted \(RateText.p(found.pAdjusted)): "
      + parts.joined(separator: ", ") + (more > 0 ? " and \(more) more values" : "")
      + " points\(found.isSequential ? ", valid at every check" : "")."
  }

  /// The metric that decides, or else completion.
  package func leading(of compared: [MetricComparison]) -> MetricComparison? {
    compared.first { $0.role == .primary } ?? compared.first { $0.metric == .completionRate }
      ?? compared.first
  }

  /// The lift of the metric that matters most, as a declared prior leaves it.
  private func posterior() -> String? {
    let compared = summary.comparisons.filter { $0.posterior != nil }
    guard let comparison = leading(of: compared), let posterior = comparison.posterior,
      let interval = posterior.credibleInterval().value,
      let prior = flow.experiments.first(where: { $0.id == summary.id })?.priorDeviation
    else { return nil }
    let name = MetricWords.of(comparison.metric, step: comparison.step, flow)
    let loss = RateText.number(comparison.expectedLoss ?? 0)
    return "If lifts of such changes spread by \(RateText.bound(prior)) around 0, that of "
      + "\(names.variant(comparison.variant)) in \(name) is "
      + "\(RateText.signedNumber(posterior.lift)) % "
      + "(95 % credible \(RateText.signedNumber(interval.lower)) to "
      + "\(RateText.signedNumber(interval.upper)) %): its rate is the higher one with a chance of "
      + "\(RateText.percent(posterior.probabilityBetter)), and choosing it loses \(loss) points on "
      + "average."
  }

  /// What is compared within strata, and what that is worth for the metric that matters most.
  private func stratified() -> String? {
    let compared = summary.comparisons.filter { $0.isRandomised && $0.stratification != nil }
    guard let leading = leading(of: compared), let strata = leading.stratification
    else { return nil }
    let joined =
      strata.joined > 0
      ? " (\(NumberText.grouped(strata.joined)) small ones are put together)" : ""
    let names = strata.dimensions.map { SafeText.name($0, limit: 40) }.listed
    let within = strata.dimensions.count > 1 ? "combination" : "value"
    return "Rates are compared within each \(within) of \(names)"
      + "\(joined) and weighted by its share of people.\(others(strata))\(gain(leading, strata))"
  }

  /// ` 3,120 people have a country beyond the values that are kept: these are compared as one,
  /// (other).`
  private func others(_ strata: Stratification) -> String {
    let people = strata.peopleOfOtherValues
    guard people > 0 else { return "" }
    let names = strata.dimensions.map { SafeText.name($0, limit: 40) }
    return " \(ReportWords.people(people)) \(people == 1 ? "has" : "have") a value of "
      + "\(names.joined(separator: " or ")) beyond the 100 that are kept: these values count as "
      + "one, (other)."
  }

  private func gain(_ comparison: MetricComparison, _ strata: Stratification) -> String {
    guard let gain = strata.gain else { return "" }
    let name = MetricWords.of(comparison.metric, step: comparison.step, flow)
    guard gain >= 0.005 else { return " For \(name) that makes the comparison no more precise." }
    return " For \(name) that is as precise as \(RateText.percent(gain)) more people would be."
  }
}
