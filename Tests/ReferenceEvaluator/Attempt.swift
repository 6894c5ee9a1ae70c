import FlowDefinition

/// One run of a person through the flow (definitions 5).
struct Attempt {
  enum Outcome: String {
    case finished, skipped, abandoned
    case finishedAfterSkipping = "finished_after_skipping"
  }
  static let pause: Int64 = 1_800_000
  /// A completion that comes so soon after a skip only repeats it.
  static let echo: Int64 = 2000

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

  /// The entry of the person's next attempt; `nil` of their last.
  let next: Int64?
  /// The person's attempts before this one.
  let earlier: [Attempt]

  /// All attempts of a person, in order; none of a person without entry.
  static func all(flow: Flow, timeline: [PlacedFact], horizon: Int64) -> [Attempt] {
    let entries = entries(flow: flow, timeline: timeline)
    var attempts: [Attempt] = []
    for (index, entry) in entries.enumerated() {
      let next = index + 1 < entries.count ? entries[index + 1].time : nil
      attempts.append(
        Attempt(
          entry, next: next, after: attempts, flow: flow, timeline: timeline, horizon: horizon))
    }
    return attempts
  }

  /// The facts that begin an attempt.
  private static func entries(flow: Flow, timeline: [PlacedFact]) -> [PlacedFact] {
    let reader = PageReader(flow: flow)
    var entries: [PlacedFact] = []
    for placed in timeline {
      let list = reader.list(version: placed.fact.version, variants: placed.fact.variants)
      let isFirstView =
        placed.kind == .viewed && placed.page.step != nil && placed.page.step == list.first
      let isStart = flow.entry.map(placed.fact.matches) ?? (placed.kind == .started || isFirstView)
      guard isStart else { continue }
      if let last = entries.last {
        guard let gap = flow.newAttemptAfterMilliseconds,
          placed.time > last.time + flow.windowMilliseconds
        else { continue }
        // So long ago that it is no attempt any more.
        let isForgotten = flow.historyMilliseconds.map { last.time < placed.time - $0 } ?? false
        let hasOnboarding = timeline.contains { other in
          other.isOnboarding && other.time < placed.time && other.time >= placed.time - gap
        }
        if hasOnboarding && !isForgotten { continue }
      }
      entries.append(placed)
    }
    return entries
  }

  private init(
    _ entryFact: PlacedFact, next: Int64?, after earlier: [Attempt], flow: Flow,
    timeline: [PlacedFact], horizon: Int64
  ) {
    self.next = next
    self.earlier = earlier
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
    let isSkip = decisive.map(Self.isSkip) ?? false
    if let decisive, isSkip, flow.skip == .ends {
      let window = timeline.filter { $0.time >= entry && $0.time <= windowEnd }
      let finish = window.first { $0 > decisive && Self.isFinish($0, in: window) }
      outcome = finish == nil ? .skipped : .finishedAfterSkipping
      outcomeTime = finish?.time ?? decisive.time
    } else {
      outcome = decisive == nil ? .abandoned : .finished
      outcomeTime = decisive?.time
    }
    let end = outcomeTime ?? windowEnd
    facts = timeline.filter { $0.time >= entry && $0.time <= end }
    // What differs in nothing but the events' own ids is one (definitions 5.5).
    var seen: Set<ReferenceFact> = []
    onboarding = facts.filter { placed in
      var fact = placed.fact
      fact.message = nil
      return placed.isOnboarding && seen.insert(fact).inserted
    }
  }

  private static func isSkip(_ placed: PlacedFact) -> Bool {
    placed.kind == .skipped || isSkippedCompletion(placed)
  }

  /// A completion of another kind than by skipping, with no skip in the seconds before it.
  private static func isFinish(_ placed: PlacedFact, in window: [PlacedFact]) -> Bool {
    placed.kind == .completed && !isSkippedCompletion(placed)
      && !window.contains { isSkip($0) && $0 < placed && placed.time - $0.time <= echo }
  }

  static func isSkippedCompletion(_ placed: PlacedFact) -> Bool {
    placed.kind == .completed && placed.fact.property("completion_method") == "skipped"
  }

  var windowEnd: Int64 { entry + flow.windowMilliseconds }
  /// How long before the entry a fact still belongs to it (definitions 5.2).
  var lead: Int64 { max(flow.windowMilliseconds, 86_400_000) }
  var end: Int64 { outcomeTime ?? windowEnd }
  var isFinished: Bool { outcome == .finished || outcome == .finishedAfterSkipping }
  var isMature: Bool { windowEnd <= horizon }

