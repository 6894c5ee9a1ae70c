internal import ExperimentStatistics
package import FlowDefinition
package import FunnelEngine
internal import ReportText

/// Numbers that the data cannot know, because an event that they rest on is in none of it: unknown,
/// and not 0 (definitions 15).
public struct Unmeasured: Sendable {
  /// One thing that was not measured.
  public struct Reason: Sendable, Hashable {
    /// What is unknown, in words: `completion`.
    public var subject: String
    /// What is missing, in words.
    public var missing: String
    /// Events in the data that may have been meant, the likeliest first.
    public var candidates: [String]
    /// Whether the app may simply have nothing of the kind: unknown all the same, but no fault of
    /// the data.
    public var isNoFault = false
    /// Whether it rests on an event that the flow file alone names, of a goal, a friction, a
    /// retention measure or a funnel: nobody may have come to it yet, and all else is known.
    public var isOfNamedEvent = false
  }

  struct Name: Hashable {
    var metric: MetricName
    var step: String
  }

  /// Whatever is unknown, faults of the data and others.
  public internal(set) var all: [Reason] = []
  /// What is unknown because the data lack what they should have.
  public var reasons: [Reason] { all.filter { !$0.isNoFault } }
  /// Those of a part of the people, chosen by dates or a version: that none of them met an
  /// experiment is no fault.
  package var reasonsOfPart: [Reason] {
    let ofExperiments = Set(reasonsOfExperiment.values)
    return all.indices.filter { !all[$0].isNoFault && !ofExperiments.contains($0) }.map { all[$0] }
  }
  /// No outcome is known, so nobody is known to have dropped off anywhere.
  public private(set) var hasNoCompletions = false
  /// Nobody is known to have seen any step.
  public var hasNoViews: Bool { reasonOfViews != nil }
  /// Why, by its place in `all`.
  private(set) var reasonOfViews: Int?
  /// Experiments that nobody has a variant of.
  public private(set) var experiments: Set<String> = []
  /// The reason of each unknown number, by its place in `all`.
  var names: [Name: Int] = [:]
  /// The permissions of which no answer is known, with the reason's place in `all`.
  private var unknownAnswers: [(permission: String, reason: Int)] = []
  private var reasonsOfExperiment: [String: Int] = [:]
  let eventNames: [String]
  let seen: Set<String>

  package init(_ table: SliceTable, _ quality: QualityCounts) {
    eventNames = ByteOrder.sorted(quality.eventNames)
    seen = quality.eventNames
    let layout = table.layout
    let persons = table.count(.all, layout[.persons])
    // Who entered has facts: without any nobody looked.
    guard table.count(.all, layout[.entered]) > 0, quality.onboardingFacts > 0 else { return }
    let flow = table.flow
    if quality.completions == 0 {
      addCompletions(flow, quality, last: Unmeasured.lastEvents(quality, flow, among: persons))
    }
    if quality.pageViews == quality.viewsWithoutPage {
      addViews(flow, hasViews: quality.pageViews > 0)
    }
    if persons > 0 {
      for index in flow.permissions.indices { addPermission(index, flow, quality) }
      addDenials(flow, quality)
      addGoals(flow)
      addAmounts(flow, quality)
      addFunnels(flow)
      if quality.personsSeenLater == 0 { addRetention(table) }
      if quality.skips == 0 && !flow.neverSkips { addSkips(flow) }
    }
    for experiment in flow.experiments { addExperiment(experiment, table) }
  }

  /// Whether a rate, or a curve or comparison of it, is unknown.
  package func contains(_ metric: MetricName, step: String = "all") -> Bool {
    place(metric, step) != nil
  }

  private func place(_ metric: MetricName, _ step: String) -> Int? {
    guard metric == .permissionJoint else { return names[Name(metric: metric, step: step)] }
    return unknownAnswers.first { permission, _ in
      step.hasPrefix("\(permission)=") || step.contains(",\(permission)=")
    }?.reason
  }

  /// Why a number is unknown, also one that follows from an unknown rate: a count, a duration, a
  /// comparison, or the rate of a goal's value; `nil` where it is known.
  package func reason(
    for metric: MetricName, step: String = "all", in slice: Slice = .all
  ) -> Reason? {
    if slice.variant != "all", let index = reasonsOfExperiment[slice.experiment] {
      return all[index]
    }
    var base = metric.comparedNumber ?? metric
    if let measure = MetricCatalog.durationMeasure(of: base) { base = measure }
    let place = base == .goalRate ? String(step.prefix { $0 != ":" }) : step
    return self.place(base, place).map { all[$0] }
  }

