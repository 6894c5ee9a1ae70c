internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// What makes the other numbers doubtful: no events, a broken split, rejects, mixed variants.
struct DataFindings {
  let report: Report
  private var analysis: Analysis { report.analysis }
  private static let contaminationBound = 0.01
  private static let undeclaredBound = 0.05

  func drafts() -> [FindingDraft] {
    [
      nothing(), unmeasured(report.faultsOfMeasuring.filter { !$0.isOfNamedEvent }, .alarm),
      guessed(), damage(), brokenSums(),
    ].compactMap { $0 } + sampleRatios()
      + changedSplits()
      + [rejects(), deletedByLog()].compactMap { $0 } + HorizonFindings(report: report).drafts()
      + LeaveOutFindings(analysis: analysis, isOfPart: report.isOfPart).drafts()
      + [
        existingUsers(), orphans(), endsOfOtherFlows(), unseenStep(), undeclaredPages(),
        skipContradictions(),
      ].compactMap { $0 }
      + unknownValues()
      + OddPeopleFindings(report: report).drafts() + contaminations() + lateExposures()
      + [
        immature(), FewReturns(analysis: analysis).draft(),
        unmeasured(report.faultsOfMeasuring.filter(\.isOfNamedEvent), .bad),
      ].compactMap { $0 }
  }

  private func nothing() -> FindingDraft? {
    let provenance = report.provenance
    if provenance.events == 0 {
      return FindingDraft(
        kind: .noEvents, tone: .alarm,
        claim: "No event was read.",
        detail: """
          (\(NumberText.grouped(provenance.lines)) lines.) Every number here is zero and says \
          nothing about people.
          """)
    }
    guard analysis.row(.entered)?.numerator == 0 else { return nil }
    let bounds = [
      ("from", "from"), ("to", "before"), ("as_of", "as of"), ("flow_version", "flow version"),
    ].compactMap { name, words in provenance.options[name].map { "\(words) \($0)" } }
    if !bounds.isEmpty {
      return FindingDraft(
        kind: .noEvents, tone: .alarm,
        claim: "Nobody entered this flow within what was asked for",
        detail: """
          (\(SafeText.name(bounds.joined(separator: ", "), limit: 80))), in \
          \(NumberText.grouped(provenance.events)) events read.
          """)
    }
    return FindingDraft(
      kind: .noEvents, tone: .alarm,
      claim: "Nobody entered this flow.",
      detail: """
        \(NumberText.grouped(provenance.events)) events were read: \(count(.orphans)) orphans, \
        \(count(.existingUsers)) existing users, \(count(.activityOnly)) people with \
        activity only\(leftOut).
        """)
  }

  /// What is unknown because it was not measured, in one finding. That nobody came to a goal leaves
  /// all other numbers as they are.
  private func unmeasured(
    _ reasons: [Unmeasured.Reason], _ tone: Finding.Tone
  ) -> FindingDraft? {
    guard let first = reasons.first else { return nil }
    let more = reasons.count > 3 ? ["And \(reasons.count - 3) more: see the data quality."] : []
    let rest = reasons.dropFirst().prefix(2).map(\.sentence) + more
    return FindingDraft(
      kind: .unmeasured, tone: tone, claim: Sentence(words: first.sentence),
      detail: Sentence([.words(rest.joined(separator: " "))]), chart: .quality)
  }

  private var leftOut: Sentence {
    let count = analysis.tally.quality.leftOut
    if count == 0 { return "" }
    return ", and \(Sentence(quality: count, "left_out")) left out by leave_out"
  }

  private func count(_ metric: MetricName) -> Sentence { analysis.datum(metric)?.saidCount ?? "0" }

  /// A flow that nobody has read yet says nothing for sure.
  private func guessed() -> FindingDraft? {
    GuessedSentence(analysis.flow).map {
      FindingDraft(
        kind: .guessed, tone: .alarm, claim: "\($0.claim)", detail: "\($0.detail)")
    }
  }

  /// Files that could not be read to their end.
  private func damage() -> FindingDraft? {
    let damaged = report.provenance.sources.filter { !$0.problems.isEmpty }
    guard let first = damaged.first, report.provenance.events > 0 else { return nil }
    return FindingDraft(
      kind: .damage, tone: .alarm,
      claim: """
        \(NumberText.grouped(damaged.count)) of \
        \(NumberText.grouped(report.provenance.sources.count)) inputs could not be read whole.
        """,
      detail: """
        The first is \(SafeText.name(first.name, limit: 60)). What is missing is in no number.
        """, chart: .quality)
  }

