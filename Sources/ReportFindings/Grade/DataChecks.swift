internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// What a report knows about its data, graded: the same for `report` and for `validate`, which
/// looks at more.
struct DataChecks {
  let report: Report
  /// Facts by the event's name, where they were counted.
  let factsOfEvent: [String: Int]
  var analysis: Analysis { report.analysis }
  var quality: QualityCounts { report.analysis.tally.quality }
  var entered: Int { report.analysis.row(.entered)?.numerator ?? 0 }

  init(_ report: Report, factsOfEvent: [String: Int] = [:]) {
    self.report = report
    self.factsOfEvent = factsOfEvent
  }

  var all: [ValidationCheck] {
    definitions + lines + facts + people + experiments + pages + events
  }

  // MARK: Lines and facts

  var lines: [ValidationCheck] {
    let provenance = report.provenance
    let sources = provenance.sources
    let unreadable = sources.filter { $0.digest == nil && !$0.problems.isEmpty }
    let damaged = sources.filter { $0.digest != nil && !$0.problems.isEmpty }
    let rejects = provenance.faults
    let local = provenance.timestampsWithoutOffset
    return [
      ValidationCheck(
        .events, count: provenance.events, total: provenance.lines,
        note: provenance.events == 0 ? "no event could be read" : "",
        sentence: "No event was read."),
      ValidationCheck(
        .rejects, count: rejects, total: provenance.lines, note: "lines that can't be used",
        sentence: "\(RateText.percent(provenance.rejectRate)) of the lines could not be used."),
      ValidationCheck(
        .unreadableInputs, count: unreadable.count, total: sources.count, note: names(unreadable),
        sentence: "\(inputs(unreadable.count)) could not be read."),
      ValidationCheck(
        .damagedInputs, count: damaged.count, total: sources.count, note: names(damaged),
        sentence: "\(inputs(damaged.count)) could not be read whole."),
      ValidationCheck(
        .timestampsWithoutOffset, count: local, total: provenance.events, note: "read as UTC",
        sentence: "\(share(local, of: provenance.events)) of the timestamps have no offset; they "
          + "are read as UTC."),
      placeholders,
    ]
  }

  private var placeholders: ValidationCheck {
    let words = PlaceholderWords(report.provenance)
    return ValidationCheck(
      .placeholderIds, count: words?.count ?? 0, total: report.provenance.lines,
      note: words?.note ?? "", sentence: words.map { "\($0.claim) \($0.detail)" } ?? "")
  }

  private func names(_ sources: [Provenance.Source]) -> String {
    sources.prefix(3).map { "\($0.name): \($0.problems.joined(separator: "; "))" }
      .joined(separator: "; ")
  }

  /// `1 of 3 inputs`
  private func inputs(_ count: Int) -> String {
    "\(NumberText.grouped(count)) of \(CountText.of(report.provenance.sources.count, "input"))"
  }

  private func share(_ count: Int, of total: Int) -> String {
    RateText.percent(total == 0 ? 0 : Double(count) / Double(total))
  }

