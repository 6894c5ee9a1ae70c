public import EventInput
public import Timelines

/// What people's timelines say about an onboarding that nobody has described: candidates for its
/// start, its end, its steps, a variant and the event by which people come back, each with its
/// evidence, and the choice that the evidence speaks for.
///
/// Candidates are ranked by their place in people's timelines; names only decide where timelines
/// leave two equally likely. Events with FirstMile's own names are no guess.
public struct FlowGuess: Sendable {
  /// A step and the people who have it.
  public struct Step: Sendable, Hashable {
    /// The event or the screen that the step is.
    public let name: String
    /// People of the sample who have it.
    public let people: Int
  }

  /// People of the sample.
  public let peopleCount: Int
  /// Best first.
  public let starts: [RoleCandidate]
  /// Best first.
  public let ends: [RoleCandidate]
  /// Events that may be the real end, days after the start; best first.
  public let lateEnds: [LateEnd]
  /// In their usual order.
  public let steps: [Step]
  /// Properties that may hold a variant, best first; none where events name their variants.
  public let variants: [VariantCandidate]
  /// What speaks against chance in experiments that events name themselves, by their ids.
  public let doubtsOfExperiments: [String: String]
  /// Events with which people come back on later days, most people first.
  public let activities: [RoleCandidate]
  /// Events that a server or the system seems to send.
  public let sentByServer: [String]
  /// Events that SDKs send by themselves, or that come at equal distances as a clock's do.
  public let sentByMachine: [String]
  /// Whether an onboarding begins with FirstMile's own names; one of them among others, such as
  /// that of a permission's result, says nothing about the start, the steps and the end.
  public let isCanonical: Bool
  /// Whether its steps are those of the onboarding's own names, or its screens: nothing to guess.
  public var namesSteps: Bool { isCanonical && hasScreens }
  /// Whether screens of the app stand for steps, and not events of their own.
  public let hasScreens: Bool
  /// Groups of people who share no event, as in dumps of two apps; empty where there are none.
  public let apart: [EventGroups.Group]
  /// The best guess.
  public let choice: FlowChoice

  /// The sample, with one spelling for each name.
  let sample: DumpSampler.Sample
  let screens: DraftScreens?
  /// Events that are prompts for a permission, or answers to one.
  let permissionParts: [String: String]
  /// Whether the steps are some of the app's screens, and not only the one that it always shows.
  private let stepsAreScreens: Bool
  private let evidence: OrderEvidence
  private let canonical: Set<String>

  /// Looks for an onboarding in the timelines of a sample: among its screens, where there are any,
  /// and among all events where screens lead nowhere. (Firebase sends a game's one screen by
  /// itself, beside the tutorial's own events; other apps only send their home screen.)
  public init(_ sample: DumpSampler.Sample) {
    var sample = sample
    SampledSpellings.unify(&sample.events)
    let guess = FlowGuess(sample, .any)
    let isEnough = guess.screens == nil || guess.hasOnboarding && guess.stepsAreScreens
    let others = isEnough ? [] : [ScreenChoice.byOrder, .none]
    self =
      others.lazy.map { [sample] in FlowGuess(sample, $0) }.first { other in
        guess.hasOnboarding ? other.steps.count > 1 : other.hasOnboarding
      } ?? guess
  }

  /// Which screens are looked at.
  private enum ScreenChoice {
    /// Those that tools send, or else those that are found by their order.
    case any
    case byOrder
    case none
  }

  /// - Parameter sample: with one spelling for each name.
  private init(_ sample: DumpSampler.Sample, _ choice: ScreenChoice) {
    self.sample = sample
    let timelines = SampledTimelines(sample.events)
    var counts: [String: Int] = [:]
    for person in timelines.people {
      for event in person { counts[event.event, default: 0] += 1 }
    }
    let canonical = Set(CanonicalNames.events.filter { counts[$0] != nil })
    let hasOwnPages = canonical.contains(DraftScreens.part) && Self.namesPages(timelines)
    let isCanonical = canonical.contains("onboarding_started") || hasOwnPages
    self.isCanonical = isCanonical
    let screens =
      hasOwnPages || choice == .none
      ? nil
      : (choice == .any ? DraftScreens(counts, timelines) : nil)
        ?? (isCanonical ? nil : Self.searchedScreens(timelines))
    let permissions = isCanonical ? [:] : DraftNames.permissionParts(timelines)
    permissionParts = permissions
    let rhythmic = RhythmSearch.find(timelines).subtracting(canonical)
    let isMachine: (String) -> Bool = { name in
      rhythmic.contains(name) || AutomaticEvents.isUnattended(name) && !canonical.contains(name)
    }
    let evidence = OrderEvidence(timelines) { event in
      if permissions[event.event] != nil { return nil }
      return Self.kind(event, screens, hasOwnPages: hasOwnPages, isMachine: isMachine)
    }
    let ranking = RoleRanking(evidence, canonical: canonical, isCanonical: isCanonical)
    peopleCount = timelines.people.count
    apart = Self.groups(timelines, counts)
    self.evidence = evidence
    self.canonical = canonical
    self.screens = screens
    starts = ranking.starts
    ends = ranking.ends
    hasScreens = hasOwnPages || screens != nil
    stepsAreScreens = ranking.hasPages && ranking.steps.count > 1
    steps = ranking.steps.map { Step(name: $0.name, people: $0.people) }
    let setup = Set(evidence.entries.map(\.kind.event)).union(canonical)
    let shown = setup.union(screens.map { Set($0.pageOfEvent.keys) } ?? [])
      .union([screens?.event].compactMap { $0 })
    let sent = SentEvents(timelines, counts, isMachine: isMachine, without: shown)
    (sentByServer, sentByMachine) = (sent.byServer, sent.byMachine)
    activities = ActivitySearch.find(timelines, without: setup.union(sent.all))
    lateEnds =
      canonical.contains("onboarding_completed")
      ? []
      : LateEndSearch.find(
        timelines, start: ranking.start, setup: shown.union(permissions.keys), without: sent.all)
    let taken = screens?.path.map { String($0.dropFirst("properties.".count)) }
    (variants, doubtsOfExperiments) = Self.experiments(timelines, taken: taken) { event in
      ranking.start.map { $0 == event.event } ?? shown.contains(event.event)
    }
    self.choice = Self.choice(ranking, lateEnds, variants, namesSteps: isCanonical && hasScreens)
  }

