internal import FlowDefinition

/// A funnel's rules as tables by state. The state of a walk is the index of the furthest step that
/// it has reached; in a funnel of any order, how many steps it has reached, less one.
struct FunnelStates: Sendable {
  let order: CustomFunnel.Order
  let window: Int64
  /// The window begins anew at each step.
  let isPerStep: Bool
  /// The last state: nothing is left to reach.
  let last: Int
  /// All steps, and those that an entry can be, one bit each.
  let steps: UInt64
  let entrySteps: UInt64
  /// The steps that may come next, one bit each: those up to the first that is not optional.
  let following: [UInt64]
  /// The exclusions that take the entry out, and those that end its walk, one bit each.
  let removing: [UInt64]
  let dropping: [UInt64]

  init(_ funnel: CustomFunnel) {
    let count = funnel.steps.count
    order = funnel.order
    window = funnel.windowMilliseconds
    isPerStep = funnel.windowScope == .step
    last = count - 1
    steps = count >= 64 ? UInt64.max : (1 << UInt64(count)) - 1
    entrySteps = funnel.order == .any ? steps : steps & 1
    following = (0..<count).map { state in
      var steps: UInt64 = 0
      for step in (state + 1)..<max(count, state + 1) {
        steps |= 1 << UInt64(step)
        if !funnel.steps[step].isOptional { break }
      }
      return steps
    }
    func holding(_ effect: FunnelExclusion.Effect, in state: Int) -> UInt64 {
      funnel.exclusions.enumerated().reduce(0) { bits, exclusion in
        let (index, rule) = exclusion
        let holds = rule.effect == effect && rule.from <= state + 1 && state + 1 < rule.to
        return holds ? bits | 1 << UInt64(index) : bits
      }
    }
    removing = (0..<count).map { holding(.remove, in: $0) }
    dropping = (0..<count).map { holding(.drop, in: $0) }
  }

  /// The last moment of a window that begins at some moment.
  func deadline(from time: Int64) -> Int64 { FunnelStates.sum(time, window) }

  /// A sum that stays below `.max`, which means never.
  static func sum(_ left: Int64, _ right: Int64) -> Int64 {
    let (sum, overflows) = left.addingReportingOverflow(right)
    return overflows ? .max - 1 : min(sum, .max - 1)
  }
}
