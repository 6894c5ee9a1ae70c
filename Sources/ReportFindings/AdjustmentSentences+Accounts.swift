internal import ExperimentStatistics
internal import FunnelMetrics
internal import ReportText

/// What stands beside comparisons of accounts.
extension AdjustmentSentences {
  /// How many accounts there are, and what it costs that their people are alike.
  func byAccounts() -> String? {
    let compared = summary.comparisons.filter(\.isRandomised)
    guard let leading = leading(of: compared), let clustering = leading.clustering
    else { return nil }
    let counts = [clustering.treatmentClusters, clustering.controlClusters]
    let name = SafeText.name(clustering.name, limit: 40)
    let begin =
      "Intervals and tests count accounts (\(name)), of which people are alike: "
      + "\(NumberText.grouped(counts[0])) against \(NumberText.grouped(counts[1]))."
    let fewest = ClusteredProportion.fewestClusters
    guard counts.allSatisfy({ $0 >= fewest }) else {
      return "\(begin) Nothing is tested with fewer than \(fewest) a variant.\(unusual)"
    }
    let rate = MetricWords.of(leading.metric, step: leading.step, flow)
    let effects = clustering.designEffects
    let people = NumberText.fixed(max(effects.treatment, effects.control), decimals: 1) ?? "–"
    return "\(begin) For \(rate) up to \(people) people say as much as one independent person "
      + "would.\(unusual)"
  }

  /// Accounts that are not what was assigned, and people without one.
  private var unusual: String {
    guard let accounts = summary.accounts else { return "" }
    var words = ""
    if accounts.mixed > 0 {
      words +=
        " \(NumberText.grouped(accounts.mixed)) of \(NumberText.grouped(accounts.all)) accounts "
        + "have people in several variants: intervals are then wider than they need to be."
    }
    if accounts.peopleWithout > 0 {
      let people = ReportWords.people(accounts.peopleWithout)
      words += " \(people) without an account count as one each."
    }
    return words
  }
}
