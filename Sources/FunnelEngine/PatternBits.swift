internal import FlowDefinition

/// Which bit of `CompiledAction.patterns` stands for which pattern of a flow.
///
/// The order is that of `Flow.eventPatterns`.
struct PatternBits: Sendable {
  var goals: [UInt64] = []
  var goalAnchors: [UInt64] = []
  var friction: [UInt64] = []
  var retention: [UInt64] = []
  var retentionAnchors: [UInt64] = []
  /// For each funnel and step, the bits of the events that will do.
  var funnelSteps: [[UInt64]] = []
  var funnelExclusions: [[UInt64]] = []

  init(_ flow: Flow) {
    var next: UInt64 = 1
    func take() -> UInt64 {
      defer { next <<= 1 }
      return next
    }
    func take(_ anchor: Anchor) -> UInt64 {
      if case .event = anchor { return take() }
      return 0
    }
    for goal in flow.goals {
      goals.append(take())
      goalAnchors.append(take(goal.anchor))
    }
    for _ in flow.friction { friction.append(take()) }
    for measure in flow.retention {
      retention.append(measure.pattern == nil ? 0 : take())
      retentionAnchors.append(take(measure.anchor))
    }
    for funnel in flow.funnels {
      funnelSteps.append(funnel.steps.map { $0.anyOf.reduce(0) { bits, _ in bits | take() } })
      funnelExclusions.append(funnel.exclusions.map { _ in take() })
    }
  }
}
