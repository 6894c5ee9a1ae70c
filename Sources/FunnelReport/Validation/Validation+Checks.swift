internal import FlowDefinition
internal import FunnelEngine

// Each family of checks, with the bounds that make its grade; docs/validate.md has them in a table.
extension Validation {
  static func lines(_ input: ValidationInput) -> [ValidationCheck] {
    let lines = input.sources.reduce(0) { $0 + $1.lines }
    let events = input.sources.reduce(0) { $0 + $1.events }
    let rejected = input.rejects.reduce(0) { $0 + $1.count }
    let share = lines == 0 ? 0 : Double(rejected) / Double(lines)
    let unreadable = input.sources.filter(\.isUnreadable)
    let damaged = input.sources.filter { !$0.isUnreadable && !$0.problems.isEmpty }
    var checks = [
      ValidationCheck(
        check: "events", count: events, total: lines, grade: events == 0 ? .f : .a,
        note: events == 0 ? "no event could be read" : ""),
      ValidationCheck(
        check: "rejects", count: rejected, total: lines,
        grade: .of(share, b: 0.001, c: 0.01, d: 0.05, f: 0.5), note: "lines that can't be used"),
    ]
    for reject in input.rejects {
      checks.append(
        ValidationCheck(
          check: "rejects_by_reason", item: reject.reason, count: reject.count, total: lines,
          note: "first: \(reject.example)"))
    }
    let formats = Dictionary(grouping: input.sources) { $0.format }
    for format in ByteOrder.sorted(formats.keys) {
      checks.append(
        ValidationCheck(check: "format", item: format, count: formats[format]?.count ?? 0))
    }
    checks.append(
      ValidationCheck(
        check: "unreadable_inputs", count: unreadable.count, total: input.sources.count,
        grade: unreadable.isEmpty ? .a : .d, note: names(unreadable)))
    checks.append(
      ValidationCheck(
        check: "damaged_inputs", count: damaged.count, total: input.sources.count,
        grade: damaged.isEmpty ? .a : .c, note: names(damaged)))
    for source in input.sources {
      guard let misnaming = source.misnaming else { continue }
      checks.append(
        ValidationCheck(
          check: "misnamed_input", item: source.name, count: source.lines, total: lines,
          note: misnaming))
    }
    checks.append(
      ValidationCheck(
        check: "timestamps_without_offset", count: input.timestampsWithoutOffset, total: events,
        grade: input.timestampsWithoutOffset * 100 > events ? .b : .a, note: "read as UTC"))
    return checks
  }

  private static func names(_ sources: [ValidationInput.Source]) -> String {
    sources.prefix(3).map { "\($0.name): \($0.problems.joined(separator: "; "))" }
      .joined(separator: "; ")
  }

  static func delivery(_ input: ValidationInput) -> [ValidationCheck] {
    let facts = input.timelineCounts["facts"] ?? 0
    let repeated = input.timelineCounts["repeated_facts"] ?? 0
    let repeatedShare = Double(repeated) / Double(max(1, facts + repeated))
    let differing = input.messagesWithOtherContent
    let sample = input.messagesAreSample ? "; counted in a sample of the ids" : ""
    var checks = [
      ValidationCheck(
        check: "repeated_facts", count: repeated, total: facts + repeated,
        grade: .of(repeatedShare, b: 0.1, c: 0.5, d: 0.95),
        note: "delivered more than once; count once"),
      ValidationCheck(
        check: "repeated_message_ids", count: input.repeatedMessages,
        total: input.messageIds + input.repeatedMessages, note: "told only" + sample),
      ValidationCheck(
        check: "message_ids_with_other_content", count: differing, total: input.messageIds,
        grade: .of(
          Double(differing) / Double(max(1, input.messageIds)), b: 0.0005, c: 0.01, d: 0.1),
        note: "one id, another time or event: ids are made anew too rarely" + sample),
    ]
    if input.clockReadings > 0 {
      let minutes = Double(input.clocksOffByMinutes) / Double(input.clockReadings)
      checks += [
        ValidationCheck(
          check: "clocks_off_by_minutes", count: input.clocksOffByMinutes,
          total: input.clockReadings,
          grade: .of(minutes, b: 0.02, c: 0.3, d: 0.9),
          note: "device and server differed by more than a minute when the event was sent"),
        ValidationCheck(
          check: "clocks_off_by_hours", count: input.clocksOffByHours,
          total: input.clockReadings,
          grade: .of(
            Double(input.clocksOffByHours) / Double(input.clockReadings), b: 0.005, c: 0.05,
            d: 0.3), note: "by more than an hour"),
      ]
    }
    return checks + arrivals(input)
  }

