internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// Where people leave, who skips, how long it takes, who comes back.
struct FunnelFindings {
  let analysis: Analysis
  private var flow: Flow { analysis.flow }

  func drafts() -> [FindingDraft] {
    DropOffFindings(analysis: analysis).drafts() + [skip()].compactMap { $0 }
      + PermissionFindings(analysis: analysis).drafts()
      + [retention(), time()].compactMap { $0 }
  }

  private func skip() -> FindingDraft? {
    guard let used = analysis.datum("used_skip_rate"), (used.row.numerator ?? 0) > 0 else {
      return nil
    }
    let pages = flow.steps.map(\.id) + ["(unknown)"]
    var most: Datum?
    for page in pages {
      guard let datum = analysis.datum("skip_share", step: page) else { continue }
      if (datum.row.numerator ?? 0) > (most?.row.numerator ?? 0) { most = datum }
    }
    let place = most.map { datum -> Sentence in
      let page =
        datum.row.step == "(unknown)"
        ? "on a page that the events do not name" : "on \(datum.row.step)"
      return " Most often \(page): \(datum.saidFully) of them."
    }
    return FindingDraft(
      kind: .skip, text: "Used skip: \(used.saidFully).\(place ?? "")\(finishedLater())")
  }

  /// Who tapped Skip and finished all the same.
  private func finishedLater() -> Sentence {
    guard let later = analysis.datum("finished_after_skipping"), (later.row.numerator ?? 0) > 0
    else { return "" }
    return " \(later.saidCount) of them finished all the same."
  }

  private func retention() -> FindingDraft? {
    guard let measure = RetentionMeasure.telling(analysis),
      let datum = analysis.datum("retention_\(measure.id)"), datum.row.value != nil
    else { return nil }
    let persons = analysis.slices.count(.all, analysis.slices.layout[.persons])
    let waiting = persons - (datum.row.denominator ?? 0)
    let caveat =
      measure.anchor == .entry && waiting > 0
      ? " \(NumberText.grouped(waiting)) joined too recently to count." : ""
    return FindingDraft(
      kind: .retention,
      text: "\(measure.words.capitalizedFirst): \(datum.saidFully).\(caveat)")
  }

  private func time() -> FindingDraft? {
    guard let middle = analysis.datum("time_to_complete_p50"), let median = middle.row.value,
      let slow = analysis.datum("time_to_complete_p90"), slow.row.value != nil,
      let persons = analysis.datum("time_to_complete_n"), persons.row.numerator != nil
    else { return nil }
    var text: Sentence = """
      Finishing takes \(middle.saidDuration) at the median, \(slow.saidDuration) at the 90th \
      percentile (n = \(persons.saidCount) who finished)
      """
    var tone = Finding.Tone.neutral
    if let expected = analysis.expectedTotals.of(.all) {
      let milliseconds = median * 1000
      let isLonger = milliseconds > Double(expected.upperBound)
      let isShorter = milliseconds < Double(expected.lowerBound)
      tone = isLonger ? .bad : .neutral
      text += """
        ; the design means \(RateText.expected(expected)), so the median is \
        \(isLonger ? "longer" : isShorter ? "shorter" : "as meant")
        """
    }
    return FindingDraft(kind: .time, tone: tone, text: text + ".\(slowestStep() ?? "")")
  }

  /// The step that holds people longest, over all who see it: who leaves never moves on.
  private func slowestStep() -> Sentence? {
    var slowest: Datum?
    for step in flow.steps where !analysis.unmeasured.contains("time_to_move_on", step: step.id) {
      guard let seen = analysis.datum("time_to_move_on_n", step: step.id),
        (seen.row.numerator ?? 0) >= LeavingPlaces.fewestViewers,
        let middle = analysis.datum("time_to_move_on_p50", step: step.id)
      else { continue }
      guard let median = middle.row.value else {
        return " More than half of the \(seen.saidCount) people who see \(step.id) never move on."
      }
      if median > slowest?.row.value ?? 0 { slowest = middle }
    }
    return slowest.map { datum in
      """
       People stay longest on \(datum.row.step): half of all who see it have moved on after \
      \(datum.saidDuration).
      """
    }
  }
}
