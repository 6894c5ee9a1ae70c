internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// Persons who are no people, or not the flow's: crawlers, shared ids, copies, another app's.
struct OddPeopleFindings {
  let report: Report
  private var people: OddPeople? { report.analysis.tally.people }

  func drafts() -> [FindingDraft] {
    [
      severalApps(), doubled(), crowd(), severalUsers(), placeholders(), crawlers(), busyIds(),
      copies(),
    ]
    .compactMap { $0 }
  }

  private func severalApps() -> FindingDraft? {
    guard let groups = people?.groups, groups.count > 1 else { return nil }
    let parts = groups.prefix(3).map { group in
      let names = group.examples.map { "'\(SafeText.name(sent($0), limit: 40))'" }
      return "\(NumberText.grouped(group.people)) with \(names.joined(separator: ", "))"
    }
    return FindingDraft(
      kind: .severalApps, tone: .alarm,
      claim: "People fall into \(NumberText.grouped(groups.count)) groups that share no event.",
      detail: """
        \(parts.joined(separator: "; ")). Two apps in one dump, or ids that change at sign-up? \
        Rates over all of them describe neither.
        """, chart: .quality)
  }

  private func doubled() -> FindingDraft? {
    guard let people, people.doubledPersons > 0 else { return nil }
    return FindingDraft(
      kind: .doubledPeople, tone: .alarm,
      claim: """
        About \(NumberText.grouped(people.doubledPersons)) of \
        \(NumberText.grouped(people.persons)) people count twice.
        """,
      detail: """
        They have the events of somebody else, to the second: the exports of two tools, or two ids \
        of one person. Give the export of one tool only, or name the id that both have under \
        'fields'.
        """, chart: .quality)
  }

  private func crowd() -> FindingDraft? {
    guard let people, let most = people.factsOfCrowd else { return nil }
    let share = RateText.percent(Double(most) / Double(max(1, people.facts)))
    return FindingDraft(
      kind: .crowdedId, tone: .alarm,
      claim: "\(share) of all events are of a single id.",
      detail: """
        (\(NumberText.grouped(most)) of \(NumberText.grouped(people.facts)).) Everybody who has it \
        counts as one person. Is it what the app sends for people who are not signed in, or a test \
        account? Leave it out of the events, so that their devices count.
        """, chart: .quality)
  }

  private func severalUsers() -> FindingDraft? {
    guard let words = DeviceWords(report.provenance) else { return nil }
    let grade = GradeCondition.devicesWithSeveralUsers.grade(words.count, of: words.total)
    if grade == .a { return nil }
    return FindingDraft(
      kind: .severalUsers, tone: grade == .b ? .bad : .alarm, claim: "\(words.claim)",
      detail: "\(words.detail)", chart: .quality)
  }

  private func placeholders() -> FindingDraft? {
    let words = PlaceholderWords(report.provenance)
    guard let words,
      GradeCondition.placeholderIds.grade(words.count, of: report.provenance.lines) != .a
    else { return nil }
    return FindingDraft(
      kind: .placeholderIds, tone: .bad, claim: "\(words.claim)", detail: "\(words.detail)",
      chart: .quality)
  }

  /// What the app calls an event that the flow file maps.
  private func sent(_ event: String) -> String {
    report.analysis.flow.eventNames.first { $0.to == event }?.from ?? event
  }

  private func crawlers() -> FindingDraft? {
    CrawlerWords(report.provenance.crawlers).map { words in
      FindingDraft(
        kind: .crawlers, tone: .bad, claim: "\(words.claim)", detail: "\(words.detail)",
        chart: .quality)
    }
  }

  private func busyIds() -> FindingDraft? {
    guard let people, people.busyPersons > 0 else { return nil }
    let share = Double(people.factsOfBusyPersons) / Double(max(1, people.facts))
    return FindingDraft(
      kind: .busyIds, tone: .bad,
      claim: """
        \(CountText.of(people.busyPersons, "id")) \(people.busyPersons == 1 ? "has" : "have") \
        \(NumberText.grouped(OddPeople.busyFacts)) events or more on one day.
        """,
      detail: """
        Up to \(NumberText.grouped(people.mostFactsOfDay)), and \(RateText.percent(share)) of all \
        events: a crawler, a test account, or an id that many people share. Each counts as one \
        person.
        """, chart: .quality)
  }

  private func copies() -> FindingDraft? {
    guard let people, people.copiedPersons > 0 else { return nil }
    return FindingDraft(
      kind: .copiedTimelines, tone: .bad,
      claim: """
        About \(NumberText.grouped(people.copiedPersons)) of \
        \(NumberText.grouped(people.persons)) people have the same events at the same distances as \
        others.
        """, detail: "Replayed data or a script: each copy counts as a person.", chart: .quality)
  }
}