  private static func arrivals(_ input: ValidationInput) -> [ValidationCheck] {
    let table = input.arrivals
    guard table.total > 0 else { return [] }
    let late = table.later(thanHours: 24)
    let how = input.arrivalsAreTold ? "" : "told from the files that the events stand in"
    var checks: [ValidationCheck] = []
    for hours in [1, 6, 24, 72, 168] {
      checks.append(
        ValidationCheck(
          check: "arrived_after_hours", item: "\(hours)", count: table.later(thanHours: hours),
          total: table.total, grade: nil, note: how))
    }
    checks.append(
      ValidationCheck(
        check: "arrived_late", count: late, total: table.total,
        grade: .of(Double(late) / Double(table.total), b: 0.02, c: 0.1, d: 0.4),
        note: "a day or more after they happened"))
    if input.arrivalsAreTold {
      checks.append(
        ValidationCheck(
          check: "arrived_early", count: table.early, total: table.total,
          grade: .of(Double(table.early) / Double(table.total), b: 0.001, c: 0.02, d: 0.2),
          note: "before they happened: the device's clock is ahead"))
    }
    return checks
  }

  static func persons(_ input: ValidationInput) -> [ValidationCheck] {
    let all = input.inspection.all
    let own = all.withOnboarding
    let quality = input.inspection.quality
    func graded(
      _ name: String, _ count: Int, _ bounds: (Double, Double, Double), _ note: String
    ) -> ValidationCheck {
      let share = own == 0 ? 0 : Double(count) / Double(own)
      return ValidationCheck(
        check: name, count: count, total: own,
        grade: .of(share, b: bounds.0, c: bounds.1, d: bounds.2), note: note)
    }
    return [
      ValidationCheck(check: "persons", count: all.persons),
      ValidationCheck(
        check: "persons_with_onboarding", count: own, total: all.persons,
        grade: own == 0 ? .f : .a,
        note: own == 0 ? "nobody has an event of this flow: is it the right flow file?" : ""),
      graded("orphans", all.orphans, (0.01, 0.05, 0.3), "onboarding events but no beginning"),
      graded(
        "starts_without_views", all.startsWithoutViews, (0.05, 0.2, 0.5),
        "onboarding_started and no page"),
      graded(
        "completions_without_starts", all.completionsWithoutStarts, (0.005, 0.05, 0.3),
        "completed, and never began"),
      graded(
        "completions_before_start", all.completionsBeforeStart, (0.005, 0.05, 0.3),
        "dated before the beginning"),
      graded(
        "views_before_start", all.viewsBeforeStart, (0.01, 0.1, 0.5),
        "a page dated before onboarding_started"),
      graded(
        "answers_before_prompt", all.answersBeforePrompt, (0.005, 0.05, 0.3),
        "a permission answered before it was asked"),
      graded(
        "contaminated", all.contaminated, (0.001, 0.01, 0.1),
        "seen with two variants of one experiment"),
      graded(
        "existing_users", quality.existingUsers, (0.3, 0.6, 0.9),
        "seen long before their entry: the data may begin too late"),
      ValidationCheck(
        check: "shared_devices", count: input.timelineCounts["shared_devices"] ?? 0,
        note: "too many users on one device: not stitched"),
    ] + aliases(input) + dates(input)
  }

  /// Events whose dates are far from all others, and events later than the horizon.
  private static func dates(_ input: ValidationInput) -> [ValidationCheck] {
    let quality = input.inspection.quality
    let facts = input.timelineCounts["facts"] ?? 0
    let share = Double(quality.misdatedFacts) / Double(max(1, facts))
    var checks = [
      ValidationCheck(
        check: "misdated_facts", count: quality.misdatedFacts, total: facts,
        grade: .of(share, b: 0, c: 0.01, d: 0.1),
        note: quality.misdatedFacts == 0
          ? "" : "of \(CountText.of(quality.misdatedPersons, "person")), beyond a gap: set aside"),
      ValidationCheck(
        check: "facts_after_horizon", count: quality.factsAfterHorizon, total: facts,
        note: quality.factsAfterHorizon == 0 ? "" : "of few persons after the data end: set aside"),
    ]
    if let day = input.shortDay {
      checks.append(
        ValidationCheck(
          check: "short_day", item: day.date, count: day.persons, grade: .c,
          note: "persons; on each of the 28 dates before at least \(day.leastPersons)"))
    }
    return checks
  }

  private static func aliases(_ input: ValidationInput) -> [ValidationCheck] {
    let count = input.timelineCounts["alias_groups_too_large"] ?? 0
    guard count > 0 else { return [] }
    return [
      ValidationCheck(
        check: "alias_groups_too_large", count: count,
        note: "too many users said to be one person: not united")
    ]
  }
}
