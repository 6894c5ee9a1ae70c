internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

/// One thing that was checked about the data.
struct QualityLine {
  var check: String
  /// The reason, page, step, input or variant it is about; empty where there is none.
  var item = ""
  var count: Int
  /// What the count is a part of; `nil` where a share would say nothing.
  var total: Int?
  var note = ""

  var share: Double? {
    total.flatMap { $0 == 0 ? nil : Double(count) / Double($0) }
  }

  /// Every check of a report, in a fixed order: lines, facts, persons, pages, variants, sums.
  static func all(_ report: Report) -> [QualityLine] {
    lines(report.provenance) + unmeasured(report.analysis) + facts(report)
      + persons(report.analysis)
      + pages(report.analysis) + variants(report.analysis) + identities(report.analysis)
      + files(report.analysis)
  }

  /// What the files leave out.
  private static func files(_ analysis: Analysis) -> [QualityLine] {
    let recorded = analysis.recorded
    return [
      QualityLine(
        check: "rows_left_out", count: recorded.omitted, total: analysis.rows.count,
        note: recorded.omitted == 0
          ? "the files have every number"
          : "numbers of small groups, and details of groups: README.txt says how to get them")
    ]
  }

  private static func unmeasured(_ analysis: Analysis) -> [QualityLine] {
    analysis.unmeasured.all.map {
      QualityLine(check: "unknown", item: $0.subject, count: 0, note: $0.sentence)
    }
  }

  private static func lines(_ provenance: Provenance) -> [QualityLine] {
    let rejects = provenance.rejectsByReason
    let bound = provenance.maximumRejectRate
    let isOver = provenance.rejectRate > bound
    var lines = [
      QualityLine(check: "lines", count: provenance.lines),
      QualityLine(check: "events", count: provenance.events, total: provenance.lines),
      QualityLine(
        check: "rejects", count: provenance.faults, total: provenance.lines,
        note: "\(isOver ? "over" : "within") the bound of \(RateText.bound(bound))"),
    ]
    for reason in ByteOrder.sorted(rejects.keys) {
      lines.append(
        QualityLine(
          check: "rejects_by_reason", item: reason, count: rejects[reason] ?? 0,
          total: provenance.lines))
    }
    lines.append(
      QualityLine(
        check: "timestamps_without_offset", count: provenance.timestampsWithoutOffset,
        total: provenance.events, note: "read as UTC"))
    lines += placeholders(provenance)
    let unreadable = provenance.sources.filter { $0.digest == nil }
    let damaged = provenance.sources.filter { $0.digest != nil && !$0.problems.isEmpty }
    lines.append(
      QualityLine(
        check: "unreadable_inputs", count: unreadable.count, total: provenance.sources.count))
    lines += unreadable.map {
      QualityLine(
        check: "unreadable_input", item: $0.name, count: 1,
        note: $0.problems.joined(separator: "; "))
    }
    lines.append(
      QualityLine(
        check: "damaged_inputs", count: damaged.count, total: provenance.sources.count))
    lines += damaged.map {
      QualityLine(
        check: "damaged_input", item: $0.name, count: $0.problems.count,
        note: $0.problems.joined(separator: "; "))
    }
    lines += provenance.personalProperties.map {
      QualityLine(
        check: "personal_text", item: $0.path, count: $0.events, total: $0.sampledEvents,
        note: "looks like \($0.looksLike): \($0.advice)")
    }
    lines += provenance.sources.compactMap { source in
      source.misnaming.map {
        QualityLine(
          check: "misnamed_input", item: source.name, count: source.lines,
          total: provenance.lines, note: $0)
      }
    }
    return lines
  }

  private static func placeholders(_ provenance: Provenance) -> [QualityLine] {
    ByteOrder.sorted(provenance.placeholders.keys).map {
      QualityLine(
        check: GradeCondition.placeholderIds.rawValue, item: $0,
        count: provenance.placeholders[$0] ?? 0, total: provenance.lines,
        note: "stands for no id: counted as a missing one")
    }
  }