  var facts: [ValidationCheck] {
    let facts = report.provenance.timelineCounts["facts"] ?? 0
    let repeated = report.provenance.timelineCounts["repeated_facts"] ?? 0
    let sameId = count(.factsWithSameId)
    let (misdated, late) = (quality.misdatedFacts, quality.factsAfterHorizon)
    let people = CountText.of(quality.misdatedPersons, "person")
    var checks = [
      ValidationCheck(
        .repeatedFacts, count: repeated, total: facts + repeated,
        note: "delivered more than once; count once",
        sentence: "\(share(repeated, of: facts + repeated)) of the events were delivered more than "
          + "once; each counts once."),
      ValidationCheck(
        .factsWithSameId, count: sameId, total: facts,
        note: GradeCondition.factsWithSameId.note,
        sentence: "\(share(sameId, of: facts)) of the events have the id and the moment of another "
          + "event of the person but differ from it, so both count; were they delivered twice, the "
          + "second time with something added or written differently?"),
      ValidationCheck(
        .misdatedFacts, count: misdated, total: facts,
        note: misdated == 0 ? "" : "of \(people), beyond a gap: set aside",
        sentence: "\(CountText.of(misdated, "event")) dated far from all others are left out."),
      ValidationCheck(
        .factsAfterHorizon, count: late, total: facts,
        note: late == 0 ? "" : "of few persons after the data end: set aside",
        sentence: "\(CountText.of(late, "event")) (\(share(late, of: facts))) after the end of the "
          + "data are left out, as too few people have any then."),
    ]
    if let after = DaysAfterDataWords(report.provenance) {
      checks.append(
        ValidationCheck(
          check: GradeCondition.daysAfterData.rawValue, count: after.days,
          grade: GradeCondition.daysAfterData.grade(after.days, of: 7), note: after.note,
          sentence: "\(after.claim) \(after.detail)"))
    }
    if let missing = MissingDaysWords(report.provenance) {
      checks.append(
        ValidationCheck(
          .missingDays, count: missing.count, total: nil, note: missing.dates,
          sentence: "\(missing.claim) \(missing.detail)"))
    }
    if let missing = MissingStartsWords(report), !missing.goesOn {
      checks.append(
        ValidationCheck(
          .missingStarts, count: missing.count, total: nil, note: missing.dates,
          sentence: "\(missing.claim) \(missing.detail)"))
    }
    checks += StoppedEventsWords.all(analysis).map { stopped in
      ValidationCheck(
        check: GradeCondition.stoppedEvents.rawValue, item: stopped.item, count: stopped.run.people,
        grade: GradeCondition.stoppedEvents.grade(1, of: nil), note: stopped.note,
        sentence: "\(stopped.claim) \(stopped.detail)")
    }
    if let day = report.provenance.shortDay {
      checks.append(
        ValidationCheck(
          check: GradeCondition.shortDay.rawValue, item: day.date, count: day.persons,
          grade: GradeCondition.shortDay.grade(1, of: nil),
          note: "persons; on each of the 28 dates before at least "
            + NumberText.grouped(day.leastPersons),
          sentence: "The data end unevenly: far fewer people have events on \(day.date) than on "
            + "the dates before."))
    }
    return checks
  }

  // MARK: People

  var people: [ValidationCheck] {
    let isExcluding = analysis.flow.existingUsers == .exclude
    let existing = isExcluding ? quality.existingUsers : 0
    let own = quality.orphans + entered + existing
    let isNobody = own == 0 && quality.onboardingFacts == 0
    // Who only saw other screens of the app has begun nothing; if everybody did, the flow is wrong.
    let isNoFault = analysis.flow.ignoresOtherPages && quality.orphans < own
    let failures = analysis.identities.flatMap(\.failures)
    let unmeasured = report.faultsOfMeasuring.map { reason in
      let condition: GradeCondition =
        reason.isOfNamedEvent ? .namedEventsNotSeen : .notMeasured
      return ValidationCheck(
        check: condition.rawValue, item: reason.subject, count: 0,
        grade: condition.grade(1, of: nil), note: reason.sentence, sentence: reason.sentence)
    }
    return [
      ValidationCheck(
        check: GradeCondition.personsWithOnboarding.rawValue, count: own,
        grade: GradeCondition.personsWithOnboarding.grade(isNobody ? 0 : 1, of: nil),
        note: isNobody ? "nobody has an event of this flow: is it the right flow file?" : "",
        sentence: "Nobody has an event of this flow.")
    ] + unmeasured + [
      ValidationCheck(
        check: GradeCondition.orphans.rawValue, count: quality.orphans, total: own,
        grade: GradeCondition.orphans.grade(isNoFault ? 0 : quality.orphans, of: own),
        note: "onboarding events but no start: not counted",
        sentence: "\(ReportWords.people(quality.orphans)) "
          + "(\(share(quality.orphans, of: own))) \(quality.orphans == 1 ? "has" : "have") "
          + "onboarding events but no recorded start, so they aren’t counted.")
    ] + endsOfOtherFlows + (isExcluding ? [existingUsers(of: own)] : []) + [
      ValidationCheck(
        .identityFailures, count: failures.count, total: nil,
        note: failures.prefix(3).joined(separator: "; "),
        sentence: "The sums do not hold: a fault of the program.")
    ] + leftOut + doubled + crowded + devices
  }

