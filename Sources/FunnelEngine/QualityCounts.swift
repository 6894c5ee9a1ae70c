internal import FlowDefinition
internal import Timelines

/// What the facts of a run show about the data's quality, for one flow.
public struct QualityCounts: Sendable, Codable {
  /// Persons with onboarding facts and no entry fact (definitions 5.2).
  public internal(set) var orphans = 0
  /// Persons left out because they were there before their attempt (definitions 5.2).
  public internal(set) var existingUsers = 0
  /// Of these, those whose attempt was finished all the same.
  public internal(set) var existingUsersFinished = 0
  /// Persons with neither an onboarding fact nor an entry fact of the flow.
  public internal(set) var activityOnly = 0
  /// Persons whom the flow leaves out; they add to no other count of persons, and to those of
  /// facts to which are misdated or after the horizon alone.
  public internal(set) var leftOut = 0
  /// For each mark of the flow the persons who have an event that bears it.
  public internal(set) var leftOutByMark: [Int]
  /// For each mark of the flow the persons who have its event with all its properties, whatever
  /// these say.
  public internal(set) var askedByMark: [Int]
  /// Persons whose ids the flow leaves out.
  public internal(set) var leftOutByID = 0
  /// Attempts that count and are abandoned, with a completion of another flow in their window that
  /// the person has not started (definitions 16), by that flow's name.
  public internal(set) var endsOfOtherFlows: [String: Int] = [:]
  private var endsByFlow: [UInt32: Int] = [:]
  /// Attempts that count and have no start event at their first moment (definitions 5.1).
  public internal(set) var impliedStarts = 0
  /// For each experiment the attempts that count, with a variant, whose exposure came only after
  /// their window (definitions 6.6).
  public internal(set) var exposedLater: [Int]
  /// Facts later than the horizon, set aside; misdated ones are not among them.
  public internal(set) var factsAfterHorizon = 0
  /// Facts before the moment from which a run looks at facts.
  public internal(set) var factsBeforeHistory = 0
  /// The first entry of an attempt that counts.
  public internal(set) var firstEntryMilliseconds: Int64?
  /// Facts of clocks that are far off, beyond a gap in the data (definitions 1.5); set aside.
  public internal(set) var misdatedFacts = 0
  /// Persons with misdated facts, whatever else they have.
  public internal(set) var misdatedPersons = 0
  /// Onboarding facts of which the page's name and number mean different steps; the name holds.
  public internal(set) var pageConflicts = 0
  /// Facts of anybody that name a page: views, skipped steps, skips and completions.
  public internal(set) var factsWithPage = 0
  /// Onboarding facts whose page number means different steps in the lists that could apply.
  public internal(set) var ambiguousPages = 0
  /// Views, in attempts, of declared steps that are not in the person's own list.
  public internal(set) var viewsOutsideList = 0
  /// Skips whose page is a number, by people who had viewed a step of their list.
  public internal(set) var numberedSkips = 0
  /// Of these, skips that name another page than the one that the person viewed last.
  public internal(set) var skipPageConflicts = 0
  /// Of the conflicts those whose number is one below that of the page viewed last.
  public internal(set) var skipPagesOneEarly = 0
  /// Of the conflicts those whose number is one above that of the page viewed last.
  public internal(set) var skipPagesOneLate = 0
  /// Prompts and results for permissions that the flow does not declare.
  public internal(set) var undeclaredPermissions = 0
  /// Goals whose amounts can't be summed: none was seen, or too many different ones.
  public var goalsWithoutSum: Set<Int> { goalsWithoutNumber.union(goalsWithLostNumbers) }
  /// Goals of which no amount was seen, and those of which some amounts are not kept.
  var goalsWithoutNumber: Set<Int> = []
  var goalsWithLostNumbers: Set<Int> = []
  /// Views of each declared step, of anybody.
  public internal(set) var viewsOfStep: [Int]
  /// Views of pages that the flow does not declare, by name (or `#number`).
  public internal(set) var undeclaredPages: [String: Int] = [:]
  /// Views, of anybody, that say neither the page's name nor its number.
  public internal(set) var viewsWithoutPage = 0
  /// Skips of anybody, and completions that are one.
  public internal(set) var skips = 0
  /// Facts of the flow's seven onboarding events, of anybody, by ``FactKind``.
  private var factsOfKind = [Int](repeating: 0, count: Int(FactKind.activity.rawValue) + 1)
  /// Facts of anybody that say who was asked for each permission of the flow.
  public internal(set) var promptsOfPermission: [Int]
  /// Results for each permission of the flow, of anybody.
  public internal(set) var resultsOfPermission: [Int]
  /// Of these, those whose status is one of the tracking plan's.
  public internal(set) var knownResultsOfPermission: [Int]
  /// Persons, orphans and existing users among them, with an event on a later date than that of
  /// their first.
  public internal(set) var personsSeenLater = 0
  /// Persons who are seen in the first week of the data and don't start in it.
  public internal(set) var beganBefore = 0
  /// In how many of the four weeks after it those come back who do, in sum.
  public internal(set) var weeksAfterBeginning = 0
  /// For each retention measure the people who don't count for it because the data miss dates of
  /// their window.
  public internal(set) var lackingDates: [Int]
  /// Names of events in facts up to the horizon that are not misdated, whatever flow they belong
  /// to; empty where nobody looked.
  public internal(set) var eventNames: Set<String> = []
  /// Prompts and results for permissions that the flow does not declare, by the permission's name.
  public internal(set) var undeclaredPermissionNames: [String: Int] = [:]
  /// How many people's attempts end with an event that is none of the flow's, by its name.
  public internal(set) var lastEvents: [String: Int] = [:]
  /// Results for permissions of the flow whose status decides nothing because it is none of the
  /// tracking plan's, by the status; `(none)` of those without one.
  public internal(set) var unknownStatuses: [String: Int] = [:]
  /// Completions whose method is none of the tracking plan's, by the method.
  public internal(set) var unknownMethods: [String: Int] = [:]
  /// Events in the windows of goals with a value that say an amount, in attempts that count.
  public internal(set) var amounts = 0
  /// Those of them whose amount is no number, by the text.
  public internal(set) var unknownAmounts: [String: Int] = [:]
  private var textAmounts: [TextAmount: Int] = [:]
  /// By action whether such a fact has it.
  var seenActions: [Bool] = []
  private var statusesByAction: [Int: Int] = [:]
  private var methodsByAction: [Int: Int] = [:]
  private var undeclaredByAction: [Int: Int] = [:]
  private var permissionsByAction: [Int: Int] = [:]
  private var lastActions: [Int: Int] = [:]
  /// What the codes mean that are counted; `nil` of counts that were written down.
  private var tables: FactTables?