  private static func facts(_ report: Report) -> [QualityLine] {
    let counts = report.provenance.timelineCounts
    let quality = report.analysis.tally.quality
    let notes = [
      "repeated_facts": "in the input more than once: counted once",
      GradeCondition.factsWithSameId.rawValue: GradeCondition.factsWithSameId.note,
      GradeCondition.devicesWithSeveralUsers.rawValue: GradeCondition.devicesWithSeveralUsers.note,
      "devices_with_users": "on which a user was seen",
      "stitched_facts": "named only a device, and were given to the user seen on it",
      "shared_devices": "too many users on one device: its events are given to none of them",
      "united_users": "ids that belong to one person with other ids",
      "united_persons": "people with several ids each",
      "alias_groups_too_large": "too many ids said to be one person: kept apart",
      "facts_without_place": "kept as plain activity",
      "facts_after_as_of": "after the end date that was asked for: left out",
    ]
    return ByteOrder.sorted(counts.keys).map {
      QualityLine(check: $0, count: counts[$0] ?? 0, note: notes[$0] ?? "")
    } + [
      QualityLine(
        check: "facts_after_horizon", count: quality.factsAfterHorizon,
        note: "after the data end: left out"),
      QualityLine(
        check: "facts_before_history", count: quality.factsBeforeHistory,
        note: "before the history that was asked for: left out"),
      QualityLine(
        check: "look_back_days", count: report.provenance.lookBack?.days ?? 0,
        note: ReportWords.knownBefore(report) ?? "nobody started"),
      QualityLine(
        check: "misdated_facts", count: quality.misdatedFacts,
        note: "far from all other dates, probably from wrong clocks: left out; if they are real, "
          + "choose a later end date"),
      QualityLine(
        check: "misdated_persons", count: quality.misdatedPersons,
        note: "people with any such event"),
    ] + afterData(report.provenance) + shortDay(report.provenance) + missingDays(report.provenance)
      + lackingDates(report.analysis)
      + missingStarts(report) + stoppedEvents(report.analysis) + oddPeople(report)
  }

  /// What shows that persons are no people; nothing where nothing does.
  private static func oddPeople(_ report: Report) -> [QualityLine] {
    guard let people = report.analysis.tally.people else { return [] }
    var lines = report.provenance.crawlers.map {
      QualityLine(
        check: "crawlers", item: $0.name, count: $0.events, total: $0.sampledEvents,
        note: "sampled events of a crawler or robot")
    }
    lines += people.groups.map {
      QualityLine(
        check: "event_groups", item: $0.examples.joined(separator: ", "), count: $0.people,
        total: people.persons, note: "people who share no event with the other groups")
    }
    if people.doubledPersons > 0 {
      lines.append(
        QualityLine(
          check: GradeCondition.doubledPeople.rawValue, count: people.doubledPersons,
          total: people.persons, note: "about; all events of somebody else, to the second"))
    }
    if people.busyPersons > 0 {
      lines.append(
        QualityLine(
          check: "busy_ids", count: people.busyPersons, total: people.persons,
          note: "\(OddPeople.busyFacts) events or more on one date (UTC)"))
    }
    if let most = people.factsOfCrowd {
      lines.append(
        QualityLine(
          check: GradeCondition.crowdedId.rawValue, count: most, total: people.facts,
          note: "events of one id; an id that many people share counts as one person"))
    }
    if people.copiedPersons > 0 {
      lines.append(
        QualityLine(
          check: "copied_timelines", count: people.copiedPersons, total: people.persons,
          note: "about; events and distances of at least four others"))
    }
    return lines
  }

  private static func afterData(_ provenance: Provenance) -> [QualityLine] {
    DaysAfterDataWords(provenance).map { words in
      [
        QualityLine(
          check: GradeCondition.daysAfterData.rawValue, count: words.days, note: words.note)
      ]
    } ?? []
  }

