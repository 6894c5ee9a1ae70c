/// What a flow may have only so many of, as docs/flow-file.md lists it.
public enum FlowLimit: String, Sendable, Hashable, CaseIterable {
  case steps
  case versions
  case experiments
  case variants = "variants of one experiment"
  case permissions
  case dimensions
  case goals
  case anchors = "goals anchored one on the other"
  case friction = "friction events"
  case retention = "retention measures"
  case funnels
  case funnelParts = "steps and exclusions of one funnel"
  case patterns = "distinct events with conditions"
  case marks = "items of 'leave_out'"

  /// How many are allowed.
  public var maximum: Int {
    switch self {
    // A word has a bit for each.
    case .steps, .funnelParts, .marks: 64
    // A goal's fingerprint covers the goals that it is anchored on.
    case .anchors: 64
    // Each is a column of every fact's context.
    case .experiments: 64
    case .dimensions: 256
    // Any two of them are counted together.
    case .permissions: 64
    // Each may have a list of its own, and lists are numbered in 15 bits.
    case .versions: 1024
    case .variants: 256
    case .goals, .friction, .retention, .funnels, .patterns: 4096
    }
  }

  /// That there are too many, in words.
  func excess(_ count: Int) -> String {
    "\(count) \(rawValue); at most \(maximum) are allowed"
  }

  /// How many a flow has: of what is counted for each part, the largest.
  public func count(in flow: Flow) -> Int {
    switch self {
    case .steps: flow.steps.count
    case .versions: flow.versions.count
    case .experiments: flow.experiments.count
    case .variants: flow.experiments.map(\.variants.count).max() ?? 0
    case .permissions: flow.permissions.count
    case .dimensions: flow.dimensions.count
    case .goals: flow.goals.count
    case .anchors: flow.goals.indices.map { flow.goalsInChain(from: $0) }.max() ?? 0
    case .friction: flow.friction.count
    case .retention: flow.retention.count
    case .funnels: flow.funnels.count
    case .funnelParts: flow.funnels.map { $0.steps.count + $0.exclusions.count }.max() ?? 0
    case .patterns: flow.eventPatterns.count
    case .marks: flow.leaveOut.marks.count
    }
  }
}

/// A flow that has more of something than can be evaluated.
public struct FlowLimitError: Error, Hashable, CustomStringConvertible {
  /// The flow's id.
  public var flow: String
  /// What there is too much of.
  public var limit: FlowLimit
  /// How many the flow has.
  public var count: Int

  /// The flow has `count` of what `limit` allows fewer of.
  public init(flow: String, limit: FlowLimit, count: Int) {
    self.flow = flow
    self.limit = limit
    self.count = count
  }

  /// Which flow has how many of what, and how many are allowed.
  public var description: String {
    "flow '\(flow)' has \(limit.excess(count))"
  }
}

extension Flow {
  /// A goal and those that it is anchored on, one behind the other; 0 for a ring.
  func goalsInChain(from goal: Int) -> Int {
    var current = goal
    for length in 1...max(1, goals.count) {
      guard goals.indices.contains(current), case .goal(let next) = goals[current].anchor else {
        return length
      }
      current = next
    }
    return 0
  }

  /// Checks that the flow is not larger than what can be evaluated.
  ///
  /// - Throws: `FlowLimitError` for the first limit that is passed.
  public func checkLimits() throws(FlowLimitError) {
    for limit in FlowLimit.allCases {
      let count = limit.count(in: self)
      if count > limit.maximum { throw FlowLimitError(flow: id, limit: limit, count: count) }
    }
  }
}
