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
    let leaving = LeavingPlaces(analysis)
    guard let most = leaving.places.first else { return nil }
    let gone = leaving.gone
    let persons = count(analysis.slices.layout[.persons])
    if gone < LeavingPlaces.fewest {
      return FindingDraft(
        kind: .dropOff,
        text: "\(NumberText.grouped(gone)) of \(NumberText.grouped(persons)) persons did not "
          + "finish: too few to say where people leave. Most of them so far \(name(most)): "
          + "\(NumberText.grouped(most.count)).")
    }
    let leaders = leaving.leaders
    let seen =
      "of those who \(most.step == "(entry)" ? "entered" : "saw it") "
      + "\(RateText.full(most.row))\(ways(most))"
    if leaders.count > 1 {
      let others = leaders.prefix(4).map { "\(NumberText.grouped($0.count)) \(name($0))" }
      let rest = leaders.count > 4 ? " and more" : ""
      return FindingDraft(
        kind: .dropOff, tone: .bad,
        text: "No one place stands out where people leave: of the \(NumberText.grouped(gone)) who "
          + "did not finish, \(others.joined(separator: ", "))\(rest) left, a difference "
          + "that chance explains. The first of them, \(name(most)): \(seen).")
    }
    let share = Proportion(successes: most.count, trials: gone).estimate ?? 0
    return FindingDraft(
      kind: .dropOff, tone: .bad,
      text: "Most people leave \(name(most)): \(seen). That is \(RateText.percent(share)) of all "
        + "\(NumberText.grouped(gone)) who did not finish.")
  }

  private func name(_ place: LeavingPlaces.Place) -> String {
    place.step == "(entry)" ? "before the first step" : "at \(place.step)"
  }

  /// By skipping or by abandoning, where there are both.
  private func ways(_ place: LeavingPlaces.Place) -> String {
    guard flow.skip == .ends else { return "" }
    let skipping = analysis.row("step_left_skipping", step: place.step)?.numerator ?? 0
    let abandoning = analysis.row("step_abandoned", step: place.step)?.numerator ?? 0
    return "; \(NumberText.grouped(skipping)) by skipping, \(NumberText.grouped(abandoning)) by "
      + "abandoning"
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
      if let asked = AskedPersons(name, analysis) {
        text =
          "\(name.capitalizedFirst): opt-in \(asked.words). "
          + "Over all persons: \(RateText.full(optIn))."
      }
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