  private static func shortDay(_ provenance: Provenance) -> [QualityLine] {
    provenance.shortDay.map { day in
      [
        QualityLine(
          check: "short_day", item: day.date, count: day.persons,
          note: "people; on each of the 28 dates before at least "
            + "\(NumberText.grouped(day.leastPersons)): choose an earlier end date")
      ]
    } ?? []
  }

  private static func missingDays(_ provenance: Provenance) -> [QualityLine] {
    provenance.missingDays.map { day in
      QualityLine(
        check: GradeCondition.missingDays.rawValue, item: day.date, count: day.persons,
        note: "people; \(NumberText.grouped(day.leastPersons)) are usual on that weekday")
    }
  }

  private static func lackingDates(_ analysis: Analysis) -> [QualityLine] {
    zip(analysis.flow.retention, analysis.tally.quality.lackingDates).compactMap { measure, count in
      count == 0
        ? nil
        : QualityLine(
          check: "retention_without_dates", item: measure.id, count: count,
          note: "people who don't count for it: more than a tenth of its days are missing")
    }
  }

  private static func missingStarts(_ report: Report) -> [QualityLine] {
    report.missingStarts.map { day in
      QualityLine(
        check: GradeCondition.missingStarts.rawValue, item: day.date, count: day.people,
        note: "people started; \(day.usual) are usual on that weekday")
    }
  }

  private static func stoppedEvents(_ analysis: Analysis) -> [QualityLine] {
    StoppedEventsWords.all(analysis).map { stopped in
      QualityLine(
        check: GradeCondition.stoppedEvents.rawValue, item: stopped.item, count: stopped.run.people,
        note: stopped.note)
    }
  }

  private static func persons(_ analysis: Analysis) -> [QualityLine] {
    let quality = analysis.tally.quality
    return [
      QualityLine(
        check: "orphans", count: quality.orphans,
        note: "onboarding events but no recorded start: not counted")
    ] + endsOfOtherFlows(analysis) + existingUsers(analysis) + [
      QualityLine(
        check: "activity_only", count: quality.activityOnly, note: "no onboarding event at all"),
      QualityLine(
        check: "implied_starts", count: quality.impliedStarts,
        note: "started with a view of a first step, without onboarding_started"),
    ] + leftOut(analysis)
  }

  private static func endsOfOtherFlows(_ analysis: Analysis) -> [QualityLine] {
    let ends = OtherFlowWords(analysis)
    guard ends.people > 0 else { return [] }
    return [
      QualityLine(
        check: GradeCondition.endsOfOtherFlows.rawValue, count: ends.people, note: ends.note)
    ]
  }

  /// Nothing where they count like everyone, and nobody asks who they are.
  private static func existingUsers(_ analysis: Analysis) -> [QualityLine] {
    guard analysis.flow.existingUsers == .exclude else { return [] }
    let quality = analysis.tally.quality
    return [
      QualityLine(
        check: "existing_users", count: quality.existingUsers,
        note: "used the app long before they started: not counted"),
      QualityLine(
        check: "existing_users_finished", count: quality.existingUsersFinished,
        total: quality.existingUsers,
        note: "of the existing users, those who finished all the same: not counted"),
    ]
  }

  /// Whom the flow leaves out, and by what; nothing where it leaves out nobody.
  private static func leftOut(_ analysis: Analysis) -> [QualityLine] {
    let (leaveOut, quality) = (analysis.flow.leaveOut, analysis.tally.quality)
    if leaveOut.isEmpty { return [] }
    var lines = [
      QualityLine(
        check: "left_out", count: quality.leftOut, total: analysis.everybody,
        note: "people whom the flow file leaves out (leave_out): in no other number of people")
    ]
    for (mark, counts) in zip(leaveOut.marks, zip(quality.leftOutByMark, quality.askedByMark)) {
      let (count, asked) = counts
      lines.append(
        asked == 0
          ? QualityLine(
            check: "leave_out_never_seen", item: mark.described, count: 0,
            note: "\(LeaveOutFindings.missing(mark)): renamed, or not sent?")
          : QualityLine(
            check: "left_out_by", item: mark.described, count: count,
            total: mark.conditions.isEmpty ? nil : asked,
            note: mark.conditions.isEmpty
              ? "people with such an event" : "of the people whose events say anything there"))
    }
    if !leaveOut.ids.isEmpty {
      lines.append(
        QualityLine(
          check: "left_out_by", item: "ids", count: quality.leftOutByID, total: leaveOut.ids.count,
          note: "people found, of the ids that the flow file lists"))
    }
    return lines
  }

