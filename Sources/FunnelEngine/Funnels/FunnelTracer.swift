public import FlowDefinition

/// When a person reached each step of a funnel.
public struct FunnelPath: Sendable, Hashable {
  /// The index of the entry in the walk.
  public var entry: Int
  /// By step; nil where it was not reached.
  public var times: [Int64?]

  /// The number of the furthest step.
  public var length: Int { (times.lastIndex { $0 != nil } ?? -1) + 1 }
  public var stepCount: Int { times.count { $0 != nil } }
}

/// One funnel over one person's facts, by any tool's rules; `FunnelEvaluator` is the report's own.
///
///     facts ─► those up to the horizon, ties in the tool's order ─► entries ─► the walk from each
public struct FunnelTracer: Sendable {
  let funnel: CustomFunnel
  let rules: FunnelRules
  let steps: [UInt64]
  let exclusions: [UInt64]
  let horizon: Int64
  /// Only entries in these times; all where nil.
  public var entryTimes: Range<Int64>?

  /// - Parameters:
  ///   - steps: which bits of a fact's patterns make each step, any one of them.
  ///   - exclusions: the same for each exclusion.
  ///   - horizon: the moment up to which the data is complete, in milliseconds since 1970.
  public init(
    funnel: CustomFunnel, rules: FunnelRules, steps: [UInt64], exclusions: [UInt64],
    horizon: Int64
  ) {
    self.funnel = funnel
    self.rules = rules
    self.steps = steps
    self.exclusions = exclusions
    self.horizon = horizon
  }

  /// A fact as a funnel sees it.
  public struct Item: Sendable, Hashable {
    public var time: Int64
    public var patterns: UInt64
    /// Its place in the person's walk.
    public var index: Int

    public init(time: Int64, patterns: UInt64, index: Int) {
      self.time = time
      self.patterns = patterns
      self.index = index
    }
  }

  private var takesFirst: Bool {
    switch rules.entry {
    case .own: funnel.entry == .first
    case .first: true
    case .best: false
    }
  }

  private var span: Int64 {
    let windows = funnel.windowScope == .whole ? 1 : max(1, funnel.steps.count - 1)
    return funnel.windowMilliseconds * Int64(windows)
  }

  /// The person's path, and whether they have an entry that is only not yet mature.
  public func trace(_ facts: [Item]) -> (path: FunnelPath?, isImmature: Bool) {
    let items = rules.ties == .steps ? ordered(facts) : facts
    if rules.walk == .windowFunnel {
      return (WindowFunnel(self).path(items), false)
    }
    let entryBits = funnel.order == .any ? steps.reduce(0, |) : steps.first ?? 0
    let followers = self.followers(items)
    var best: FunnelPath?
    var isImmature = false
    for (place, item) in items.enumerated() where item.patterns & entryBits != 0 {
      if let entryTimes, !entryTimes.contains(item.time) { continue }
      if rules.onlyMature && item.time + span > horizon {
        isImmature = true
        continue
      }
      let path = funnel.order == .any ? unordered(items, place) : walk(items, place, followers)
      if let path, isFarther(path, best) { best = path }
      if takesFirst || best?.stepCount == steps.count { break }
    }
    return (best, best == nil && isImmature)
  }

  private func isFarther(_ path: FunnelPath, _ other: FunnelPath?) -> Bool {
    guard let other else { return true }
    return path.length != other.length
      ? path.length > other.length : path.stepCount > other.stepCount
  }

  /// Facts of one moment by the first step that they are; those that are none come last.
  private func ordered(_ facts: [Item]) -> [Item] {
    facts.enumerated().sorted { left, right in
      if left.element.time != right.element.time { return left.element.time < right.element.time }
      let places = (firstStep(left.element), firstStep(right.element))
      return places.0 != places.1 ? places.0 < places.1 : left.offset < right.offset
    }.map(\.element)
  }

  private func firstStep(_ item: Item) -> Int {
    steps.firstIndex { $0 & item.patterns != 0 } ?? steps.count
  }

  /// The items that can move a walk on or end it, where every entry is walked from.
  private func followers(_ items: [Item]) -> [Int]? {
    guard !takesFirst, funnel.order == .ordered else { return nil }
    let wanted = (steps.dropFirst() + exclusions).reduce(0, |)
    return items.indices.filter { items[$0].patterns & wanted != 0 }
  }

  private func walk(_ items: [Item], _ place: Int, _ followers: [Int]?) -> FunnelPath? {
    guard let followers else { return walk(items, place, through: (place + 1)..<items.count) }
    let first = followers.partitioningIndex { $0 > place }
    return walk(items, place, through: followers[first...])
  }

  @inline(__always)
  private func walk(
    _ items: [Item], _ place: Int, through places: some Sequence<Int>
  ) -> FunnelPath? {
    var path = FunnelPath(
      entry: items[place].index, times: Array(repeating: nil, count: steps.count))
    path.times[0] = items[place].time
    var current = 0
    var windowStart = items[place].time
    for later in places {
      let item = items[later]
      guard current + 1 < steps.count, item.time <= windowStart + funnel.windowMilliseconds else {
        break
      }
      if let next = next(after: current, item) {
        current = next
        path.times[next] = item.time
        if funnel.windowScope == .step { windowStart = item.time }
      } else if let effect = exclusion(item, after: current + 1) {
        if effect == .remove { return nil }
        break
      } else if funnel.order == .strict {
        break
      }
    }
    return path
  }

  /// The next step that a fact is, optional ones before it passed over.
  private func next(after current: Int, _ item: Item) -> Int? {
    for step in (current + 1)..<steps.count {
      if item.patterns & steps[step] != 0 { return step }
      if !funnel.steps[step].isOptional { return nil }
    }
    return nil
  }

  private func exclusion(_ item: Item, after step: Int) -> FunnelExclusion.Effect? {
    for (bits, exclusion) in zip(exclusions, funnel.exclusions)
    where exclusion.from <= step && step < exclusion.to && item.patterns & bits != 0 {
      return exclusion.effect
    }
    return nil
  }

  /// In any order: the times are those at which one step more could be told apart.
  private func unordered(_ items: [Item], _ place: Int) -> FunnelPath? {
    var matching = StepMatching(steps: steps)
    var path = FunnelPath(
      entry: items[place].index, times: Array(repeating: nil, count: steps.count))
    var windowStart = items[place].time
    for item in items[place...] {
      guard item.time <= windowStart + funnel.windowMilliseconds else { break }
      if matching.take(item.patterns) {
        path.times[matching.count - 1] = item.time
        if funnel.windowScope == .step { windowStart = item.time }
      } else if let effect = exclusion(item, after: matching.count) {
        if effect == .remove { return nil }
        break
      }
    }
    return path
  }
}