  /// A text in the place of a goal's amount.
  private struct TextAmount: Hashable {
    var action: Int
    var place: Int
  }

  /// What is written down of counts; sets are not, for they have no order.
  private enum CodingKeys: CodingKey {
    case orphans, existingUsers, existingUsersFinished, activityOnly, impliedStarts
    case factsAfterHorizon, factsBeforeHistory, firstEntryMilliseconds, misdatedFacts
    case misdatedPersons, pageConflicts, ambiguousPages, viewsOutsideList, numberedSkips
    case skipPageConflicts, skipPagesOneEarly, skipPagesOneLate, undeclaredPermissions
    case viewsOfStep, undeclaredPages, viewsWithoutPage, skips, factsOfKind
    case promptsOfPermission, resultsOfPermission, personsSeenLater, undeclaredPermissionNames
    case lastEvents, knownResultsOfPermission, unknownStatuses, unknownMethods
    case amounts, unknownAmounts, factsWithPage, beganBefore, weeksAfterBeginning
    case leftOut, leftOutByMark, askedByMark, leftOutByID, lackingDates, exposedLater
    case endsOfOtherFlows
  }

  init(_ flow: Flow, tables: FactTables) {
    viewsOfStep = Array(repeating: 0, count: flow.steps.count)
    promptsOfPermission = Array(repeating: 0, count: flow.permissions.count)
    resultsOfPermission = promptsOfPermission
    knownResultsOfPermission = promptsOfPermission
    leftOutByMark = Array(repeating: 0, count: flow.leaveOut.marks.count)
    askedByMark = leftOutByMark
    lackingDates = Array(repeating: 0, count: flow.retention.count)
    exposedLater = Array(repeating: 0, count: flow.experiments.count)
    self.tables = tables
    seenActions = Array(repeating: false, count: tables.actionCount)
  }

  mutating func see(_ fact: WalkFact, _ action: CompiledAction, isConflict: Bool) {
    if fact.page != CompiledPage.none { factsWithPage += 1 }
    if isConflict { pageConflicts += 1 }
    if fact.page == CompiledPage.ambiguous { ambiguousPages += 1 }
    factsOfKind[Int(fact.kind.rawValue)] += 1
    switch fact.kind {
    case .viewed:
      if fact.page >= 0 {
        viewsOfStep[Int(fact.page)] += 1
      } else if fact.page == CompiledPage.undeclared {
        undeclaredByAction[fact.action, default: 0] += 1
      } else if fact.page == CompiledPage.none {
        viewsWithoutPage += 1
      }
    case .skipped: skips += 1
    case .completed:
      if action.completesBySkipping { skips += 1 }
      if action.hasUnknownMethod { methodsByAction[fact.action, default: 0] += 1 }
    case .prompted, .permissionResult:
      let permission = Int(action.permission)
      if permission < 0 {
        permissionsByAction[fact.action, default: 0] += 1
        return undeclaredPermissions += 1
      }
      if fact.kind == .permissionResult {
        resultsOfPermission[permission] += 1
        if action.status == .other {
          statusesByAction[fact.action, default: 0] += 1
        } else {
          knownResultsOfPermission[permission] += 1
        }
      }
      // Who gave an answer that isn't understood is not known to have been asked.
      if fact.kind == .prompted || action.isPrompted == true && action.status != .other {
        promptsOfPermission[permission] += 1
      }
    default: break
    }
  }

