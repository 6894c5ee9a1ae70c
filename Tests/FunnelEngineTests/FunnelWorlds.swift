import FlowDefinition
import FunnelEngine
import Testing

/// Small funnels and timelines that meet every rule often: ties, facts that can be two steps, facts
/// that are a step and meet an exclusion, windows that end at a fact.
struct FunnelWorlds {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func below(_ bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state >> 11) % bound
  }

  /// What a funnel is drawn for.
  struct Mode: Sendable, CustomTestStringConvertible {
    var order: CustomFunnel.Order
    var scope: CustomFunnel.WindowScope
    var effects: [FunnelExclusion.Effect]

    var testDescription: String {
      "\(order) per \(scope), exclusions: \(effects.map(\.rawValue))"
    }

    static let all = CustomFunnel.Order.allCases.flatMap { order in
      CustomFunnel.WindowScope.allCases.flatMap { scope in
        [[], [.remove], [.drop], [.drop, .remove]].map {
          Mode(order: order, scope: scope, effects: $0)
        }
      }
    }
  }

  /// A timeline of up to 8 facts; few moments, so that ties are frequent.
  mutating func timeline(steps: Int, exclusions: Int) -> [FunnelFact] {
    let count = 1 + below(8)
    let span = 4 + below(14)
    let times = (0..<count).map { _ in Int64(below(span)) }.sorted()
    return times.enumerated().map { index, time in
      // One kind of fact more than there are steps: one that is none.
      let kind = below(steps + 1)
      var fact = FunnelFact(time: time, steps: kind < steps ? 1 << UInt64(kind) : 0, index: index)
      if below(5) == 0 { fact.steps |= 1 << UInt64(below(steps)) }
      if exclusions > 0, below(3) == 0 { fact.exclusions = 1 << UInt64(below(exclusions)) }
      if exclusions > 1, below(12) == 0 { fact.exclusions |= 1 << UInt64(below(exclusions)) }
      return fact
    }
  }

  mutating func funnel(_ mode: Mode) -> CustomFunnel {
    let count = 1 + below(4)
    let event = EventPattern(event: "any")
    var funnel = CustomFunnel(
      id: "f",
      steps: (0..<count).map {
        FunnelStep(anyOf: [event], isOptional: $0 > 0 && below(4) == 0)
      }, windowMilliseconds: Int64(1 + below(9)), windowScope: mode.scope,
      order: mode.order, entry: below(3) == 0 ? .first : .best)
    guard count > 1 else { return funnel }
    funnel.exclusions = mode.effects.map { effect in
      let from = 1 + below(count - 1)
      return FunnelExclusion(
        pattern: event, from: from, to: from + 1 + below(count - from), effect: effect)
    }
    return funnel
  }

  /// Each timeline with one fact more: of every kind (its steps and exclusions), every gap after
  /// the last.
  static func longer(
    _ worlds: [[FunnelFact]], kinds: [(UInt64, UInt64)], gaps: [Int64]
  ) -> [[FunnelFact]] {
    worlds.flatMap { world in
      kinds.flatMap { kind in
        (world.isEmpty ? [0] : gaps).map { gap in
          world + [
            FunnelFact(
              time: (world.last?.time ?? 0) + gap, steps: kind.0, exclusions: kind.1,
              index: world.count)
          ]
        }
      }
    }
  }
}
