internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
package import FunnelMetrics
internal import ReportText

/// Who grants, of all and of those asked, and whether skipping ahead changes it.
package struct PermissionFindings {
  package let analysis: Analysis

  package init(analysis: Analysis) {
    self.analysis = analysis
  }

  private var flow: Flow { analysis.flow }

  func drafts() -> [FindingDraft] {
    flow.permissions.compactMap { name in
      guard let optIn = analysis.datum(.permissionOptIn, step: name),
        optIn.row.value != nil
      else { return nil }
      let who = analysis.seenVersions.count > 1 ? "everyone" : "people"
      let (when, later) = (answer(name), laterGrants(name))
      // Where most of those who deny it grant it later the first answer is half of the truth.
      let isMost = later?.isMost ?? false
      let but: Sentence = later.flatMap { isMost ? "; \($0.claim)" : nil } ?? ""
      var claim: Sentence = """
        \(name.capitalizedFirst): \(optIn.saidRate) of \(who) opt in \(when)\(but)
        """
      let first = isMost ? " at first" : ""
      var detail: Sentence = "\(PermissionFindings.behind(optIn, first))."
      if let asked = EligiblePersons(name, analysis) {
        claim = """
          \(name.capitalizedFirst): \(asked.rate) of the people whose steps ask for it opt in \
          \(when)\(but)
          """
        detail = "\(asked.behind). Of all people: \(optIn.saidFully)."
      }
      if let accepted = analysis.datum(.permissionAcceptance, step: name),
        accepted.row.value != nil
      {
        detail += " Acceptance, of those asked: \(accepted.saidFully)."
      }
      if let later { detail += " \(later.detail)" }
      if let contrast = skippersAgainstReaders(name) { detail += " \(contrast)" }
      return FindingDraft(
        kind: .permission, claim: claim, detail: detail, chart: .permission(name),
        subject: .permission(name))
    }
  }

  /// Which answer opt-in is of: the first, even of people who are asked again and change it.
  private func answer(_ permission: String) -> String {
    if analysis.unmeasured.contains(.permissionReach, step: permission) {
      return "with their first answer"
    }
    func count(_ metric: MetricName) -> Int? {
      analysis.row(metric, step: permission)?.numerator
    }
    // Who grants without having been asked opts in, but at no prompt.
    return count(.permissionOptIn) == count(.permissionAcceptance)
      ? "at the first prompt" : "at the first prompt or before it"
  }

  /// Those who denied it first and granted it later, where anybody did.
  private func laterGrants(
    _ permission: String
  ) -> (isMost: Bool, claim: Sentence, detail: Sentence)? {
    guard let later = analysis.datum(.permissionRecovered, step: permission),
      later.row.value != nil, (later.row.numerator ?? 0) > 0
    else { return nil }
    return (
      (later.row.value ?? 0) >= 0.5,
      "of those who denied it, \(later.saidRate) have granted it within 30 days",
      """
      Granted within 30 days after a denial: \(later.saidRate) (\(later.saidCount) of the \
      \(later.saidTotal) who denied it that long ago).
      """
    )
  }

  /// `The 226 who opted in are the 203 who granted it when asked, and those of the 30 who had
  /// decided before and granted it then.` Why opt-in isn't the answers “granted”; `nil` where it
  /// is.
  package func optInParts(_ permission: String) -> Sentence? {
    func datum(_ metric: MetricName) -> Datum? { analysis.datum(metric, step: permission) }
    guard let optIn = datum(.permissionOptIn), let granted = datum(.permissionClassGranted),
      let before = datum(.permissionClassAlreadyDecided),
      let all = optIn.row.numerator, let own = granted.row.numerator, all > own,
      all - own <= before.row.numerator ?? 0
    else { return nil }
    return """
      The \(optIn.saidCount) who opted in are the \(granted.saidCount) who granted it when asked, \
      and those of the \(before.saidCount) who had decided before and granted it then.
      """
  }

  /// `(53 of 63; 95 % CI 73.2–91.1 %)`, or `(53 of 63 at first; …)`
  private static func behind(_ datum: Datum, _ when: String) -> Sentence {
    """
    (\(datum.saidCount) of \(datum.saidTotal)\(when); \(RateText.level(datum.row.level)) CI \
    \(datum.saidInterval ?? "–"))
    """
  }

  private typealias Contrast = (
    skippers: Datum, others: Datum, difference: EstimateWithInterval
  )

  /// The core question where skip leads to the permission: do people who skip ahead opt in
  /// less?
  /// Of the people who were asked first: others skipped past the question or left before it.
  package func skippersAgainstReaders(_ permission: String) -> Sentence? {
    guard case .leadsTo = flow.skip else { return nil }
    func contrast(_ metric: MetricName) -> Contrast? {
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
    guard let ofAll = contrast(.permissionOptIn) else { return nil }
    let chosen = "They chose this themselves, so it may not be the cause."
    guard let ofAsked = contrast(.permissionAcceptance) else {
      return "\(PermissionFindings.said(ofAll, "People")). \(chosen)"
    }
    return """
      When asked, \(PermissionFindings.said(ofAsked, "people")). Asked or not, \
      \(PermissionFindings.said(ofAll, "people")). \(chosen)
      """
  }

  /// `people who skipped ahead opted in less (46.4 %, 26 of 56) than people who read on …`
  private static func said(_ contrast: Contrast, _ who: String) -> Sentence {
    let (skippers, others, difference) = contrast
    func rate(_ datum: Datum) -> Sentence {
      "(\(datum.saidRate), \(datum.saidCount) of \(datum.saidTotal))"
    }
    let bounds = difference.interval
    let more = bounds.upper < 0 ? "less" : bounds.lower > 0 ? "more" : "not clearly more or less"
    return """
      \(who) who skipped ahead opted in \(more) \(rate(skippers)) than \(who.lowercased()) who \
      read on \(rate(others)): \(RateText.points(difference))
      """
  }
}

extension EligiblePersons {
  /// `55.0 % (33/60), 95 % CI …, of those whose steps ask for it; 40 have no such step`
  package var words: String {
    "\(RateText.full(row)), of those whose steps ask for it "
      + "(\(without))"
  }

  /// `100 have no step that asks`
  package var without: String {
    "\(NumberText.grouped(others)) \(others == 1 ? "has" : "have") no step that asks"
  }

  /// `55.0 %`
  package var rate: String { RateText.percent(optIn.estimate ?? 0) }

  /// `(33/60, 95 % CI …; 40 have no such step)`
  var behind: String {
    let bounds = RateText.interval(row.low ?? 0, row.high ?? 1)
    let counts = row.countsText.dropFirst().dropLast()
    return "(\(counts), \(RateText.level(row.level)) CI \(bounds); "
      + "\(without))"
  }

  private var row: MetricRow {
    MetricRows.rate(
      .all, .permissionOptIn, "all", numerator: optIn.successes, denominator: optIn.trials,
      interval: interval)
  }
}