  /// Many persons left out because they were seen long before: several apps in one dump, or a
  /// dump that begins too late.
  private func existingUsers() -> FindingDraft? {
    let existing = analysis.tally.quality.existingUsers
    let entered = analysis.row(.entered)?.numerator ?? 0
    guard existing * 5 > existing + entered, existing > 5 else { return nil }
    return FindingDraft(
      kind: .existingUsers, tone: .alarm,
      claim: """
        \(count(.existingUsers)) of \(NumberText.grouped(existing + entered)) people who started \
        were seen long before and are in no number
        """,
      detail: """
        (existing_users: exclude). Does the dump hold several apps, or begin too late?
        """, chart: .quality)
  }

  /// So many that the data are no better than D: of people whose id changes on the way one half
  /// abandons, and the other has no start.
  private func orphans() -> FindingDraft? {
    let quality = analysis.tally.quality
    let entered = analysis.row(.entered)?.numerator ?? 0
    let own = quality.orphans + quality.existingUsers + entered
    guard entered > 0, quality.orphans > 5, !analysis.flow.ignoresOtherPages,
      GradeCondition.orphans.grade(quality.orphans, of: own) >= .d
    else { return nil }
    return FindingDraft(
      kind: .orphans, tone: .alarm,
      claim: """
        \(count(.orphans)) people have onboarding events but no recorded start and are in no number
        """,
      detail: """
        (beside \(count(.entered)) who started). Do their ids change at sign-up, is the start sent \
        by another name, or do the data begin too late?
        """, chart: .quality)
  }

  /// What the app calls `flow` may be something else than the name of an onboarding.
  private func endsOfOtherFlows() -> FindingDraft? {
    let ends = OtherFlowWords(analysis)
    let entered = analysis.row(.entered)?.numerator ?? 0
    guard ends.people > 5,
      GradeCondition.endsOfOtherFlows.grade(ends.people, of: entered) >= .c
    else { return nil }
    return FindingDraft(
      kind: .otherFlows, tone: .alarm, claim: "\(ends.claim)", detail: "\(ends.advice)",
      chart: .quality)
  }

  /// Views of pages that are no step are in no number of a step, and make it look abandoned.
  private func undeclaredPages() -> FindingDraft? {
    let found = UndeclaredPages(analysis.tally.quality, of: analysis.flow)
    let (pages, undeclared, views) = (found.views, found.count, found.viewsOfPages)
    let share = Proportion(successes: undeclared, trials: views)
    guard (share.estimate ?? 0) > DataFindings.undeclaredBound,
      let most = ByteOrder.sorted(pages.keys).max(by: { (pages[$0] ?? 0) < (pages[$1] ?? 0) })
    else { return nil }
    let setting = PageNumbering(flow: analysis.flow, quality: analysis.tally.quality).pageSetting
    let near = NearestName.of(most, among: analysis.flow.steps.map(\.id))
    let meant =
      setting.map { ". The app seems to count otherwise: try \($0)." }
      ?? near.map { "; is it meant to be the step '\(SafeText.name($0, limit: 40))'?" } ?? "."
    return FindingDraft(
      kind: .undeclaredPages, tone: .alarm,
      claim: """
        \(RateText.percent(share.estimate ?? 0)) of the page views are of pages that the flow does \
        not declare and are in no step's numbers
        """,
      detail: """
        (\(NumberText.grouped(undeclared))/\(NumberText.grouped(views))), most often \
        '\(SafeText.name(most, limit: 40))'\(meant)
        """, chart: .quality)
  }

  /// A step that people went past, and none of them saw it: it is called otherwise in the events,
  /// and people who see it are lost elsewhere or pass it over.
  private func unseenStep() -> FindingDraft? {
    guard !report.isOfPart, !analysis.unmeasured.hasNoViews else { return nil }
    let unseen = analysis.flow.steps.filter(isUnseen)
    guard let first = unseen.first else { return nil }
    let names = unseen.prefix(3).map { "“\(SafeText.name($0.title, limit: 40))”" }
    let more = unseen.count > 3 ? ["\(unseen.count - 3) more"] : []
    let quality = analysis.tally.quality
    let sent =
      ByteOrder.sorted(quality.undeclaredPages.keys) + ByteOrder.sorted(quality.eventNames)
    let near = NearestName.of(first.id, among: sent).map {
      " The nearest name that they have is '\(SafeText.name($0, limit: 40))'."
    }
    return FindingDraft(
      kind: .undeclaredPages, tone: .alarm,
      claim: "Nobody saw \((names + more).listed), though people got further.",
      detail: """
        No event names \(unseen.count == 1 ? "this step" : "these steps"): called otherwise, or no \
        longer sent?\(near ?? "") Where people drop off is wrong until it is found \
        (firstmile flow check --against).
        """, chart: .quality)
  }