  mutating func add(
    _ subject: String, missing: String, like words: [String],
    _ metrics: [(MetricName, String)]
  ) {
    for (metric, step) in metrics {
      let name = Name(metric: metric, step: step)
      if names[name] == nil { names[name] = all.count }
    }
    // A name that is there, but for another flow or on a misdated day, is no other name.
    let found = eventNames.filter { name in
      !missing.contains("'\(name)'") && words.contains { name.lowercased().contains($0) }
    }
    all.append(
      Reason(subject: subject, missing: missing, candidates: Array(found.prefix(3))))
  }

  /// Events that may be one that is missing at the end of people's attempts: those with which the
  /// attempts of a tenth of the people end, and which the flow knows by no other meaning.
  private static func lastEvents(
    _ quality: QualityCounts, _ flow: Flow, among persons: Int
  ) -> [String] {
    let declared = Set(flow.eventPatterns.map(\.event) + flow.notActivity)
    return Counted.mostFirst(quality.lastEvents).filter { name, count in
      count * 10 >= persons && !declared.contains(name)
    }.map(\.0)
  }

  /// - Parameter last: events that people's attempts often end with.
  private mutating func addCompletions(
    _ flow: Flow, _ quality: QualityCounts, last events: [String]
  ) {
    hasNoCompletions = true
    let others = Counted.mostFirst(quality.endsOfOtherFlows).prefix(3).map(\.0)
    // Whether people went on from the last step is what a completion says.
    let last = Set(flow.lists.compactMap(\.last)).sorted().map { flow.steps[$0].id }
    let ofLast: [MetricName] = [
      .stepConversion, .stepDropOff, .stepAbandoned, .stepAbandonedAfterDenial, .timeToMoveOn,
    ]
    let ofSteps =
      ofLast.flatMap { metric in last.map { (metric, $0) } }
      + flow.steps.map { (.stepCompletion, $0.id) }
    // Who finished after skipping is not seen to have left by skipping.
    let ofSkips =
      [MetricName.skipRate, .incidenceSkipped, .skipped].map { ($0, "all") }
      + (["(entry)"] + flow.steps.map(\.id)).map { (MetricName.stepLeftSkipping, $0) }
    add(
      "completion",
      missing: others.isEmpty
        ? "no 'onboarding_completed' is in the data"
        : "each 'onboarding_completed' in the data is of another flow "
          + "(\(others.joined(separator: ", "))); where that is a property of the app's own, "
          + "'fields: {flow: {constant: \(flow.id)}}' leaves it out",
      like: ["complet", "finish", "done"],
      [
        (.completionRate, "all"), (.abandonRate, "all"), (.incidenceFinished, "all"),
        (.incidenceAbandoned, "all"), (.finished, "all"), (.finishedAfterSkipping, "all"),
        (.abandoned, "all"), (.completedLate, "all"), (.timeToComplete, "all"),
      ] + ofSteps + ofSkips + flow.permissions.map { (.permissionLeftAfterDenial, $0) })
    addCandidates(events.filter { $0 != "onboarding_completed" })
  }

  /// - Parameter hasViews: whether there are views, of which none says what page it is.
  private mutating func addViews(_ flow: Flow, hasViews: Bool) {
    reasonOfViews = all.count
    let metrics: [MetricName] = [.stepReach, .stepBypassed, .timeOnStep]
    let ofSteps = metrics.flatMap { metric in flow.steps.map { (metric, $0.id) } }
    let ofEntry: [MetricName] = [
      .stepDropOff, .stepLeftSkipping, .stepAbandoned, .stepAbandonedAfterDenial,
    ]
    let atEntry = ofEntry.map { ($0, "(entry)") }
    add(
      "the steps",
      missing: hasViews
        ? "no 'onboarding_page_viewed' says which page it is; map its place under 'fields'"
        : "no 'onboarding_page_viewed' is in the data",
      like: hasViews ? [] : ["view", "page", "screen"],
      ofSteps + atEntry
        + flow.permissions.flatMap { permission in
          // Who went on after a denial is seen by views, too.
          [(.permissionSawPriming, permission), (.permissionLeftAfterDenial, permission)]
        })
  }

