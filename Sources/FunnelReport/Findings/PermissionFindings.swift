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
  func skippersAgainstReaders(_ permission: String) -> Sentence? {
    guard case .leadsTo = flow.skip else { return nil }
    func rate(_ value: String) -> Datum? {
      let key = BreakdownKey(dimension: BreakdownKey.usedSkip, value: value)
      return analysis.datum("permission_opt_in", step: permission, in: Slice(breakdown: key))
    }
    guard let skippers = rate("yes"), let readers = rate("no"), skippers.row.value != nil,
      readers.row.value != nil,
      let difference = ProportionComparison(
        treatment: skippers.row.proportion, control: readers.row.proportion
      ).difference().value
    else { return nil }
    return """
      Opt-in of who skipped ahead: \(skippers.saidRate) \(skippers.saidCounts); of who read on: \
      \(readers.saidRate) \(readers.saidCounts). Difference \(RateText.points(difference)); \
      observational: people chose.
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
