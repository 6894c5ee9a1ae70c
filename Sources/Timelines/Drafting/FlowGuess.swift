public import EventInput

/// What people's timelines say about an onboarding that nobody has described: candidates for its
/// start, its end, its steps, a variant and the event by which people come back, each with its
/// evidence, and the choice that the evidence speaks for.
///
/// Candidates are ranked by their place in people's timelines; names only decide where timelines
/// leave two equally likely. Events with FirstMile's own names are no guess.
public struct FlowGuess: Sendable {
  /// A step and the people who have it.
  public struct Step: Sendable, Hashable {
    public let name: String
    public let people: Int
  }

  public let peopleCount: Int
  /// Best first.
  public let starts: [RoleCandidate]
  /// Best first.
  public let ends: [RoleCandidate]
  /// In their usual order.
  public let steps: [Step]
  public let variants: [VariantCandidate]
  /// Events with which people come back on later days, most people first.
  public let activities: [RoleCandidate]
  /// Events that a server or the system seems to send.
  public let sentByServer: [String]
  /// Whether the events have FirstMile's own names.
  public let isCanonical: Bool
  /// Whether screens of the app stand for steps, and not events of their own.
  public let hasScreens: Bool
  /// The best guess.
  public let choice: FlowChoice

  let screens: DraftScreens?
  /// Events that are prompts for a permission, or answers to one.
  let permissionParts: [String: String]
  private let evidence: OrderEvidence
  private let canonical: Set<String>

  public init(_ sample: DumpSampler.Sample) { self.init(SampledTimelines(sample.events)) }

  init(_ timelines: SampledTimelines) {
    var counts: [String: Int] = [:]
    for person in timelines.people {
      for event in person { counts[event.event, default: 0] += 1 }
    }
    let canonical = Set(CanonicalNames.events.filter { counts[$0] != nil })
    isCanonical = !canonical.isEmpty
    let hasOwnPages = canonical.contains(DraftScreens.part)
    let screens =
      hasOwnPages ? nil : DraftScreens(counts) ?? Self.searchedScreens(timelines, canonical)
    let permissions = canonical.isEmpty ? DraftNames.permissionParts(timelines) : [:]
    permissionParts = permissions
    let path = hasOwnPages ? "properties.page_name" : nil
    let evidence = OrderEvidence(timelines) { event in
      if NameHint.isLifecycle(event.event), screens?.page(event) == nil { return nil }
      if NameHint.isSentByServer(event.event) || permissions[event.event] != nil { return nil }
      let page =
        event.event == DraftScreens.part
        ? path.flatMap { event.value($0) } : screens?.page(event)
      guard FlowDraft.isName(page ?? event.event) else { return nil }
      return EventKind(event: event.event, page: page)
    }
    let ranking = RoleRanking(evidence, canonical: canonical)
    peopleCount = timelines.people.count
    self.evidence = evidence
    self.canonical = canonical
    self.screens = screens
    starts = ranking.starts
    ends = ranking.ends
    hasScreens = hasOwnPages || screens != nil
    steps = ranking.steps.map { Step(name: $0.name, people: $0.people) }
    let server = ActivitySearch.sentByServer(timelines)
    sentByServer = server
    let setup = Set(evidence.entries.map(\.kind.event)).union(canonical)
    activities = ActivitySearch.find(timelines, without: setup.union(server))
    let hasVariants = timelines.people.contains { $0.contains { !$0.variants.isEmpty } }
    let taken = screens?.path.map { [String($0.dropFirst("properties.".count))] } ?? []
    variants =
      hasVariants
      ? [] : VariantSearch.find(timelines, taken: Set(taken).union(["flow", "flow_version"]))
    var choice = FlowChoice()
    choice.start = ranking.start
    choice.end = ranking.end
    choice.skip = ranking.skip
    if !isCanonical && !ranking.steps.isEmpty { choice.steps = ranking.steps.map(\.name) }
    choice.variant = variants.first { $0.isNamed }
    self.choice = choice
  }

  /// Whether the timelines have anything that looks like an onboarding.
  public var hasOnboarding: Bool {
    isCanonical || (steps.count > 1) || (choice.start != nil && choice.end != nil)
  }

  /// Candidates for the end of an onboarding that begins with an event; best first.
  public func ends(from start: String?) -> [RoleCandidate] {
    RoleRanking(evidence, canonical: canonical, chosenStart: .some(start)).ends
  }

  /// The steps of an onboarding between two events.
  public func steps(from start: String?, to end: String?) -> [Step] {
    RoleRanking(
      evidence, canonical: canonical, chosenStart: .some(start), chosenEnd: .some(end)
    ).steps.map { Step(name: $0.name, people: $0.people) }
  }

  private static func searchedScreens(
    _ timelines: SampledTimelines, _ canonical: Set<String>
  ) -> DraftScreens? {
    guard canonical.isEmpty else { return nil }
    return ScreenSearch.find(timelines).map { DraftScreens(event: $0.event, path: $0.path) }
  }
}