  /// Notes an event in a goal's window whose amount, at this place of its action's values, is no
  /// number.
  mutating func see(textAmountOf action: Int, at place: Int) {
    textAmounts[TextAmount(action: action, place: place), default: 0] += 1
  }

  /// Notes the end of a flow that the person has not started, by the code of its name.
  mutating func see(endOfFlow code: UInt32) { endsByFlow[code, default: 0] += 1 }

  /// Notes the last fact of a person's attempt.
  mutating func see(last fact: WalkFact) {
    if fact.kind == .activity { lastActions[fact.action, default: 0] += 1 }
  }

  /// The counts by the names that actions have in a field; what has none there is left out.
  private func named(_ counts: [Int: Int], _ field: String) -> [String: Int] {
    guard let tables, let place = tables.schema.actionIndex(ofField: field) else { return [:] }
    var named: [String: Int] = [:]
    for (action, count) in counts {
      let code = tables.actionValue(action, at: place)
      if code != 0 { named[tables.name(ofActionValue: code, at: place), default: 0] += count }
    }
    return named
  }

  /// Gives what was counted its names; called once, when a worker is done.
  mutating func finish() {
    guard let tables else { return }
    undeclaredPermissionNames = named(permissionsByAction, "permission")
    lastEvents = named(lastActions, "event")
    unknownMethods = named(methodsByAction, "completion_method")
    unknownStatuses = named(statusesByAction, "status")
    let unnamed =
      statusesByAction.values.reduce(0, +) - unknownStatuses.values.reduce(0, +)
    if unnamed > 0 { unknownStatuses["(none)"] = unnamed }
    nameAmounts(tables)
    for (code, count) in endsByFlow {
      endsOfOtherFlows[tables.name(ofContextValue: code, at: 0), default: 0] += count
    }
    endsByFlow = [:]
    (permissionsByAction, lastActions) = ([:], [:])
    (statusesByAction, methodsByAction) = ([:], [:])
    if let event = tables.schema.actionIndex(ofField: "event") {
      for action in seenActions.indices where seenActions[action] {
        let code = tables.actionValue(action, at: event)
        if code != 0 { eventNames.insert(tables.name(ofActionValue: code, at: event)) }
      }
    }
    let name = tables.schema.actionIndex(ofField: "page_name") ?? 0
    let number = tables.schema.actionIndex(ofField: "page_number") ?? 0
    for (action, count) in undeclaredByAction where count > 0 {
      let values = tables.action(action)
      let named = values[values.startIndex + name]
      let numbered = values[values.startIndex + number]
      let label =
        named != 0
        ? tables.name(ofActionValue: named, at: name)
        : numbered != 0 ? "#" + tables.name(ofActionValue: numbered, at: number) : "(none)"
      undeclaredPages[label, default: 0] += count
    }
    undeclaredByAction = [:]
  }

  private mutating func nameAmounts(_ tables: FactTables) {
    for (amount, count) in textAmounts {
      let code = tables.actionValue(amount.action, at: amount.place)
      let text = tables.name(ofActionValue: code, at: amount.place)
      // Numbers of which too many differ are none that can't be read: their sum is unknown.
      if text == "(other)" { continue }
      amounts += count
      unknownAmounts[text, default: 0] += count
    }
    textAmounts = [:]
  }

  /// Whether counts that were written down have the flow's steps and permissions.
  func fits(_ flow: Flow) -> Bool {
    viewsOfStep.count == flow.steps.count && promptsOfPermission.count == flow.permissions.count
      && resultsOfPermission.count == flow.permissions.count
      && knownResultsOfPermission.count == flow.permissions.count
      && factsOfKind.count == Int(FactKind.activity.rawValue) + 1
      && leftOutByMark.count == flow.leaveOut.marks.count
      && askedByMark.count == flow.leaveOut.marks.count
      && lackingDates.count == flow.retention.count
      && exposedLater.count == flow.experiments.count
  }

