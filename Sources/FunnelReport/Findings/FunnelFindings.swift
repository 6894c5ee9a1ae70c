internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// Where people leave, who skips, who grants, how long it takes, who comes back.
struct FunnelFindings {
  let analysis: Analysis
  private var flow: Flow { analysis.flow }

  func drafts() -> [FindingDraft] {
    [dropOff(), skip()].compactMap { $0 } + permissions() + [retention(), time()].compactMap { $0 }
  }

  private func count(_ counter: Int) -> Int { analysis.slices.count(.all, counter) }

  private func dropOff() -> FindingDraft? {
    let places = ["(entry)"] + StepPlaces(.all, flow).order.map { flow.steps[$0].id }
    let rows = places.compactMap { analysis.row("step_drop_off", step: $0) }
    // The first of equals: it is the one that comes earlier in the flow.
    var most: MetricRow?
    for row in rows where (row.numerator ?? 0) > (most?.numerator ?? 0) { most = row }
    let layout = analysis.slices.layout
    let gone = count(layout[.skipped]) + count(layout[.abandoned])
    guard let most, gone > 0 else { return nil }
    let skipping = analysis.row("step_left_skipping", step: most.step)?.numerator ?? 0
    let abandoning = analysis.row("step_abandoned", step: most.step)?.numerator ?? 0
    let how =
      flow.skip == .ends
      ? "; \(NumberText.grouped(skipping)) by skipping, \(NumberText.grouped(abandoning)) by "
        + "abandoning" : ""
    let share = Proportion(successes: most.numerator ?? 0, trials: gone).estimate ?? 0
    let place = most.step == "(entry)" ? "before the first step" : "at \(most.step)"
    return FindingDraft(
      kind: .dropOff, tone: .bad,
      text: "Most people leave \(place): of those who "
        + "\(most.step == "(entry)" ? "entered" : "saw it") \(RateText.full(most))\(how). That is "
        + "\(RateText.percent(share)) of all \(NumberText.grouped(gone)) who did not finish.")
  }

  private func skip() -> FindingDraft? {
    guard let used = analysis.row("used_skip_rate"), (used.numerator ?? 0) > 0 else { return nil }
    let pages = flow.steps.map(\.id) + ["(unknown)"]
    var most: MetricRow?
    for page in pages {
      guard let row = analysis.row("skip_share", step: page) else { continue }
      if (row.numerator ?? 0) > (most?.numerator ?? 0) { most = row }
    }
    let place = most.map { row in
      let page =
        row.step == "(unknown)" ? "on a page that the events do not name" : "on \(row.step)"
      return " Most often \(page): \(RateText.full(row)) of them."
    }
    return FindingDraft(
      kind: .skip, text: "Used skip: \(RateText.full(used)).\(place ?? "")")
  }

  private func permissions() -> [FindingDraft] {
    flow.permissions.compactMap { name in
      guard let optIn = analysis.row("permission_opt_in", step: name),
        (optIn.denominator ?? 0) > 0
      else { return nil }
      var text = "\(name.capitalizedFirst): opt-in \(RateText.full(optIn))."
      if let accepted = analysis.row("permission_acceptance", step: name),
        (accepted.denominator ?? 0) > 0
      {
        text += " Acceptance, of those asked: \(RateText.full(accepted))."
      }
      if case .leadsTo = flow.skip, let contrast = skippersAgainstReaders(name) {
        text += contrast
      }
      return FindingDraft(kind: .permission, text: text)
    }
  }

  /// The core question where skip leads to the permission: do skippers grant less?
  func skippersAgainstReaders(_ permission: String) -> String? {
    func rate(_ value: String) -> MetricRow? {
      let key = BreakdownKey(dimension: BreakdownKey.usedSkip, value: value)
      return analysis.row("permission_opt_in", step: permission, in: Slice(breakdown: key))
    }
    guard let skippers = rate("yes"), let readers = rate("no"),
      let skipped = skippers.value, let read = readers.value,
      let difference = ProportionComparison(
        treatment: skippers.proportion, control: readers.proportion
      ).difference().value
    else { return nil }
    return " Who skipped ahead: \(RateText.percent(skipped)) \(skippers.countsText); who read on: "
      + "\(RateText.percent(read)) \(readers.countsText). Difference "
      + "\(RateText.points(difference)); observational: people chose."
  }

  private func retention() -> FindingDraft? {
    guard let measure = RetentionMeasure.telling(analysis),
      let row = analysis.row("retention_\(measure.id)")
    else { return nil }
    let waiting = count(analysis.slices.layout[.persons]) - (row.denominator ?? 0)
    let caveat =
      measure.anchor == .entry && waiting > 0
      ? " \(NumberText.grouped(waiting)) more can't be told yet." : ""
    return FindingDraft(
      kind: .retention,
      text: "\(measure.words.capitalizedFirst): \(RateText.full(row)).\(caveat)")
  }

  private func time() -> FindingDraft? {
    guard let median = analysis.row("time_to_complete_p50")?.value,
      let slow = analysis.row("time_to_complete_p90")?.value,
      let persons = analysis.row("time_to_complete_n")?.numerator
    else { return nil }
    var text =
      "Finishing takes \(RateText.duration(median)) at the median, \(RateText.duration(slow)) at "
      + "the 90th percentile (n = \(NumberText.grouped(persons)) who finished)"
    var tone = Finding.Tone.neutral
    if let expected = flow.expectedTotalMilliseconds {
      let milliseconds = median * 1000
      let isLonger = milliseconds > Double(expected.upperBound)
      let isShorter = milliseconds < Double(expected.lowerBound)
      tone = isLonger ? .bad : .neutral
      text +=
        "; the design means \(RateText.expected(expected)), so the median is "
        + (isLonger ? "longer" : isShorter ? "shorter" : "as meant")
    }
    return FindingDraft(kind: .time, tone: tone, text: text + ".")
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
