internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// What is odd about the dates of the data: clocks that are far off, and an uneven end.
struct HorizonFindings {
  let report: Report

  func drafts() -> [FindingDraft] {
    stoppedEvents()
      + [misdated(), tail(), afterData(), shortDay(), missingDays(), missingStarts()].compactMap {
        $0
      }
  }

  /// Without completions all that a report says first is wrong. Of each event the run of most
  /// people.
  private func stoppedEvents() -> [FindingDraft] {
    var shown: Set<StoppedEvents.Event> = []
    let all = StoppedEventsWords.all(report.analysis)
    return all.enumerated().sorted {
      let people = ($0.element.run.people, $1.element.run.people)
      return people.0 != people.1 ? people.0 > people.1 : $0.offset < $1.offset
    }.filter { shown.insert($0.element.run.event).inserted }.map { _, words in
      FindingDraft(
        kind: .unmeasured, tone: words.run.event == .completion ? .alarm : .bad,
        claim: "\(words.claim)", detail: "\(words.detail)", chart: .quality)
    }
  }

  private func missingDays() -> FindingDraft? {
    MissingDaysWords(report.provenance).map { words in
      FindingDraft(
        kind: .shortDay, tone: .bad, claim: "\(words.claim)", detail: "\(words.detail)",
        chart: .quality)
    }
  }

  private func afterData() -> FindingDraft? {
    DaysAfterDataWords(report.provenance).map { words in
      FindingDraft(
        kind: .shortDay, tone: .bad, claim: "\(words.claim)", detail: "\(words.detail)",
        chart: .quality)
    }
  }

  private func missingStarts() -> FindingDraft? {
    MissingStartsWords(report).map { words in
      FindingDraft(
        kind: .shortDay, tone: words.goesOn ? .neutral : .bad, claim: "\(words.claim)",
        detail: "\(words.detail)", chart: .quality)
    }
  }

  private func misdated() -> FindingDraft? {
    let quality = report.analysis.tally.quality
    guard quality.misdatedFacts > 0 else { return nil }
    let persons = Sentence(quality: quality.misdatedPersons, "misdated_persons")
    let people: Sentence =
      "\(persons) \(quality.misdatedPersons == 1 ? "person has" : "people have")"
    let facts = Sentence(quality: quality.misdatedFacts, "misdated_facts")
    let events: Sentence = "\(facts) \(quality.misdatedFacts == 1 ? "event" : "events")"
    let entered = report.analysis.row(.entered)?.numerator ?? 0
    return FindingDraft(
      kind: .misdated,
      // Whose they are, if only a part of the people is looked at, is not known.
      tone: !report.isOfPart && quality.misdatedPersons * 100 > entered ? .alarm : .neutral,
      claim: "\(people) \(events) dated far from all others.",
      detail: """
        They lie beyond a gap in the data, probably from wrong clocks, and are left out. If they \
        are real, rerun the report with a later end date.
        """, chart: .quality)
  }

  /// A share of the events that no clocks explain lies behind the end of the data: a few people who
  /// go on after a launch, or an app that hardly anybody uses.
  private func tail() -> FindingDraft? {
    let count = report.analysis.tally.quality.factsAfterHorizon
    let facts = report.provenance.timelineCounts["facts"] ?? 0
    let grade = GradeCondition.factsAfterHorizon.grade(count, of: facts)
    guard grade > .a, let horizon = report.provenance.horizonMilliseconds else { return nil }
    let events = Sentence(quality: count, "facts_after_horizon")
    return FindingDraft(
      kind: .shortDay, tone: grade > .b ? .alarm : .bad,
      claim: "\(events) \(count == 1 ? "event" : "events") after "
        + "\(DateText.day(Int(horizon / 86_400_000))) \(count == 1 ? "is" : "are") left out.",
      detail: """
        On none of the later dates do enough people have events that the data could be taken as \
        complete. If they are complete up to a later date, rerun the report with it as the end date.
        """, chart: .quality)
  }

  private func shortDay() -> FindingDraft? {
    guard let day = report.provenance.shortDay else { return nil }
    return FindingDraft(
      kind: .shortDay, tone: .bad,
      claim: "The data end unevenly, so part of them may be missing.",
      detail: """
        On \(day.date) (UTC) \(NumberText.grouped(day.persons)) people have events, on each of \
        the 28 dates before at least \(NumberText.grouped(day.leastPersons)). A report \
        can end on an earlier day.
        """, chart: .quality)
  }
}