  mutating func merge(_ other: QualityCounts) {
    orphans += other.orphans
    existingUsers += other.existingUsers
    existingUsersFinished += other.existingUsersFinished
    activityOnly += other.activityOnly
    leftOut += other.leftOut
    leftOutByID += other.leftOutByID
    for mark in leftOutByMark.indices {
      leftOutByMark[mark] += other.leftOutByMark[mark]
      askedByMark[mark] += other.askedByMark[mark]
    }
    impliedStarts += other.impliedStarts
    endsOfOtherFlows.merge(other.endsOfOtherFlows) { $0 + $1 }
    for experiment in exposedLater.indices {
      exposedLater[experiment] += other.exposedLater[experiment]
    }
    factsAfterHorizon += other.factsAfterHorizon
    factsBeforeHistory += other.factsBeforeHistory
    firstEntryMilliseconds =
      [firstEntryMilliseconds, other.firstEntryMilliseconds].compactMap { $0 }.min()
    misdatedFacts += other.misdatedFacts
    misdatedPersons += other.misdatedPersons
    pageConflicts += other.pageConflicts
    factsWithPage += other.factsWithPage
    ambiguousPages += other.ambiguousPages
    viewsOutsideList += other.viewsOutsideList
    goalsWithoutNumber.formIntersection(other.goalsWithoutNumber)
    goalsWithLostNumbers.formUnion(other.goalsWithLostNumbers)
    numberedSkips += other.numberedSkips
    skipPageConflicts += other.skipPageConflicts
    skipPagesOneEarly += other.skipPagesOneEarly
    skipPagesOneLate += other.skipPagesOneLate
    undeclaredPermissions += other.undeclaredPermissions
    for step in viewsOfStep.indices { viewsOfStep[step] += other.viewsOfStep[step] }
    for index in promptsOfPermission.indices {
      promptsOfPermission[index] += other.promptsOfPermission[index]
      resultsOfPermission[index] += other.resultsOfPermission[index]
      knownResultsOfPermission[index] += other.knownResultsOfPermission[index]
    }
    personsSeenLater += other.personsSeenLater
    for measure in lackingDates.indices { lackingDates[measure] += other.lackingDates[measure] }
    beganBefore += other.beganBefore
    weeksAfterBeginning += other.weeksAfterBeginning
    undeclaredPages.merge(other.undeclaredPages) { $0 + $1 }
    viewsWithoutPage += other.viewsWithoutPage
    skips += other.skips
    undeclaredPermissionNames.merge(other.undeclaredPermissionNames) { $0 + $1 }
    lastEvents.merge(other.lastEvents) { $0 + $1 }
    unknownStatuses.merge(other.unknownStatuses) { $0 + $1 }
    unknownMethods.merge(other.unknownMethods) { $0 + $1 }
    amounts += other.amounts
    unknownAmounts.merge(other.unknownAmounts) { $0 + $1 }
    for kind in factsOfKind.indices { factsOfKind[kind] += other.factsOfKind[kind] }
    eventNames.formUnion(other.eventNames)
  }
}

extension QualityCounts {
  /// Counts an attempt for the measures that it doesn't count for.
  mutating func see(_ retention: [RetentionResult]) {
    for measure in retention.indices where retention[measure].lacksDates {
      lackingDates[measure] += 1
    }
  }

  /// Whether hardly anybody used the app before the data begin. So many people as come back in the
  /// four weeks after the first would be seen in the first, had as many started in weeks before.
  public var knowsEveryone: Bool {
    weeksAfterBeginning >= 30 && beganBefore * 20 <= weeksAfterBeginning
  }
}

/// How often the flow's own events were seen, of anybody: what was never seen was not measured.
extension QualityCounts {
  /// Statuses of permission results that definitions know, by their canonical names.
  public static var knownStatuses: [String] { CanonicalNames.statuses }
  /// Methods of completions that definitions know, by their canonical names.
  public static var knownMethods: [String] { CanonicalNames.methods }

  /// What a system's own word in a canonical field means; `nil` of one that nobody knows.
  package static func meaning(of word: String, in field: String) -> String? {
    KnownWords.all.first { $0.field == field }?.meaning(of: word)
  }

  /// Completions of the flow, of anybody, those by skipping among them.
  public var completions: Int { count(.completed) }
  /// Page views of the flow, of anybody, with or without a known page.
  public var pageViews: Int { count(.viewed) }
  /// Those of a step, or of a page that the flow does not declare.
  public var viewsOfPages: Int {
    viewsOfStep.reduce(0, +) + undeclaredPages.values.reduce(0, +)
  }
  /// Facts of any of the seven onboarding events.
  public var onboardingFacts: Int { factsOfKind.dropLast().reduce(0, +) }

  private func count(_ kind: FactKind) -> Int { factsOfKind[Int(kind.rawValue)] }
}