  /// Ends in other flows are looked for where people abandon this one.
  private var endsOfOtherFlows: [ValidationCheck] {
    let ends = OtherFlowWords(analysis)
    guard ends.people > 0 else { return [] }
    return [
      ValidationCheck(
        .endsOfOtherFlows, count: ends.people, total: entered, note: ends.note,
        sentence: "\(ends.claim) \(ends.advice)")
    ]
  }

  private func existingUsers(of own: Int) -> ValidationCheck {
    let existing = quality.existingUsers
    return ValidationCheck(
      .existingUsers, count: existing, total: own,
      note: "used the app long before their start: the data may begin too late",
      sentence: "\(ReportWords.people(existing)) (\(share(existing, of: own))) used the app long "
        + "before they started, so they aren’t counted.")
  }

  private var leftOut: [ValidationCheck] {
    if analysis.flow.leaveOut.isEmpty { return [] }
    let all = analysis.everybody
    let count = quality.leftOut
    let unseen = LeaveOutFindings.neverSeen(analysis)
    let missing = unseen.map(LeaveOutFindings.missing)
    return [
      ValidationCheck(
        .leftOut, count: count, total: all,
        note: "left out by the flow file's leave_out: in no number",
        sentence: "\(ReportWords.people(count)) (\(share(count, of: all))) "
          + "\(count == 1 ? "is" : "are") left out by the flow file: does leave_out match others "
          + "than the team and its tests?"),
      ValidationCheck(
        .leaveOutNeverSeen, count: unseen.count, total: nil,
        note: missing.prefix(3).joined(separator: "; "),
        sentence: "Whether leave_out misses anybody is not known: \(missing.first ?? "")."),
    ]
  }

  private var devices: [ValidationCheck] {
    guard let words = DeviceWords(report.provenance) else { return [] }
    return [
      ValidationCheck(
        .devicesWithSeveralUsers, count: words.count, total: words.total,
        note: GradeCondition.devicesWithSeveralUsers.note,
        sentence: "\(words.claim) \(words.detail)")
    ]
  }

  private func count(_ condition: GradeCondition) -> Int {
    report.provenance.timelineCounts[condition.rawValue] ?? 0
  }

  private var crowded: [ValidationCheck] {
    guard let people = analysis.tally.people, let most = people.factsOfCrowd else { return [] }
    return [
      ValidationCheck(
        .crowdedId, count: most, total: people.facts,
        note: "events of one id: is it one that many people share?",
        sentence: "\(share(most, of: people.facts)) of all events are of one id, which counts as "
          + "one person.")
    ]
  }

  private var doubled: [ValidationCheck] {
    guard let people = analysis.tally.people, people.doubledPersons > 0 else { return [] }
    let count = people.doubledPersons
    return [
      ValidationCheck(
        .doubledPeople, count: count, total: people.persons,
        note: "about; all events of somebody else, to the second",
        sentence: "About \(share(count, of: people.persons)) of the people count twice: they have "
          + "the events of somebody else, to the second.")
    ]
  }

  var experiments: [ValidationCheck] {
    analysis.experiments.flatMap { summary -> [ValidationCheck] in
      let name = analysis.names(ofExperiment: summary.id).title
      return [
        ValidationCheck(
          .sampleRatio, item: summary.id,
          count: summary.hasSampleRatioMismatch || summary.hasChangingSplit
            || summary.hasMixedAccounts ? 1 : 0, total: nil,
          note: summary.hasMixedAccounts
            ? "accounts have people of several variants"
            : summary.hasSampleRatioMismatch
              ? "the split is not the declared one" : "the split changed over time",
          sentence: "Experiment \(name): "
            + (summary.hasMixedAccounts
              ? "accounts have people of several variants."
              : summary.hasSampleRatioMismatch
                ? "the split is not the planned one." : "the split changed over time.")),
        ValidationCheck(
          .contaminated, item: summary.id, count: summary.contaminated, total: entered,
          note: "seen with two variants of one experiment",
          sentence: "Experiment \(name): \(share(summary.contaminated, of: entered)) of people "
            + "saw several variants."),
      ]
    } + lateExposures
  }

  private var lateExposures: [ValidationCheck] {
    LateExposures.all(analysis).map { late in
      ValidationCheck(
        .exposedLater, item: late.experiment, count: late.count, total: late.exposed,
        note: "exposed only after their window: not compared",
        sentence: "\(late.claim) \(late.detail)")
    }
  }
}
