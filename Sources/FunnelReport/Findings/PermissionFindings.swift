internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// Who grants, of all and of those asked, and whether skipping ahead changes it.
struct PermissionFindings {
  let analysis: Analysis
  private var flow: Flow { analysis.flow }

  func drafts() -> [FindingDraft] {
    flow.permissions.compactMap { name in
      guard let optIn = analysis.datum("permission_opt_in", step: name),
        optIn.row.value != nil
      else { return nil }
      var text: Sentence = "\(name.capitalizedFirst): opt-in \(optIn.saidFully)."
      if let asked = AskedPersons(name, analysis) {
        text = """
          \(name.capitalizedFirst): opt-in \(asked.words). Over all persons: \(optIn.saidFully).
          """
      }
      if let accepted = analysis.datum("permission_acceptance", step: name),
        accepted.row.value != nil
      {
        text += " Acceptance, of those asked: \(accepted.saidFully)."
      }
      if let contrast = skippersAgainstReaders(name) { text += " \(contrast)" }
      return FindingDraft(kind: .permission, text: text)
    }
  }

  /// The core question where skip leads to the permission: do skippers grant less?
  /// Of the people who were asked first: others skipped past the question or left before it.
  func skippersAgainstReaders(_ permission: String) -> Sentence? {
    guard case .leadsTo = flow.skip else { return nil }
    func contrast(_ metric: String) -> (Datum, Datum, EstimateWithInterval)? {
      func rate(_ value: String) -> Datum? {
        let key = BreakdownKey(dimension: BreakdownKey.usedSkip, value: value)
        return analysis.datum(metric, step: permission, in: Slice(breakdown: key))
      }
      guard let skippers = rate("yes"), let others = rate("no"), skippers.row.value != nil,
        others.row.value != nil,
        let difference = ProportionComparison(
          treatment: skippers.row.proportion, control: others.row.proportion
        ).difference().value
      else { return nil }
      return (skippers, others, difference)
    }
    guard let (skippers, others, difference) = contrast("permission_opt_in") else { return nil }
    let all: Sentence = """
      \(skippers.saidRate) \(skippers.saidCounts) of the people who skipped ahead granted, and \
      \(others.saidRate) \(others.saidCounts) of the others: \(RateText.points(difference))
      """
    let chosen = "People chose to skip, so this is an observation."
    guard let (asked, others, difference) = contrast("permission_acceptance") else {
      return "\(all). \(chosen)"
    }
    return """
      When asked, \(asked.saidRate) \(asked.saidCounts) of the people who had skipped ahead \
      granted, and \(others.saidRate) \(others.saidCounts) of the others: \
      \(RateText.points(difference)). Asked or not, \(all). \(chosen)
      """
  }
}

extension AskedPersons {
  /// `55.0 % (33/60), 95 % CI …, of those whose steps ask for it; 40 have no such step`
  var words: String {
    let row = MetricRows.rate(
      .all, "permission_opt_in", "all", numerator: optIn.successes, denominator: optIn.trials,
      interval: interval)
    return "\(RateText.full(row)), of those whose steps ask for it "
      + "(\(NumberText.grouped(others)) have no such step)"
  }
}

extension MetricRow {
  var proportion: Proportion {
    Proportion(successes: numerator ?? 0, trials: denominator ?? 0)
  }

  /// `(53/63)`
  var countsText: String {
    "(\(NumberText.grouped(numerator ?? 0))/\(NumberText.grouped(denominator ?? 0)))"
  }
}
