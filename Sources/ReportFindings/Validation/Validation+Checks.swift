internal import FlowDefinition
internal import FunnelEngine
internal import ReportText

// What only `validate` looks at; definitions 16 has the bounds in a table.
extension Validation {
  package static func lines(_ input: ValidationInput) -> [ValidationCheck] {
    let lines = input.sources.reduce(0) { $0 + $1.lines }
    var checks = input.rejects.map { reject in
      ValidationCheck(
        check: "rejects_by_reason", item: reject.reason, count: reject.count, total: lines,
        note: "first: \(reject.example)")
    }
    let formats = Dictionary(grouping: input.sources) { $0.format }
    for format in ByteOrder.sorted(formats.keys) {
      checks.append(
        ValidationCheck(check: "format", item: format, count: formats[format]?.count ?? 0))
    }
    for source in input.sources {
      guard let misnaming = source.misnaming else { continue }
      checks.append(
        ValidationCheck(
          check: "misnamed_input", item: source.name, count: source.lines, total: lines,
          note: misnaming))
    }
    return checks
  }

  static func delivery(_ input: ValidationInput) -> [ValidationCheck] {
    let sample = input.messagesAreSample ? "; counted in a sample of the ids" : ""
    var checks = [
      ValidationCheck(
        check: "repeated_message_ids", count: input.repeatedMessages,
        total: input.messageIds + input.repeatedMessages, note: "for information" + sample),
      ValidationCheck(
        .messageIds, count: input.messagesWithOtherContent, total: input.messageIds,
        note: "one id, another event or ten seconds or more apart: ids are made anew too rarely"
          + sample),
    ]
    if input.clockReadings > 0 {
      checks += [
        ValidationCheck(
          .clocksOffByMinutes, count: input.clocksOffByMinutes, total: input.clockReadings,
          note: "device and server differed by more than a minute when the event was sent"),
        ValidationCheck(
          .clocksOffByHours, count: input.clocksOffByHours, total: input.clockReadings,
          note: "by more than an hour"),
      ]
    }
    return checks + arrivals(input)
  }

  private static func arrivals(_ input: ValidationInput) -> [ValidationCheck] {
    let table = input.arrivals
    guard table.total > 0 else { return [] }
    let late = table.later(thanHours: 24)
    let how = input.arrivalsAreKnown ? "" : "estimated from the files that the events stand in"
    var checks: [ValidationCheck] = []
    for hours in [1, 6, 24, 72, 168] {
      checks.append(
        ValidationCheck(
          check: "arrived_after_hours", item: "\(hours)", count: table.later(thanHours: hours),
          total: table.total, grade: nil, note: how))
    }
    checks.append(
      ValidationCheck(
        .arrivedLate, count: late, total: table.total, note: "a day or more after they happened"))
    if input.arrivalsAreKnown {
      checks.append(
        ValidationCheck(
          .arrivedEarly, count: table.early, total: table.total,
          note: "a minute or more before they happened: the device's clock is ahead"))
    }
    return checks
  }

  package static func persons(_ input: ValidationInput) -> [ValidationCheck] {
    let all = input.inspection.all
    func graded(_ condition: GradeCondition, _ count: Int, _ note: String) -> ValidationCheck {
      ValidationCheck(condition, count: count, total: all.withOnboarding, note: note)
    }
    return [
      ValidationCheck(check: "persons", count: all.persons),
      graded(.startsWithoutViews, all.startsWithoutViews, "onboarding_started and no page"),
      graded(
        .completionsWithoutStarts, all.completionsWithoutStarts, "completed, and never began"),
      graded(.completionsBeforeStart, all.completionsBeforeStart, "dated before the beginning"),
      graded(
        .viewsBeforeStart, all.viewsBeforeStart, "a page dated before onboarding_started"),
      graded(
        .answersBeforePrompt, all.answersBeforePrompt, "a permission answered before it was asked"),
    ] + existingUsers(input) + [
      ValidationCheck(
        check: "shared_devices", count: input.timelineCounts["shared_devices"] ?? 0,
        note: "too many users on one device: not stitched")
    ] + aliases(input)
  }

  /// Nothing where they count like everyone.
  private static func existingUsers(_ input: ValidationInput) -> [ValidationCheck] {
    guard input.flow.existingUsers == .exclude else { return [] }
    let quality = input.inspection.quality
    return [
      ValidationCheck(
        check: "existing_users_finished", count: quality.existingUsersFinished,
        total: quality.existingUsers, note: "finished all the same; in no metric")
    ]
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
