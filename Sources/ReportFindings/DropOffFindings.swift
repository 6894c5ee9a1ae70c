internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// Where people drop off, for each version.
struct DropOffFindings {
  let analysis: Analysis
  private var flow: Flow { analysis.flow }
  private static let maximumNamed = 4

  func drafts() -> [FindingDraft] {
    // Without completions everybody seems to have dropped off, without views before the first step.
    if analysis.unmeasured.hasNoCompletions || analysis.unmeasured.hasNoViews { return [] }
    return LeavingPlaces.all(analysis).compactMap { leaving in
      // Who didn't finish isn't known where completions are missing.
      if leaving.leaders.count == 1, let worst = leaving.leaders.first,
        analysis.hasUnknownLosses(at: worst.step)
      {
        return nil
      }
      let change = leaving.change(analysis)
      let isMended = change.map(leaving.isMended) ?? false
      guard let (claim, detail) = words(leaving, change, isMended: isMended) else { return nil }
      let version: Sentence =
        leaving.slice == .all
        ? "" : "Flow version \(SafeText.name(leaving.slice.version, limit: 40)): "
      return FindingDraft(
        kind: .dropOff, tone: leaving.leaders.count == 1 && !isMended ? .bad : .neutral,
        claim: version + claim,
        detail: detail, short: short(leaving), chart: chart(leaving),
        subject: .dropOff(
          leaving.slice, step: leaving.leaders.count == 1 ? leaving.leaders.first?.step : nil),
        isOfItsOwn: leaving.leaders.count == 1)
    }
  }

  /// The step that stands out, or the funnel.
  private func chart(_ leaving: LeavingPlaces) -> ChartID {
    guard leaving.leaders.count == 1, let step = leaving.leaders.first?.step, step != "(entry)"
    else { return .funnel }
    return .step(step)
  }

  private typealias Words = (claim: Sentence, detail: Sentence)

  private func words(
    _ leaving: LeavingPlaces, _ change: CohortChange?, isMended: Bool
  ) -> Words? {
    guard let largest = leaving.largestLoss else { return nil }
    guard let worst = leaving.leaders.first else {
      let persons = analysis.datum(.persons, in: leaving.slice)?.saidCount ?? "0"
      return (
        """
        \(NumberText.grouped(leaving.gone)) of \(persons) people did not finish: too few to say \
        where people drop off.
        """,
        largest.left.successes * 2 > leaving.gone
          ? "Most of them so far \(place(largest)): \(largest.datum.saidCount)."
          : "So far the most are lost \(most(leaving, largest))."
      )
    }
    if leaving.leaders.count > 1 { return spread(leaving, largest) }
    let who = worst.step == "(entry)" ? "start see no step" : "reach it leave"
    let better = isMended ? change.map { mended(worst, $0) } : nil
    let claim: Sentence =
      better
      ?? "Biggest drop-off: \(name(worst).ended) \(worst.datum.saidRate) of the people who \(who)"
    let all: Sentence = isMended ? "in all \(worst.datum.saidRate), " : ""
    var detail: Sentence = """
      (\(all)\(counts(worst)); \(RateText.level(worst.datum.row.level)) CI \
      \(worst.datum.saidInterval ?? "–"))\(ways(worst, leaving.slice)). \
      They are \(share(worst, leaving)).\(isMended ? "" : changed(change))\
      \(LostAnyway.remark(worst.step, in: leaving.slice, analysis))\(mostly(worst, leaving.slice))
      """
    if largest.step != worst.step {
      detail += """
         The most people are lost \(most(leaving, largest))\(of(leaving, largest)).
        """
    }
    return (claim, detail)
  }

  /// `Profile lost 25 % of the people who reached it until around 9 Mar 2026, and has lost 6 %
  /// since`
  private func mended(_ place: LeavingPlaces.Place, _ change: CohortChange) -> Sentence {
    let rates = HeadlineWords.pair(change.jump.before, change.jump.after)
    if place.step == "(entry)" {
      return """
        Of the people who started until \(change.date) \(rates[0]) saw no step, and \(rates[1]) of \
        those who started since
        """
    }
    return """
      \(name(place)) lost \(rates[0]) of the people who reached it until \(change.date), and has \
      lost \(rates[1]) since
      """
  }

  /// ` Until around 9 Mar 2026 it was 6 %, since then 25 %.`
  private func changed(_ change: CohortChange?) -> Sentence {
    guard let change else { return "" }
    let rates = HeadlineWords.pair(change.jump.before, change.jump.after)
    return " Until \(change.date) it was \(rates[0]), since then \(rates[1])."
  }

  private func spread(_ leaving: LeavingPlaces, _ largest: LeavingPlaces.Place) -> Words {
    // Where no rate stands out, what differs is how many people are lost.
    let leaders = leaving.leaders.enumerated().sorted { left, right in
      let losses = (left.element.left.successes, right.element.left.successes)
      return losses.0 != losses.1 ? losses.0 > losses.1 : left.offset < right.offset
    }.map(\.element)
    let shown = leaders.prefix(DropOffFindings.maximumNamed)
    let more = leaving.leaders.count - shown.count
    let names = shown.map(name) + (more > 0 ? ["\(NumberText.grouped(more)) more"] : [])
    let rates = shown.map(\.datum.saidRate)
    let last = names.count - 1
    let list = names[..<last].joined(separator: ", ") + " and " + names[last]
    return (
      "No single step stands out beyond chance. The losses are spread over \(list)",
      """
      (\(rates.joined(separator: ", "))\(more > 0 ? ", …" : "") of those who reach them). The \
      most people are lost \(most(leaving, largest)), \(share(largest, leaving)).\
      \(LostAnyway.remark(largest.step, in: leaving.slice, analysis))
      """
    )
  }