  /// Whether so many people went past a mandatory step that chance hardly leaves it without a view.
  /// Who skipped may have been led past it.
  private func isUnseen(_ step: Step) -> Bool {
    guard !step.isOptional, step.branchOf == nil,
      analysis.row(.stepReach, step: step.id)?.numerator == 0,
      let past = analysis.row(.stepBypassed, step: step.id)?.numerator
    else { return false }
    let skipped = analysis.row(.usedSkipRate)?.numerator ?? 0
    return UnlikelyAbsence.holds(share: DataFindings.leastReach, trials: past - skipped)
  }

  /// Of people who went past a step, the least share that saw it in an app that works.
  private static let leastReach = 0.1

  /// Answers that decide nothing, and skips that count as finished, because of a word.
  private func unknownValues() -> [FindingDraft] {
    UnknownValues.all(analysis.tally.quality, of: analysis.flow).compactMap { unknown in
      let share = Proportion(successes: unknown.count, trials: unknown.total)
      guard (share.estimate ?? 0) > DataFindings.contaminationBound else { return nil }
      return FindingDraft(
        kind: .unknownValues, tone: .alarm, claim: Sentence(words: unknown.claim),
        detail: Sentence(words: unknown.detail), chart: .quality)
    }
  }

  /// Skips by page would all stand a page too early or too late.
  private func skipContradictions() -> FindingDraft? {
    let quality = analysis.tally.quality
    let share = Proportion(successes: quality.skipPageConflicts, trials: quality.numberedSkips)
    guard (share.estimate ?? 0) > DataFindings.undeclaredBound else { return nil }
    let setting = PageNumbering(flow: analysis.flow, quality: quality).skipSetting
    let advice = setting.map { " With \($0) in the flow file most of them would agree." } ?? ""
    return FindingDraft(
      kind: .skipContradictions, tone: .alarm,
      claim: """
        \(RateText.percent(share.estimate ?? 0)) of the skips that give a page number name another \
        page than the one viewed last
        """,
      detail: """
        (\(NumberText.grouped(quality.skipPageConflicts))/\
        \(NumberText.grouped(quality.numberedSkips))), so skips by page can't be trusted.\(advice)
        """, chart: .quality)
  }

  private func brokenSums() -> FindingDraft? {
    let failures = analysis.identities.flatMap(\.failures)
    guard let first = failures.first else { return nil }
    return FindingDraft(
      kind: .identities, tone: .alarm,
      claim: "The sums do not hold in \(NumberText.grouped(failures.count)) places.",
      detail: "The first is \(first). It is a fault of the program: please report it.",
      chart: .quality)
  }

  private func sampleRatios() -> [FindingDraft] {
    analysis.experiments.filter(\.hasSampleRatioMismatch).map { summary in
      let split = SplitSentences(analysis: analysis, summary: summary)
      return FindingDraft(
        kind: .sampleRatio, tone: .alarm, claim: split.mismatchClaim,
        detail: """
          \(split.mismatchNumbers) Something besides chance decides who is seen, so no verdict is \
          given.
          """, chart: .experiment(summary.id))
    }
  }

  private func mixedAccounts(
    _ doubt: ExperimentDoubt, _ summary: ExperimentSummary
  ) -> FindingDraft {
    let name = analysis.names(ofExperiment: summary.id).title
    return FindingDraft(
      kind: .sampleRatio, tone: .alarm, claim: "Experiment \(name): \(doubt.reason).",
      detail: """
        So their split can’t be held against the planned one, and no verdict is given. \
        \(doubt.advice)
        """,
      chart: .experiment(summary.id))
  }