  var isImpliedStart: Bool {
    flow.entry == nil && !timeline.contains { $0.kind == .started && $0.time == entry }
  }

  /// Finished, skipped or completed late: the person had seen the end of the onboarding.
  var isDecided: Bool { outcome != .abandoned || isCompletedLate }

  /// There before t0 − window (definitions 5.2).
  var isExisting: Bool {
    let since = flow.historyMilliseconds.map { entry - $0 } ?? .min
    let earlier = earlier.filter { $0.entry >= since }
    if earlier.contains(where: \.isDecided) { return true }
    return timeline.contains { placed in
      guard placed.time >= since, placed.time < entry - lead else {
        return false
      }
      if earlier.contains(where: { $0.entry <= placed.time && placed.time <= $0.end }) {
        return false
      }
      return placed.isOnboarding || !flow.notActivity.contains(placed.fact.name)
    }
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

  /// Skips and completions by skipping whose page is a number that is not the place of the page
  /// viewed last.
  func skipContradictions(_ list: [Int]) -> Int {
    onboarding.enumerated().count { index, placed in
      let isSkip =
        placed.kind == .completed && placed.fact.property("completion_method") == "skipped"
      guard placed.kind == .skipped || isSkip else { return false }
      let views = onboarding[..<index].filter { $0.kind == .viewed }.compactMap(\.page.step)
      guard let last = views.last(where: list.contains) else { return false }
      let page = placed.fact.property("skipped_at_page")
      if let page, PageReader(flow: flow).step(page) != nil { return false }
      let number = (page ?? placed.fact.property("skipped_at_index")).flatMap(Spelling.number)
      guard let number else { return false }
      return list.firstIndex(of: last) != number - (page == nil ? 0 : flow.skipsCountFrom)
    }
  }

  /// Whether the first step of a list viewed from the first resume on is the last one viewed
  /// before; `nil` without both.
  func resumedInPlace(_ list: [Int]) -> Bool? {
    guard let first = resumeInstants.first.map({ onboarding[$0].time }) else { return nil }
    func views(_ facts: [PlacedFact]) -> [Int] {
      facts.filter { $0.kind == .viewed }.compactMap(\.page.step).filter(list.contains)
    }
    guard let left = views(onboarding.filter { $0.time < first }).last,
      let back = views(onboarding.filter { $0.time >= first }).first
    else { return nil }
    return left == back
  }

  var isResumed: Bool { !resumeInstants.isEmpty }

  var isReplayed: Bool {
    guard let outcomeTime else { return false }
    let later = timeline.filter { placed in
      placed.time > outcomeTime && placed.time < next ?? .max
        && [.started, .viewed, .skipped, .completed].contains(placed.kind)
    }
    // After a skip, completions by skipping are its echo, and so is any that comes at once.
    return later.contains { placed in
      let isEcho =
        Self.isSkippedCompletion(placed)
        || (placed.kind == .completed && placed.time - outcomeTime <= Self.echo)
      return outcome != .skipped || !isEcho
    }
  }

  var isCompletedLate: Bool {
    outcome == .abandoned
      && timeline.contains {
        $0.kind == .completed && $0.time > windowEnd && $0.time < next ?? .max
      }
  }

  /// `(none)` where nothing names one.
  var version: String {
    if let own = entryFact.fact.version { return own }
    let facts = facts.filter { $0.fact.flow == nil || $0.fact.flow == flow.id }
    return Self.earliest(facts) { $0.version } ?? flow.newestVersion ?? "(none)"
  }

  func dimension(_ dimension: Dimension) -> String {
    let value = { (fact: ReferenceFact) in fact.values[dimension.path] }
    if let own = value(entryFact.fact) { return own }
    if dimension.isKnownLater {
      let later = dimension.laterWithinMilliseconds.map { within in
        timeline.filter { $0.time >= entry && $0.time <= entry + within }
      }
      return Self.earliest(later ?? facts, value) ?? "(none)"
    }
    let known = timeline.filter { placed in
      placed.time >= entry - lead && placed.time <= entry
        && value(placed.fact) != nil
    }
    guard let latest = known.map(\.time).max() else { return "(none)" }
    return Self.earliest(known.filter { $0.time == latest }, value) ?? "(none)"
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
