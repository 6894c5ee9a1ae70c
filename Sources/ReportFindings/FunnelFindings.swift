internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// Where people leave, who skips, how long it takes, who comes back.
struct FunnelFindings {
  let analysis: Analysis
  private var flow: Flow { analysis.flow }

  func drafts() -> [FindingDraft] {
    lost() + DropOffFindings(analysis: analysis).drafts()
      + [skip(), DeclineFinding(analysis: analysis).draft()].compactMap { $0 }
      + PermissionFindings(analysis: analysis).drafts()
      + [retention(), time()].compactMap { $0 }
  }

  private func lost() -> [FindingDraft] {
    if analysis.unmeasured.hasNoCompletions || analysis.unmeasured.hasNoViews { return [] }
    return [LostAnyway.draft(analysis), DenialFinding(analysis: analysis).draft()]
      .compactMap { $0 }
  }

  private func skip() -> FindingDraft? {
    guard let used = analysis.datum(.usedSkipRate), (used.row.numerator ?? 0) > 0 else {
      return nil
    }
    let pages = skipPages
    let most = pages.max { ($0.row.numerator ?? 0) < ($1.row.numerator ?? 0) }
    let place = most.map { datum -> Sentence in
      let page =
        datum.row.step == "(unknown)"
        ? "on a page that the events do not name" : "on \(title(datum.row.step))"
      return ", most often \(page)"
    }
    var share: Sentence = most.map { "; \($0.saidRate) of them there" } ?? ""
    let often = pages.max { lowest($0) < lowest($1) }
    if let most, let often, lowest(often) > highest(most) {
      share = share + "; of those who see it, clearly more on \(title(often.row.step))"
    }
    let skip = flow.skip == .ends ? "use Skip" : "skip ahead"
    return FindingDraft(
      kind: .skip,
      claim: "\(used.saidRate) of people \(skip)\(place ?? "")",
      detail: """
        (\(used.saidCount) of \(used.saidTotal); \(RateText.level(used.row.level)) CI \
        \(used.saidInterval ?? "–")\(share)).\(finishedLater())\(comingBack())
        """, chart: ChartID("balance", "skips"), subject: .skip)
  }

  /// Where people used Skip, the page that the events don't name among them.
  private var skipPages: [Datum] {
    (flow.steps.map(\.id) + ["(unknown)"]).compactMap { page in
      analysis.datum(.skipShare, step: page).flatMap { ($0.row.numerator ?? 0) > 0 ? $0 : nil }
    }
  }

  /// Which share of the people who see a page use Skip there, at least and at most.
  private func viewersShare(_ page: Datum) -> Interval? {
    let viewed = analysis.row(.stepReach, step: page.row.step)?.numerator ?? 0
    let used = min(page.row.numerator ?? 0, viewed)
    return ProportionIntervals.wilson(Proportion(successes: used, trials: viewed)).value
  }

  private func lowest(_ page: Datum) -> Double { viewersShare(page)?.lower ?? 0 }
  private func highest(_ page: Datum) -> Double { viewersShare(page)?.upper ?? 1 }

  /// The title that people know.
  private func title(_ step: String) -> String {
    SafeText.name(flow.stepIndex(step).map { flow.steps[$0].title } ?? step, limit: 60)
  }

  /// Who tapped Skip and finished all the same, and the others: those are the share that figures
  /// and charts call *skipped*.
  private func finishedLater() -> Sentence {
    guard let later = analysis.datum(.finishedAfterSkipping), (later.row.numerator ?? 0) > 0
    else { return "" }
    guard flow.skip == .ends, let ended = analysis.datum(.skipRate) else {
      return " \(later.saidCount) of them finished all the same."
    }
    return " \(later.saidCount) of them finished all the same; \(ended.saidCount) "
      + "(\(ended.saidRate) of people) left by skipping."
  }

  /// Whether people who used Skip come back as often as others, where that can be known.
  private func comingBack() -> Sentence {
    guard let measure = RetentionMeasure.telling(analysis),
      flow.hasLandmark(measure, cutBy: BreakdownKey.usedSkip)
    else { return "" }
    let rates = ["yes", "no"].compactMap { value -> Datum? in
      let key = BreakdownKey(dimension: BreakdownKey.usedSkip, value: value)
      let datum = analysis.datum(.retention(measure), in: Slice(breakdown: key))
      return datum?.row.value == nil ? nil : datum
    }
    guard rates.count == 2 else { return "" }
    func said(_ datum: Datum) -> Sentence {
      """
      \(datum.saidRate) (\(datum.saidCount) of \(datum.saidTotal); \
      \(RateText.level(datum.row.level)) CI \(datum.saidInterval ?? "–"))
      """
    }
    return """
       \(measure.words.capitalizedFirst): \(said(rates[0])) of those who skip, \
      \(said(rates[1])) of the others. People chose this themselves, so skipping \
      may not be the cause.
      """
  }