  private func changedSplits() -> [FindingDraft] {
    analysis.experiments.flatMap { summary in
      summary.doubts.compactMap { doubt in
        if case .mixedAccounts = doubt { return mixedAccounts(doubt, summary) }
        guard case .splitChanged(let variant, let least, let greatest) = doubt else { return nil }
        return FindingDraft(
          kind: .sampleRatio, tone: .alarm,
          claim: """
            The split of experiment \(analysis.names(ofExperiment: summary.id).title) changed over \
            time: \(SafeText.name(variant, limit: 24)) had \(RateText.percent(least)) of the \
            people at one time, \(RateText.percent(greatest)) at another
            """,
          detail: """
            (\(RateText.p(summary.splitDrift?.pValue ?? 1))). People of different times would be \
            compared, so no verdict is given. \
            \(SplitSentences.remedy(summary, analysis) ?? doubt.advice)
            """, chart: .experiment(summary.id))
      }
    }
  }

  private func rejects() -> FindingDraft? {
    let provenance = report.provenance
    let count = provenance.faults
    // A bound that was asked for decides how a run ends, and nothing about what is in no number.
    let isOver = provenance.rejectRate > provenance.maximumRejectRate
    guard isOver || GradeCondition.rejects.grade(count, of: provenance.lines) >= .d else {
      return nil
    }
    let bound = RateText.bound(provenance.maximumRejectRate)
    let judged =
      isOver ? "over the bound of \(bound)" : "within the bound of \(bound) that was asked for"
    let reasons = ByteOrder.sorted(provenance.rejectsByReason.keys)
      .filter { !Provenance.deletedRows.contains($0) }
    let most = reasons.max {
      (provenance.rejectsByReason[$0] ?? 0) < (provenance.rejectsByReason[$1] ?? 0)
    }
    return FindingDraft(
      kind: .rejects, tone: isOver ? .alarm : .bad,
      claim: "\(RateText.percent(provenance.rejectRate)) of the lines could not be used",
      detail: """
        (\(NumberText.grouped(count))/\(NumberText.grouped(provenance.lines))), \
        \(judged); most often: \(SafeText.name(most ?? "", limit: 40)).
        """, chart: .quality)
  }

  /// Rows of which a log says that they are gone: what the log said of them before counts.
  private func deletedByLog() -> FindingDraft? {
    let count = report.provenance.rejectsByReason[Provenance.deletedByLog] ?? 0
    guard count > 0 else { return nil }
    return FindingDraft(
      kind: .deletedByLog, tone: .bad,
      claim: """
        \(CountText.of(count, "row")) \(count == 1 ? "was" : "were") deleted where the data come \
        from, and may still count
        """,
      detail: """
        The data look like a log of changes. What it says of such a row before its deletion \
        counts: read the table and not its log.
        """, chart: .quality)
  }

  private func contaminations() -> [FindingDraft] {
    analysis.experiments.compactMap { summary in
      let share = Proportion(successes: summary.contaminated, trials: summary.inside)
      guard (share.estimate ?? 0) > DataFindings.contaminationBound else { return nil }
      let row = MetricRows.rate(
        .all, .contaminated, "all", numerator: share.successes, denominator: share.trials,
        interval: analysis.flow.statistics.rateInterval)
      let rule = analysis.flow.experiments.first { $0.id == summary.id }?.contaminated
      let title = analysis.names(ofExperiment: summary.id).title
      return FindingDraft(
        kind: .contamination, tone: .bad,
        claim: """
          Experiment \(title): \(RateText.percent(share.estimate ?? 0)) of the people saw \
          several variants
          """,
        detail: """
          \(row.countsText), \(RateText.level(row.level)) CI \
          \(RateText.interval(row.low ?? 0, row.high ?? 1))\
          \(rule == .first ? "; the first one counts." : "; they are left out.")
          """, chart: .experiment(summary.id))
    }
  }

  /// Few who were exposed late change little.
  private func lateExposures() -> [FindingDraft] {
    LateExposures.all(analysis).compactMap { late in
      guard late.count * 20 > late.exposed else { return nil }
      return FindingDraft(
        kind: .contamination, tone: .bad, claim: "\(late.claim)", detail: "\(late.detail)",
        chart: .experiment(late.experiment))
    }
  }

  private func immature() -> FindingDraft? {
    guard let entered = analysis.datum(.entered), (entered.row.numerator ?? 0) > 0,
      analysis.row(.persons)?.numerator == 0
    else { return nil }
    let window = DurationText.format(analysis.flow.windowMilliseconds)
    return FindingDraft(
      kind: .immature, tone: .alarm,
      claim: "It is too early for any rate.",
      detail: entered.row.numerator == 1
        ? "The only person who started is still within the window of \(window)."
        : """
        All \(entered.saidCount) people who started are still within their window of \(window).
        """)
  }
}