  private static func pages(_ analysis: Analysis) -> [QualityLine] {
    let quality = analysis.tally.quality
    let names = quality.undeclaredPages
    var lines = [
      QualityLine(
        check: "page_conflicts", count: quality.pageConflicts,
        note: "name and number disagree: the name wins"),
      QualityLine(
        check: "skip_contradictions", count: quality.skipPageConflicts,
        total: quality.numberedSkips,
        note: "skips whose number is not the page viewed last"),
      QualityLine(
        check: "ambiguous_pages", count: quality.ambiguousPages,
        note: "a number that fits several lists: no step"),
      QualityLine(
        check: "views_outside_list", count: quality.viewsOutsideList,
        note: "declared steps that the person's version or variant does not have"),
      QualityLine(
        check: "undeclared_permissions", count: quality.undeclaredPermissions,
        note: "prompts and results for permissions the flow does not declare"),
      QualityLine(
        check: "unknown_statuses", count: quality.unknownStatuses.values.reduce(0, +),
        total: quality.resultsOfPermission.reduce(0, +),
        note: "permission results whose status is not known: they decide nothing"),
      QualityLine(
        check: "unknown_methods", count: quality.unknownMethods.values.reduce(0, +),
        total: quality.completions,
        note: "completions whose method is not known: they count as finished"),
      QualityLine(
        check: "unknown_amounts", count: quality.unknownAmounts.values.reduce(0, +),
        total: quality.amounts, note: "amounts of goals that are no numbers: they add nothing"),
      QualityLine(
        check: "views_without_page", count: quality.viewsWithoutPage, total: quality.pageViews,
        note: "views that say neither a page's name nor its number: they are of no step"),
      QualityLine(
        check: "undeclared_page_views", count: names.values.reduce(0, +),
        note: "views of pages the flow does not declare"),
    ]
    // The most seen first: that is the page somebody forgot to declare.
    lines += Counted.mostFirst(names).map { name, count in
      QualityLine(check: "undeclared_page", item: name, count: count)
    }
    for (index, step) in analysis.flow.steps.enumerated() {
      guard index < quality.viewsOfStep.count, quality.viewsOfStep[index] == 0 else { continue }
      lines.append(
        QualityLine(
          check: "step_never_seen", item: step.id, count: 0,
          note: "declared, and in no event: renamed, or not sent?"))
    }
    return lines
  }

  private static func variants(_ analysis: Analysis) -> [QualityLine] {
    let entered = analysis.row(.entered)?.numerator
    return analysis.experiments.flatMap { summary in
      [
        QualityLine(
          check: "contaminated", item: summary.id, count: summary.contaminated, total: entered,
          note: "seen with more than one variant"),
        QualityLine(
          check: "unassigned", item: summary.id, count: summary.unassigned, total: entered,
          note: "seen with no variant"),
      ]
    }
      + LateExposures.all(analysis).map { late in
        QualityLine(
          check: GradeCondition.exposedLater.rawValue, item: late.experiment, count: late.count,
          total: late.exposed, note: "exposed only after their window: not compared")
      }
  }

  private static func identities(_ analysis: Analysis) -> [QualityLine] {
    analysis.identities.map { check in
      let failures = check.failures.count
      return QualityLine(
        check: "identity_failures", item: check.statement, count: failures, total: check.checked,
        note: failures == 0 ? "holds everywhere" : check.failures.prefix(3).joined(separator: "; "))
    }
  }
}