  /// Where there are several versions, figures of one of them may stand beside these.
  private var ofEveryone: String { analysis.seenVersions.count > 1 ? " of everyone" : "" }

  private func retention() -> FindingDraft? {
    guard let measure = RetentionMeasure.telling(analysis),
      let datum = analysis.datum(.retention(measure)), datum.row.value != nil
    else { return nil }
    let persons = analysis.slices.count(.all, analysis.slices.layout[.persons])
    let lacking = analysis.lackingDates(measure)
    let waiting = persons - (datum.row.denominator ?? 0) - lacking
    var caveat =
      measure.anchor == .entry && waiting > 0
      ? " " + ReportWords.tooRecent(waiting, for: measure.shortWords) : ""
    if lacking > 0 {
      caveat +=
        " \(ReportWords.people(lacking)) \(lacking == 1 ? "doesn’t" : "don’t") count for it, "
        + "because days are missing."
    }
    return FindingDraft(
      kind: .retention,
      claim: "\(measure.words.capitalizedFirst)\(ofEveryone) is \(datum.saidRate)",
      detail: """
        (\(datum.saidCount) of \(datum.saidTotal); \(RateText.level(datum.row.level)) CI \
        \(datum.saidInterval ?? "–")).\(caveat)
        """, chart: ChartID("retention", "days"), subject: .retention)
  }

  private func time() -> FindingDraft? {
    guard let middle = analysis.datum(.timeToComplete.percentile(50)), middle.row.value != nil,
      let slow = analysis.datum(.timeToComplete.percentile(90)), slow.row.value != nil,
      let persons = analysis.datum(.timeToComplete.numberOfValues),
      let count = persons.row.numerator
    else { return nil }
    var claim: Sentence = "Median time to finish\(ofEveryone) is \(middle.saidDuration)"
    var tone = Finding.Tone.neutral
    if let verdict = TimeVerdict(analysis, in: .all) {
      tone = verdict.isLonger ? .bad : .neutral
      claim += ", \(verdict.againstTarget)"
    }
    // Of fewer than ten people 90 % are all of them.
    let detail: Sentence =
      count < 10
      ? "Only \(persons.saidCount) \(count == 1 ? "person" : "people") finished."
      : "90 % of the \(persons.saidCount) people who finished took \(slow.saidDuration) at most, "
        + "breaks included."
    return FindingDraft(
      kind: .time, tone: tone, claim: claim + ".", detail: detail + (slowestStep() ?? ""),
      chart: ChartID("time", hasCurve ? "finished" : "steps"), subject: .time)
  }

  /// Whether the page draws how many had finished by when.
  private var hasCurve: Bool {
    analysis.curves.count { $0.metric == .incidenceFinished && $0.slice == .all } > 1
  }

  /// The step that holds people longest, over all who see it: who leaves never moves on. What only
  /// an earlier version of the flow has can't be mended any more.
  private func slowestStep() -> Sentence? {
    var slowest: Datum?
    for step in flow.steps where !analysis.unmeasured.contains(.timeToMoveOn, step: step.id) {
      guard StepVersion(step, analysis) == nil,
        let seen = analysis.datum(.timeToMoveOn.numberOfValues, step: step.id),
        (seen.row.numerator ?? 0) >= LeavingPlaces.fewestViewers,
        let middle = analysis.datum(.timeToMoveOn.percentile(50), step: step.id)
      else { continue }
      guard let median = middle.row.value else {
        return " More than half of the \(seen.saidCount) people who see \(title(step.id)) never "
          + "move on."
      }
      if median > slowest?.row.value ?? 0 { slowest = middle }
    }
    let versions = analysis.seenVersions
    let people =
      versions.count > 1
      ? "Of the steps of \(analysis.label(versions[versions.count - 1])), people" : "People"
    return slowest.map { datum in
      """
       \(people) stay longest on \(title(datum.row.step)): half of all who see it have moved on \
      after \(datum.saidDuration).
      """
    }
  }
}