  /// What may say which variants people have, and what speaks against experiments that are named.
  ///
  /// - Parameter taken: a property that is known to be something else.
  private static func experiments(
    _ timelines: SampledTimelines, taken: String?, isBeginning: (SampledEvent) -> Bool
  ) -> (variants: [VariantCandidate], doubts: [String: String]) {
    let exposures = ExposureSearch.find(timelines)
    let named = Set(timelines.people.flatMap { $0.flatMap(\.variants.keys) })
    let exposed = exposures.candidate.flatMap { $0.isNew(beside: named) ? $0 : nil }
    let known = exposures.properties.union([taken, "flow", "flow_version"].compactMap { $0 })
    let plain =
      named.isEmpty
      ? VariantSearch.find(timelines, taken: known, isBeginning: isBeginning) : []
    let doubts = VariantSearch.doubts(ofExperimentsIn: timelines)
    return ([exposed].compactMap { $0 } + plain, exposures.doubts.merging(doubts) { $1 })
  }

  /// Whether the timelines have anything that looks like an onboarding.
  public var hasOnboarding: Bool {
    isCanonical || (steps.count > 1) || (choice.start != nil && choice.end != nil)
  }

  /// Candidates for the end of an onboarding that begins with an event; best first, and those that
  /// come days later last.
  public func ends(from start: String?) -> [RoleCandidate] {
    RoleRanking(
      evidence, canonical: canonical, isCanonical: isCanonical, chosenStart: .some(start)
    ).ends
      + lateEnds.map(\.candidate)
  }

  /// Events by which others finish who don't have the end: those are ends as well.
  public func otherEnds(than end: String?, from start: String?) -> [RoleCandidate] {
    RoleRanking(
      evidence, canonical: canonical, isCanonical: isCanonical, chosenStart: .some(start),
      chosenEnd: .some(end)
    ).otherEnds(than: end)
  }

  /// How many days an attempt may take that ends with an event; `nil` for the usual one.
  public func windowDays(to end: String?) -> Int? {
    lateEnds.first { $0.name == end }?.windowDays
  }

  /// The steps of an onboarding between two events.
  public func steps(from start: String?, to end: String?) -> [Step] {
    RoleRanking(
      evidence, canonical: canonical, isCanonical: isCanonical, chosenStart: .some(start),
      chosenEnd: .some(end)
    ).steps.map { Step(name: $0.name, people: $0.people) }
  }

  /// What an event is to the onboarding; `nil` where it is no part of any.
  private static func kind(
    _ event: SampledEvent, _ screens: DraftScreens?, hasOwnPages: Bool,
    isMachine: (String) -> Bool
  ) -> EventKind? {
    let page =
      event.event == DraftScreens.part
      ? (hasOwnPages ? event.value("properties.page_name") : nil) : screens?.page(event)
    // What names an experiment is no step, though all people have it once and early.
    if page == nil,
      AutomaticEvents.isLifecycle(event.event) || NameHint.isAssignment(event.event)
        || isMachine(event.event)
    {
      return nil
    }
    if NameHint.isSentByServer(event.event) { return nil }
    guard FlowDraft.isName(page ?? event.event) else { return nil }
    return EventKind(event: event.event, page: page)
  }

  /// The best guess.
  private static func choice(
    _ ranking: RoleRanking, _ late: [LateEnd], _ variants: [VariantCandidate], namesSteps: Bool
  ) -> FlowChoice {
    var choice = FlowChoice()
    choice.start = ranking.start
    choice.end = ranking.end
    // With nothing else to end it, an end by its name; others are offered.
    if choice.end == nil, let first = late.first, NameHint.end(first.name) > 1 {
      choice.end = first.name
      choice.windowDays = first.windowDays
    }
    choice.skip = ranking.skip
    if !namesSteps && !ranking.steps.isEmpty { choice.steps = ranking.steps.map(\.name) }
    choice.variant = variants.first { $0.isNamed && $0.doubt == nil }
    return choice
  }

  private static func groups(
    _ timelines: SampledTimelines, _ counts: [String: Int]
  ) -> [EventGroups.Group] {
    let names = counts.keys.sorted()
    let codes = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    var groups = EventGroups(names: names)
    for person in timelines.people {
      var first = EventGroups.First()
      for event in person {
        if let code = codes[event.event] {
          groups.add(code, at: event.timeMilliseconds, first: &first)
        }
      }
    }
    return groups.apart
  }

  private static func searchedScreens(_ timelines: SampledTimelines) -> DraftScreens? {
    ScreenSearch.find(timelines).map { DraftScreens(event: $0.event, path: $0.path) }
  }

  /// Whether a view of a page of our own name says which page it is.
  private static func namesPages(_ timelines: SampledTimelines) -> Bool {
    timelines.people.contains { person in
      person.contains { event in
        event.event == DraftScreens.part
          && ["page_name", "page_number", "page_index"].contains {
            event.value("properties.\($0)") != nil
          }
      }
    }
  }
}
