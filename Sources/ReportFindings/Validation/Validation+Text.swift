internal import ReportText

extension Validation {
  /// The page for a terminal: why the grade is what it is, then a line a check.
  public func text() -> String {
    var lines = ["Trust grade \(grade.rawValue): \(grade.meaning)", ""]
    if !reasons.isEmpty {
      lines.append("Why")
      lines += reasons.map { "  \($0.grade?.rawValue ?? "-")  \(sentence($0))" }
      lines.append("")
    }
    lines.append("Until when the data is complete")
    lines += completeness
    for (title, names) in Self.sections {
      let rows = checks.filter { names.contains($0.check) && ($0.count > 0 || $0.total != nil) }
      if rows.isEmpty { continue }
      lines += ["", title]
      lines += rows.map { "  \(sentence($0))" }
    }
    return lines.map { SafeText.name($0, limit: 400) }.joined(separator: "\n") + "\n"
  }

  private static let sections: [(String, [String])] = [
    (
      "Lines",
      [
        "events", "rejects", "rejects_by_reason", "placeholder_ids", "misnamed_input", "format",
        "repeated_facts", "facts_with_same_id", "message_ids_with_other_content",
        "clocks_off_by_minutes",
        "arrived_after_hours", "misdated_facts", "facts_after_horizon", "short_day", "missing_days",
        "missing_starts", "stopped_events",
      ]
    ),
    (
      "Persons",
      [
        "persons", "persons_with_onboarding", "orphans", "starts_without_views",
        "completions_without_starts", "completions_before_start", "views_before_start",
        "answers_before_prompt", "contaminated", "exposed_later", "existing_users",
        "existing_users_finished", "left_out", "leave_out_never_seen", "doubled_people",
        "crowded_id", "devices_with_several_users",
        "alias_groups_too_large", "identity_failures", "sample_ratio",
      ]
    ),
    ("Personal text", ["personal_text"]),
    ("Names", ["undeclared_page", "undeclared_event", "undeclared_variant", "event"]),
    (
      "By app version",
      [
        "version_orphans", "version_starts_without_views", "version_completions_without_starts",
        "version_impossible_orders",
      ]
    ),
  ]

  private var completeness: [String] {
    guard arrivals.total > 0 else { return ["  unknown: no event tells when it arrived"] }
    return [0.99, 0.999].compactMap { share in
      guard let until = completeUntil(share: share), let hours = arrivals.hours(forShare: share)
      else { return nil }
      let part = NumberText.format(share * 100) ?? ""
      return "  \(part) % of events arrive within \(hours) h: complete to that share until "
        + InstantText.format(until)
    }
  }

  private func sentence(_ check: ValidationCheck) -> String {
    let name = check.check.split(separator: "_").joined(separator: " ")
    var text = check.item.isEmpty ? name : "\(name) \(check.item)"
    text += ": \(NumberText.grouped(check.count))"
    if let total = check.total {
      text += " of \(NumberText.grouped(total))"
      if let share = check.share { text += " (\(RateText.finePercent(share)))" }
    }
    return check.note.isEmpty ? text : "\(text), \(check.note)"
  }

  /// A row a check.
  public func csv() -> String {
    var table = CSVTable(["check", "item", "count", "total", "share", "grade", "note"])
    table.add([
      .text("trust_grade"), .text(flowId), .count(nil), .count(nil), .number(nil),
      .text(grade.rawValue), .text(grade.meaning),
    ])
    for check in checks {
      table.add([
        .text(check.check), .text(check.item), .count(check.count), .count(check.total),
        .number(check.share), .text(check.grade?.rawValue ?? ""), .text(check.note),
      ])
    }
    return table.text
  }

  /// Everything, for programs.
  public func json() -> String {
    func object(_ check: ValidationCheck) -> String {
      JSONText.object([
        ("check", JSONText.string(check.check)), ("item", JSONText.string(check.item)),
        ("count", JSONText.number(check.count)), ("total", JSONText.number(check.total)),
        ("share", JSONText.number(check.share)), ("grade", JSONText.string(check.grade?.rawValue)),
        ("note", JSONText.string(check.note)),
      ])
    }
    let complete = [0.99, 0.999].map { share in
      JSONText.object([
        ("share", JSONText.number(share)),
        ("hours", JSONText.number(arrivals.hours(forShare: share))),
        ("until", JSONText.string(completeUntil(share: share).map(InstantText.format))),
      ])
    }
    return JSONText.block(
      [
        ("schema", "1"), ("flow", JSONText.string(flowId)),
        ("grade", JSONText.string(grade.rawValue)),
        ("meaning", JSONText.string(grade.meaning)),
        ("reasons", JSONText.lines(reasons.map(object), indent: "  ")),
        ("complete", JSONText.lines(complete, indent: "  ")),
        ("checks", JSONText.lines(checks.map(object), indent: "  ")),
      ], indent: "") + "\n"
  }
}
