import FlowDefinition

/// A person's first run through the flow (definitions 5).
struct Attempt {
  enum Outcome: String {
    case finished, skipped, abandoned
  }
  static let pause: Int64 = 1_800_000

  let flow: Flow
  /// All of the person's facts up to the horizon, in order.
  let timeline: [PlacedFact]
  let horizon: Int64
  let entryFact: PlacedFact
  let entry: Int64
  let outcome: Outcome
  /// The outcome instant; `nil` of the abandoned.
  let outcomeTime: Int64?
  /// Everything in the attempt, activity too.
  let facts: [PlacedFact]
  /// The flow's own facts in the attempt.
  let onboarding: [PlacedFact]

  /// `nil` of a person without entry.
  init?(flow: Flow, timeline: [PlacedFact], horizon: Int64) {
    let reader = PageReader(flow: flow)
    let entryFact = timeline.first { placed in
      if placed.kind == .started { return true }
      let list = reader.list(version: placed.fact.version, variants: placed.fact.variants)
      return placed.kind == .viewed && placed.page.step != nil && placed.page.step == list.first
    }
    guard let entryFact else { return nil }
    self.flow = flow
    self.timeline = timeline
    self.horizon = horizon
    self.entryFact = entryFact
    let entry = entryFact.time
    self.entry = entry
    let windowEnd = entry + flow.windowMilliseconds
    let decisive = timeline.first { placed in
      let decides = placed.kind == .completed || (placed.kind == .skipped && flow.skip == .ends)
      return decides && placed.time >= entry && placed.time <= windowEnd
    }
    outcomeTime = decisive?.time
    if let decisive {
      let isSkip = decisive.kind == .skipped || Self.isSkippedCompletion(decisive)
      outcome = isSkip && flow.skip == .ends ? .skipped : .finished
    } else {
      outcome = .abandoned
    }
    let end = outcomeTime ?? windowEnd
    facts = timeline.filter { $0.time >= entry && $0.time <= end }
    onboarding = facts.filter(\.isOnboarding)
  }

  static func isSkippedCompletion(_ placed: PlacedFact) -> Bool {
    placed.kind == .completed && placed.fact.property("completion_method") == "skipped"
  }

  var windowEnd: Int64 { entry + flow.windowMilliseconds }
  var end: Int64 { outcomeTime ?? windowEnd }
  var isFinished: Bool { outcome == .finished }
  var isMature: Bool { windowEnd <= horizon }

  var isImpliedStart: Bool {
    !timeline.contains { $0.kind == .started && $0.time <= entry }
  }

  var isExisting: Bool {
    timeline.contains { $0.time < entry - flow.windowMilliseconds }
  }

  /// The last onboarding fact is a denied permission.
  var endsWithDenial: Bool {
    guard let last = onboarding.last, last.kind == .result else { return false }
    return last.fact.property("status") == "denied"
  }

  var skips: [PlacedFact] { facts.filter { $0.kind == .skipped } }

  var usedSkip: Bool {
    !skips.isEmpty || facts.contains(where: Self.isSkippedCompletion)
  }

  /// Where the first skip was tapped; `nil` is `(unknown)`.
  var firstSkipPage: Int? {
    if let skip = skips.first { return skip.page.step }
    return facts.first(where: Self.isSkippedCompletion)?.page.step
  }

  /// Indices into `onboarding` of the facts where the person came back to the attempt.
  var resumeInstants: [Int] {
    let facts = onboarding
    var instants: [Int] = []
    for (index, placed) in facts.enumerated() {
      let isSecondStart =
        placed.kind == .started && facts[..<index].contains { $0.kind == .started }
      let isLater = index > 0 && placed.time - facts[index - 1].time > Self.pause
      if isSecondStart || isLater || beginsSession(index, of: facts) { instants.append(index) }
    }
    return instants
  }

  private func beginsSession(_ index: Int, of facts: [PlacedFact]) -> Bool {
    guard let own = facts[index].fact.session else { return false }
    let withSession = facts[..<index].filter { $0.fact.session != nil }
    let here = withSession.filter { $0.time == facts[index].time }.map(\.fact.session)
    if here.contains(own) { return false }
    let earlier = withSession.filter { $0.time < facts[index].time }
    guard let last = earlier.last?.time else { return !here.isEmpty }
    return !earlier.contains { $0.time == last && $0.fact.session == own }
  }

  var isResumed: Bool { !resumeInstants.isEmpty }

  var isReplayed: Bool {
    guard let outcomeTime else { return false }
    let later = timeline.filter { placed in
      placed.time > outcomeTime
        && [.started, .viewed, .skipped, .completed].contains(placed.kind)
    }
    // After a skip, completions by skipping are its echo until something else happens.
    return later.contains { outcome != .skipped || !Self.isSkippedCompletion($0) }
  }

  var isCompletedLate: Bool {
    outcome == .abandoned
      && timeline.contains { $0.kind == .completed && $0.time > windowEnd }
  }

  /// `(none)` where nothing names one.
  var version: String {
    if let own = entryFact.fact.version { return own }
    let facts = facts.filter { $0.fact.flow == nil || $0.fact.flow == flow.id }
    return Self.earliest(facts) { $0.version } ?? flow.newestVersion ?? "(none)"
  }

  func dimension(_ dimension: Dimension) -> String {
    let value = { (fact: ReferenceFact) in fact.values[dimension.path] }
    return value(entryFact.fact) ?? Self.earliest(facts, value) ?? "(none)"
  }

  /// The value on the earliest fact that has one; of several at one millisecond the smallest.
  private static func earliest(
    _ facts: [PlacedFact], _ value: (ReferenceFact) -> String?
  ) -> String? {
    let having = facts.filter { value($0.fact) != nil }
    guard let first = having.map(\.time).min() else { return nil }
    return having.filter { $0.time == first }.compactMap { value($0.fact) }
      .min { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