  /// Whether people can skip is not seen where nobody does: then an app may have no button for it,
  /// or none that sends an event.
  private mutating func addSkips(_ flow: Flow) {
    let ofSteps = (["(entry)"] + flow.steps.map(\.id)).map {
      (MetricName.stepLeftSkipping, $0)
    }
    let skips: [MetricName] = [
      .skipRate, .usedSkipRate, .incidenceSkipped, .skipped, .finishedAfterSkipping,
    ]
    let ofAll = skips.map { ($0, "all") }
    let isMapped = flow.eventNames.contains { $0.to == "onboarding_skipped" }
    add(
      "skipping",
      missing: "no 'onboarding_skipped' is in the data"
        + (isMapped ? "" : "; if the app has no way to skip, say so with 'skip: never'"),
      like: [], ofAll + ofSteps)
    all[all.count - 1].isNoFault = !isMapped
    let known = Set(flow.eventPatterns.map(\.event) + flow.notActivity)
    addCandidates(
      eventNames.filter {
        $0.lowercased().contains("skip") && $0 != "onboarding_step_skipped" && !known.contains($0)
      })
  }

  private mutating func addPermission(_ index: Int, _ flow: Flow, _ quality: QualityCounts) {
    let name = flow.permissions[index]
    let hasPrompts = quality.promptsOfPermission[index] > 0
    let hasResults = quality.resultsOfPermission[index] > 0
    let hasAnswers = quality.knownResultsOfPermission[index] > 0
    if hasPrompts && hasAnswers { return }
    let answers = PermissionClass.allCases.map { (MetricName.permissionClass($0), name) }
    if !hasAnswers { unknownAnswers.append((name, all.count)) }
    if !hasPrompts && !hasResults {
      add(
        "permission \(name)",
        missing: "no 'permission_result' and no 'permission_prompted' for '\(name)' is in the data",
        like: ["permission", "authoriz", "consent"],
        [.permissionOptIn, .permissionReach, .permissionAcceptance].map { ($0, name) } + answers)
    } else if !hasResults {
      add(
        "what people answered about \(name)",
        missing: "prompts for '\(name)' are in the data, but no 'permission_result'",
        like: ["result", "granted", "denied", "answer"],
        [.permissionOptIn, .permissionAcceptance].map { ($0, name) } + answers)
    } else if !hasAnswers {
      add(
        "what people answered about \(name)",
        missing: "no 'permission_result' for '\(name)' has a status that is known; map its values "
          + "under 'fields'",
        like: [],
        [.permissionOptIn, .permissionAcceptance].map { ($0, name) } + answers
          + (hasPrompts ? [] : [(.permissionReach, name)]))
      return addCandidates(Counted.mostFirst(quality.unknownStatuses).map(\.0))
    } else if !hasPrompts {
      add(
        "how many were asked for \(name)",
        missing: "results for '\(name)' are in the data, but no 'permission_prompted' and no "
          + "'prompted: true' that says who was asked",
        like: ["prompt", "asked"],
        [(.permissionReach, name), (.permissionAcceptance, name)])
    }
    // What was sent for a permission that the flow does not know is the likeliest to be this one.
    let others = Counted.mostFirst(quality.undeclaredPermissionNames).map(\.0)
    let events = all[all.count - 1].candidates
    all[all.count - 1].candidates = []
    addCandidates(others + events)
  }

  /// Who left after a denial, where no answer is known.
  private mutating func addDenials(_ flow: Flow, _ quality: QualityCounts) {
    guard let first = flow.permissions.first,
      quality.knownResultsOfPermission.allSatisfy({ $0 == 0 }),
      let reason = names[Name(metric: .permissionOptIn, step: first)]
    else { return }
    for step in ["(entry)"] + flow.steps.map(\.id) {
      let name = Name(metric: .stepAbandonedAfterDenial, step: step)
      if names[name] == nil { names[name] = reason }
    }
  }

  /// Adds names to the last reason's candidates, three in all.
  private mutating func addCandidates(_ names: [String]) {
    guard var reason = all.popLast() else { return }
    for name in names where reason.candidates.count < 3 && !reason.candidates.contains(name) {
      reason.candidates.append(name)
    }
    all.append(reason)
  }

