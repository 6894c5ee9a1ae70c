internal import FlowDefinition
internal import FunnelMetrics
internal import ReportText

extension QualityLine {
  /// What the line is about, in the words of the flow and of people.
  func itemWords(_ analysis: Analysis) -> String {
    let flow = analysis.flow
    switch check {
    case "rejects_by_reason": return QualityLine.reasons[item] ?? PlainName.of(item)
    case "contaminated", "unassigned": return analysis.names(ofExperiment: item).title
    case "step_never_seen":
      return SafeText.name(flow.stepIndex(item).map { flow.steps[$0].title } ?? item, limit: 60)
    default: return SafeText.name(item, limit: 60)
    }
  }

  private static let reasons = [
    "bad_timestamp": "unreadable time",
    "deleted_by_log": "deleted later, by a log",
    "deleted_row": "deleted where it came from",
    "invalid_utf8": "not UTF-8 text",
    "line_too_long": "line too long",
    "malformed_json": "broken JSON",
    "missing_device_id": "no device id",
    "missing_event": "no event name",
    "missing_id": "neither a user nor a device",
    "missing_timestamp": "no time",
    "missing_user_id": "no user id",
    "nested_too_deep": "nested too deep",
    "not_an_object": "not a JSON object",
    "timestamp_out_of_range": "time out of range",
    "truncated": "cut off",
  ]

  /// What readers of the page call it; `quality.csv` has the name that programs know.
  var title: String {
    QualityLine.titles[check] ?? check.split(separator: "_").joined(separator: " ")
  }

  private static let titles = [
    "activity_only": "people without onboarding events",
    "alias_groups_too_large": "ids of too many users",
    "ambiguous_pages": "page numbers that could be several steps",
    "contaminated": "people who saw several variants",
    "copied_timelines": "people with the same events as others",
    "crowded_id": "events of a single id",
    "event_groups": "groups of people without a common event",
    "existing_users_finished": "existing users who finished",
    "exposed_later": "people exposed after their window",
    "facts": "events that count",
    "facts_after_as_of": "events after the chosen end",
    "facts_after_horizon": "events after the data end",
    "facts_before_history": "events before the history",
    "ends_of_other_flows": "people who finish a flow that they never started",
    "facts_with_same_id": "events that share an id and a moment",
    "facts_without_place": "events that count as activity only",
    "identity_failures": "totals that don’t add up",
    "implied_starts": "starts without a start event",
    "look_back_days": "days of data before the first start",
    "missing_days": "people on a day of which data are missing",
    "missing_starts": "starts on a day with hardly any",
    "misdated_facts": "events with far-off dates",
    "misdated_persons": "people with far-off dates",
    "orphans": "people without a recorded start",
    "page_conflicts": "page names and numbers that disagree",
    "persons": "people in the data",
    "placeholder_ids": "placeholders in the place of ids",
    "rejects": "lines that could not be used",
    "rejects_by_reason": "lines that could not be used",
    "repeated_facts": "events delivered again",
    "rows_left_out": "numbers left out of the files",
    "shared_devices": "devices that many people share",
    "short_day": "a day with few people",
    "skip_contradictions": "skips that name another page",
    "step_never_seen": "steps that nobody saw",
    "stitched_facts": "events matched by device",
    "stopped_events": "people of whom none did what is usual",
    "timestamps_without_offset": "times without a time zone",
    "unassigned": "people without a variant",
    "undeclared_page": "page that is not in the flow",
    "undeclared_page_views": "views of pages that are not in the flow",
    "undeclared_permissions": "permissions that are not in the flow",
    "united_persons": "people with several ids",
    "united_users": "ids that belong together",
    "unknown_methods": "completions in a way that is not known",
    "views_without_page": "views that say no page",
    "unknown_amounts": "amounts of goals that are no numbers",
    "unknown_statuses": "answers with a word that is not known",
    "views_outside_list": "views of steps of another version or variant",
  ]
}
