/// A condition that lowers the data's grade, and by how much: the table of definitions 16.
///
/// `report` and `validate` grade by these bounds and no others. What a report knows by itself both
/// look at (``DataChecks``); the rest takes notes of how the events arrived, which only `validate`
/// makes.
package enum GradeCondition: String, CaseIterable {
  case events, rejects
  case unreadableInputs = "unreadable_inputs"
  case damagedInputs = "damaged_inputs"
  case timestampsWithoutOffset = "timestamps_without_offset"
  case placeholderIds = "placeholder_ids"
  case repeatedFacts = "repeated_facts"
  case factsWithSameId = "facts_with_same_id"
  case misdatedFacts = "misdated_facts"
  case factsAfterHorizon = "facts_after_horizon"
  case daysAfterData = "days_after_data"
  case shortDay = "short_day"
  case missingDays = "missing_days"
  case missingStarts = "missing_starts"
  case stoppedEvents = "stopped_events"
  case personsWithOnboarding = "persons_with_onboarding"
  case notMeasured = "not_measured"
  case namedEventsNotSeen = "named_events_not_seen"
  case orphans
  case endsOfOtherFlows = "ends_of_other_flows"
  case existingUsers = "existing_users"
  case leftOut = "left_out"
  case leaveOutNeverSeen = "leave_out_never_seen"
  case doubledPeople = "doubled_people"
  case crowdedId = "crowded_id"
  case devicesWithSeveralUsers = "devices_with_several_users"
  case identityFailures = "identity_failures"
  case sampleRatio = "sample_ratio"
  case contaminated
  case exposedLater = "exposed_later"
  case undeclaredPages = "undeclared_pages"
  case ambiguousPages = "ambiguous_pages"
  case pageConflicts = "page_conflicts"
  case skipContradictions = "skip_contradictions"
  case undeclaredPermissions = "undeclared_permissions"
  case unknownStatuses = "unknown_statuses"
  case unknownMethods = "unknown_methods"
  case unknownAmounts = "unknown_amounts"
  case viewsWithoutPage = "views_without_page"
  case undeclaredEvent = "undeclared_event"
  case guessedDefinitions = "guessed_definitions"
  case stepsNeverSeen = "steps_never_seen"
  case mandatoryStepsNeverSeen = "mandatory_steps_never_seen"
  // What only `validate` looks at.
  case messageIds = "message_ids_with_other_content"
  case clocksOffByMinutes = "clocks_off_by_minutes"
  case clocksOffByHours = "clocks_off_by_hours"
  case arrivedLate = "arrived_late"
  case arrivedEarly = "arrived_early"
  case startsWithoutViews = "starts_without_views"
  case completionsWithoutStarts = "completions_without_starts"
  case completionsBeforeStart = "completions_before_start"
  case viewsBeforeStart = "views_before_start"
  case answersBeforePrompt = "answers_before_prompt"
  case undeclaredVariant = "undeclared_variant"
  case namesNeverSeen = "names_never_seen"

  /// Shares above which the grade is no better; 0 for "any".
  package struct Bounds: Hashable {
    var b: Double?
    var c: Double?
    var d: Double?
    var f: Double?
  }

  package var bounds: Bounds {
    switch self {
    case .events, .personsWithOnboarding: Bounds(f: 0)
    case .rejects: Bounds(b: 0.001, d: 0.01, f: 0.5)
    case .unreadableInputs, .damagedInputs: Bounds(d: 0)
    case .timestampsWithoutOffset, .placeholderIds: Bounds(b: 0.01)
    case .repeatedFacts: Bounds(b: 0.1, c: 0.5, d: 0.95)
    case .factsWithSameId: Bounds(b: 0.005, c: 0.05, d: 0.3)
    case .misdatedFacts: Bounds(b: 0, c: 0.01, d: 0.1)
    case .factsAfterHorizon: Bounds(b: 0.01, c: 0.1, d: 0.3)
    case .daysAfterData: Bounds(b: 0, c: 1)
    case .shortDay, .undeclaredEvent, .guessedDefinitions, .namedEventsNotSeen, .stoppedEvents:
      Bounds(c: 0)
    case .notMeasured, .identityFailures, .sampleRatio: Bounds(d: 0)
    case .orphans: Bounds(b: 0.01, c: 0.05, d: 0.3)
    case .endsOfOtherFlows: Bounds(b: 0.005, c: 0.05, d: 0.3)
    case .existingUsers: Bounds(b: 0.05, c: 0.2, d: 0.6)
    case .leftOut: Bounds(b: 0.1, c: 0.3, d: 0.6)
    case .devicesWithSeveralUsers: Bounds(b: 0.05, c: 0.2, d: 0.5)
    case .doubledPeople, .crowdedId: Bounds(c: 0, d: 0.1)
    case .contaminated: Bounds(b: 0.001, c: 0.01, d: 0.1)
    case .exposedLater: Bounds(b: 0.05, c: 0.3)
    case .unknownStatuses, .unknownMethods, .unknownAmounts: Bounds(b: 0, c: 0.01, d: 0.1)
    case .undeclaredPages, .viewsWithoutPage, .ambiguousPages, .pageConflicts, .skipContradictions:
      Bounds(b: 0.005, c: 0.05, d: 0.3)
    case .undeclaredPermissions, .undeclaredVariant, .namesNeverSeen, .stepsNeverSeen,
      .missingDays, .missingStarts, .leaveOutNeverSeen:
      Bounds(b: 0)
    case .mandatoryStepsNeverSeen: Bounds(c: 0, d: 0.5)
    case .messageIds: Bounds(b: 0.0005, c: 0.01, d: 0.1)
    case .clocksOffByMinutes: Bounds(b: 0.02, c: 0.3, d: 0.9)
    case .clocksOffByHours: Bounds(b: 0.005, c: 0.05, d: 0.3)
    case .arrivedLate: Bounds(b: 0.02, c: 0.1, d: 0.4)
    case .arrivedEarly: Bounds(b: 0.001, c: 0.02, d: 0.2)
    case .startsWithoutViews: Bounds(b: 0.05, c: 0.2, d: 0.5)
    case .completionsWithoutStarts, .completionsBeforeStart, .answersBeforePrompt:
      Bounds(b: 0.005, c: 0.05, d: 0.3)
    case .viewsBeforeStart: Bounds(b: 0.01, c: 0.1, d: 0.5)
    }
  }

  /// What is found, in words: the same in checks and in tables.
  package var note: String {
    switch self {
    case .factsWithSameId:
      "the id and the moment of another event of the person, but not its content: both count"
    case .devicesWithSeveralUsers:
      "2 to 5 users each, who all count as people"
    default: ""
    }
  }

  /// Whether it is met by there being nothing.
  private var isOfNothing: Bool { self == .events || self == .personsWithOnboarding }

  /// The worst grade whose bound is exceeded.
  ///
  /// - Parameter total: `nil` where a share says nothing, and any count is one too many.
  package func grade(_ count: Int, of total: Int?) -> DataGrade {
    if isOfNothing { return count == 0 ? .f : .a }
    guard count > 0 else { return .a }
    let share = total.map { $0 > 0 ? Double(count) / Double($0) : 0 } ?? 1
    let bounds = bounds
    func exceeds(_ bound: Double?) -> Bool { bound.map { share > $0 } ?? false }
    if exceeds(bounds.f) { return .f }
    if exceeds(bounds.d) { return .d }
    if exceeds(bounds.c) { return .c }
    return exceeds(bounds.b) ? .b : .a
  }
}