  /// Of people whose day is over, the least share that is expected to have an event on any later
  /// date.
  private static let leastReturning = 0.1

  /// What an onboarding is made of: where nothing else is sent, later visits are not either.
  private static let onboardingEvents: Set<String> = [
    "onboarding_started", "permission_prompted", "onboarding_page_viewed",
    "onboarding_step_skipped", "permission_result", "onboarding_skipped", "onboarding_completed",
  ]

  /// Of any activity: where nobody was ever seen on a later date, later events were not sent.
  private mutating func addRetention(_ table: SliceTable) {
    let layout = table.layout
    let measures = table.flow.retention.indices.filter { table.flow.retention[$0].pattern == nil }
    // Where no day is over it is too early to say, and where it is over for few, chance may be why.
    let people = measures.map { table.count(.all, layout[retention: $0, .eligible]) }.max() ?? 0
    let own = Unmeasured.onboardingEvents.union(table.flow.notActivity)
    guard people > 0,
      UnlikelyAbsence.holds(share: Unmeasured.leastReturning, trials: people)
        || seen.isSubset(of: own)
    else { return }
    add(
      "retention", missing: "nobody has an event on a later date than that of their first",
      like: [],
      measures.flatMap { index in
        let own = MetricName.retention(table.flow.retention[index])
        return [(own, "all"), (own.overall, "all")]
      }
        + layout.commonMeasures.map {
          (MetricName.retention(table.flow.retention[$0]).ofCommonCohort, "all")
        }
        + [(.returnedBy, "all")])
  }

  private mutating func addExperiment(_ experiment: Experiment, _ table: SliceTable) {
    let entered = table.layout[.entered]
    let seen = Set(
      table.uncut.lazy
        .filter { $0.experiment == experiment.id && table.count($0, entered) > 0 }
        .map(\.variant))
    let declared = experiment.variants.map(\.id) + [VariantState.contaminated([]).label]
    guard seen.isDisjoint(with: declared) else { return }
    experiments.insert(experiment.id)
    reasonsOfExperiment[experiment.id] = all.count
    let states = [VariantState.unassigned, .outside, .notExposed(nil)].map(\.label)
    let others = ByteOrder.sorted(seen.subtracting(states))
    let people = states.map {
      table.count(Slice(experiment: experiment.id, variant: $0), entered)
    }
    let missing =
      switch (people[0], people[1], people[2]) {
      case (_, _, 1...):
        "none of the \(NumberText.grouped(people[2])) people with a variant has its 'exposure' "
          + "within \(DurationText.format(table.flow.windowMilliseconds)) of entry, the flow's "
          + "'window'; "
          + (experiment.exposure.map { self.seen.contains($0.event) } ?? false
            ? "the event is in the data, so it comes later or with other properties"
            : "check that event in the flow file")
      case (0, 1..., _) where others.isEmpty:
        "all \(NumberText.grouped(people[1])) people entered before the experiment began or after "
          + "it ended; check its 'start' and 'end' in the flow file"
      default:
        "none of the \(NumberText.grouped(table.count(.all, entered) - people[1])) people has a "
          + "\(others.isEmpty ? "" : "declared ")variant; check 'experiment' and 'variant' in the "
          + "events and in the flow file"
      }
    all.append(
      Reason(
        subject: "experiment \(experiment.id)", missing: missing,
        candidates: Array(others.prefix(3))))
  }

  /// Why nothing is known of an experiment's variants; `nil` where something is.
  package func reason(ofExperiment id: String) -> Reason? {
    reasonsOfExperiment[id].map { all[$0] }
  }
}

extension Unmeasured.Reason {
  /// `Completion is unknown: no 'onboarding_completed' is in the data; is it 'finished'?`
  public var sentence: String {
    let names = candidates.map { "'\(SafeText.name($0, limit: 40))'" }
    let like = names.isEmpty ? "" : "; did the app send it as \(names.joined(separator: " or "))?"
    let words = SafeText.name(subject, limit: 60).capitalizedFirst
    let isMany = subject == "the steps"
    return "\(words) \(isMany ? "are" : "is") unknown: \(SafeText.name(missing, limit: 200))"
      + (like.isEmpty ? "." : like)
  }
}