  /// `37 % of the 78 who didn’t finish`
  private func share(_ place: LeavingPlaces.Place, _ leaving: LeavingPlaces) -> String {
    if place.left.successes == leaving.gone { return "all who didn’t finish" }
    let share = Proportion(successes: place.left.successes, trials: leaving.gone).estimate ?? 0
    return "\(RateText.percent(share)) of the \(NumberText.grouped(leaving.gone)) who didn’t finish"
  }

  /// ` It loses clearly more of “de_DE” (language): 25.8 % (62 of 240).` of the groups that are
  /// shown to be lost most of, two at most: a loss that has a place is half explained.
  private func mostly(_ place: LeavingPlaces.Place, _ slice: Slice) -> Sentence {
    let worse = lost(place, slice)
    var words: Sentence = ""
    for (index, (panel, datum)) in worse.enumerated() {
      words += """
        \(index == 0 ? " It loses clearly more of" : ", and of") \(name(datum, panel)): \
        \(datum.saidRate) (\(datum.saidCount) of \(datum.saidTotal))
        """
    }
    return worse.isEmpty ? "" : words + "."
  }

  /// `It loses clearly more of “3.2.1” (app version) and of “Android 16” (os).`: who, without how
  /// many.
  private func short(_ leaving: LeavingPlaces) -> Sentence {
    guard leaving.leaders.count == 1, let worst = leaving.leaders.first else { return "" }
    let names = lost(worst, leaving.slice).map { "of \(name($0.datum, $0.panel))" }
    return names.isEmpty ? "" : "It loses clearly more \(names.listed)."
  }

  /// `“3.2.1” (app version)`
  private func name(_ group: Datum, _ panel: BreakdownPanel) -> String {
    let value = SafeText.name(PlainName.of(group.row.slice.breakdown.value), limit: 30)
    return "“\(value)” (\(panel.name(flow)))"
  }

  /// The groups that a step is shown to lose more of than of all, two at most.
  private func lost(
    _ place: LeavingPlaces.Place, _ slice: Slice
  ) -> [(panel: BreakdownPanel, datum: Datum)] {
    guard slice == .all, let step = flow.stepIndex(place.step).map({ flow.steps[$0] }),
      let panels = StepGroups(step, analysis)?.panels, let whole = place.left.estimate
    else { return [] }
    let worse = panels.flatMap { panel in
      panel.groups.filter(\.standsOut).compactMap { group in
        analysis.datum(.stepDropOff, step: step.id, in: group.slice).map { (panel.panel, $0) }
      }
    }.filter { $0.1.row.value ?? 0 > whole }
      .sorted { $0.1.row.value ?? 0 > $1.1.row.value ?? 0 }
    return worse.prefix(2).map { (panel: $0.0, datum: $0.1) }
  }

  private func counts(_ place: LeavingPlaces.Place) -> Sentence {
    "\(place.datum.saidCount) of \(place.datum.saidTotal)"
  }

  /// The title that people know, with the id where it is another.
  private func name(_ place: LeavingPlaces.Place) -> String {
    if place.step == "(entry)" { return "before the first step" }
    let title = flow.stepIndex(place.step).map { flow.steps[$0].title } ?? place.step
    return SafeText.name(title, limit: 60)
  }

  /// `at Sign in: 28`, or `at Sign in and Profile: 28 each`.
  private func most(_ leaving: LeavingPlaces, _ largest: LeavingPlaces.Place) -> Sentence {
    let ties = leaving.largestLosses
    return ties.count == 1
      ? "\(place(largest)): \(largest.datum.saidCount)"
      : "\(ties.map(place).listed): \(largest.datum.saidCount) each"
  }

  /// `, 12.4 % of those who reach it`, of a single place.
  private func of(_ leaving: LeavingPlaces, _ largest: LeavingPlaces.Place) -> Sentence {
    if leaving.largestLosses.count > 1 { return "" }
    return ", \(largest.datum.saidRate) of those who "
      + (largest.step == "(entry)" ? "start" : "reach it")
  }

  private func place(_ place: LeavingPlaces.Place) -> String {
    place.step == "(entry)" ? name(place) : "at \(name(place))"
  }

  /// By skipping or by abandoning, where there are both.
  private func ways(_ place: LeavingPlaces.Place, _ slice: Slice) -> Sentence {
    guard analysis.endsBySkipping,
      let skipping = analysis.datum(.stepLeftSkipping, step: place.step, in: slice),
      let abandoning = analysis.datum(.stepAbandoned, step: place.step, in: slice),
      // Without an event of skipping nobody knows.
      skipping.row.value != nil, abandoning.row.value != nil
    else { return "" }
    return "; \(skipping.saidCount) by skipping, \(abandoning.saidCount) by abandoning"
  }
}
