import FlowDefinition
import Foundation
import FunnelEngine
import Testing

/// The matcher against its brute twin, on random and on all small timelines, in every mode; and on
/// timelines that are too long for anything but one pass.
@Suite struct FunnelMatcherTests {
  /// For each mode; more with FIRSTMILE_SLOW=1.
  static var worldCount: Int {
    ProcessInfo.processInfo.environment["FIRSTMILE_SLOW"] == "1" ? 200_000 : 2500
  }

  /// The walk as the matcher finds it.
  static func walk(
    _ funnel: CustomFunnel, _ rules: FunnelRules, _ facts: [FunnelFact], horizon: Int64
  ) -> BruteFunnel.Walk? {
    var matcher = FunnelMatcher(funnel, rules: rules, horizon: horizon)
    var path = FunnelPath(steps: funnel.steps.count)
    guard matcher.match(facts, into: &path) == .entered else { return nil }
    let times = path.times.enumerated().compactMap { step, time in time.map { (step, $0) } }
    return BruteFunnel.Walk(
      entry: path.entry, times: Dictionary(uniqueKeysWithValues: times))
  }

  static func bruteWalk(
    _ funnel: CustomFunnel, _ rules: FunnelRules, _ facts: [FunnelFact], horizon: Int64
  ) -> BruteFunnel.Walk? {
    BruteFunnel(funnel: funnel, rules: rules, horizon: horizon, facts: facts).walk()
  }

  @Test(arguments: FunnelWorlds.Mode.all)
  func `the walk agrees with its definition`(mode: FunnelWorlds.Mode) {
    var worlds = FunnelWorlds(seed: 7)
    var lengths: Set<Int> = []
    for number in 0..<Self.worldCount {
      let funnel = worlds.funnel(mode)
      let facts = worlds.timeline(
        steps: funnel.steps.count, exclusions: funnel.exclusions.count)
      let horizon = Int64(8 + worlds.below(40))
      let found = Self.walk(funnel, FunnelRules(), facts, horizon: horizon)
      let expected = Self.bruteWalk(funnel, FunnelRules(), facts, horizon: horizon)
      lengths.insert((expected?.times.keys.max() ?? -1) + 1)
      guard found == expected else {
        let walks = "\(String(describing: found)), \(String(describing: expected))"
        Issue.record("\(number): \(funnel) \(facts): \(walks)")
        return
      }
      // A report writes down less of the same walk.
      var matcher = FunnelMatcher(funnel, horizon: horizon)
      var reach = FunnelReach()
      _ = matcher.match(facts, into: &reach)
      #expect(reach.furthest == (expected?.times.keys.max() ?? -1) + 1)
    }
    #expect(lengths == [0, 1, 2, 3, 4])
  }

  /// Every timeline of a few facts: first step, second step, both, an exclusion, the second step
  /// that is an exclusion, another fact; at the same moment, within the window, at its end, behind
  /// it.
  @Test(arguments: FunnelWorlds.Mode.all)
  func `the walk agrees with its definition in every small world`(mode: FunnelWorlds.Mode) {
    let kinds: [(UInt64, UInt64)] = [(1, 0), (2, 0), (3, 0), (0, 1), (2, 1), (4, 2), (0, 0)]
    let gaps: [Int64] = [0, 2, 3]
    let event = EventPattern(event: "any")
    let size = ProcessInfo.processInfo.environment["FIRSTMILE_SLOW"] == "1" ? 4 : 3
    var worlds: [[FunnelFact]] = [[]]
    var checked = 0
    for _ in 0..<size {
      worlds = FunnelWorlds.longer(worlds, kinds: kinds, gaps: gaps)
      for optional in [false, true] {
        let funnel = CustomFunnel(
          id: "f",
          steps: (0..<3).map { FunnelStep(anyOf: [event], isOptional: optional && $0 == 1) },
          windowMilliseconds: 3, windowScope: mode.scope, order: mode.order, entry: .best,
          exclusions: mode.effects.map {
            FunnelExclusion(pattern: event, from: 1, to: $0 == .drop ? 2 : 3, effect: $0)
          })
        for facts in worlds {
          let found = Self.walk(funnel, FunnelRules(), facts, horizon: 100)
          let expected = Self.bruteWalk(funnel, FunnelRules(), facts, horizon: 100)
          checked += 1
          guard found == expected else {
            let walks = "\(String(describing: found)), \(String(describing: expected))"
            Issue.record("\(funnel) \(facts): \(walks)")
            return
          }
        }
      }
    }
    #expect(checked > 6000)
  }

  @Test func `with the best entry it agrees with windowFunnel where a fact is one step`() {
    var worlds = FunnelWorlds(seed: 77)
    var own = FunnelRules()
    own.onlyMature = false
    for number in 0..<Self.worldCount {
      var funnel = worlds.funnel(FunnelWorlds.Mode(order: .ordered, scope: .whole, effects: []))
      for step in funnel.steps.indices { funnel.steps[step].isOptional = false }
      funnel.entry = .best
      let facts = worlds.timeline(steps: funnel.steps.count, exclusions: 0).enumerated().map {
        FunnelFact(
          time: $1.time * 8 + Int64($0), steps: $1.steps & ~($1.steps &- 1), index: $0)
      }
      funnel.windowMilliseconds *= 8
      let lengths = [own, FunnelTool.clickhouse.rules].map {
        Self.walk(funnel, $0, facts, horizon: 1000)?.times.count ?? 0
      }
      guard lengths[0] == lengths[1] else {
        Issue.record("\(number): \(funnel) \(facts): \(lengths)")
        return
      }
    }
  }

  /// One person whose facts make every walk long: with a walk for each entry, each of these would
  /// look at 5,000,000,000 facts and more.
  @Test(arguments: FunnelWorlds.Mode.all)
  func `a long timeline of facts that lead nowhere takes one pass`(mode: FunnelWorlds.Mode) {
    let count = 100_000
    let event = EventPattern(event: "any")
    for isOptional in [false, true] {
      let funnel = CustomFunnel(
        id: "f",
        // A > A > rare > rarer, the third may be left out
        steps: (0..<4).map { FunnelStep(anyOf: [event], isOptional: isOptional && $0 == 2) },
        windowMilliseconds: 1_000_000, windowScope: mode.scope, order: mode.order, entry: .best,
        exclusions: mode.effects.map {
          FunnelExclusion(pattern: event, from: 3, to: 4, effect: $0)
        })
      var facts = (0..<count).map { FunnelFact(time: Int64($0), steps: 3, index: $0) }
      facts[count - 1].steps = 4
      facts[count / 2].exclusions = 3
      let walk = Self.walk(funnel, FunnelRules(), facts, horizon: .max)
      // In order: some A, the A after it, and the rare one; strict only the last two of them.
      let start = mode.order == .strict ? count - 3 : 0
      let times = [start, start + 1, count - 1].enumerated().map { ($0, Int64($1)) }
      #expect(walk?.entry == start)
      #expect(walk?.times == Dictionary(uniqueKeysWithValues: times))
    }
  }

  /// A fact that can be any step, and exclusions at every step: what costs a sweep the most.
  @Test(arguments: FunnelWorlds.Mode.all)
  func `a long timeline for a funnel of many steps takes one pass`(mode: FunnelWorlds.Mode) {
    let (count, steps) = (10_000, 40)
    let event = EventPattern(event: "any")
    let funnel = CustomFunnel(
      id: "f", steps: (0..<steps).map { _ in FunnelStep(anyOf: [event]) },
      windowMilliseconds: Int64(count / 2), windowScope: mode.scope, order: mode.order,
      entry: .best,
      exclusions: mode.effects.map {
        FunnelExclusion(pattern: event, from: 1, to: steps, effect: $0)
      })
    // The last step is never there; every hundredth fact, the last one too, can be the first only.
    let facts = (0..<count).map {
      FunnelFact(
        time: Int64($0), steps: $0 % 100 == 99 ? 1 : 1 << 39 - 1, exclusions: 3, index: $0)
    }
    let walk = Self.walk(funnel, FunnelRules(), facts, horizon: .max)
    // Where exclusions remove, only a walk that every fact up to the end is a step of stays in.
    let removes = mode.effects.contains(.remove)
    let length = removes && mode.order != .any ? 1 : 39
    #expect(walk?.times.count == length)
    #expect(walk?.entry == (removes ? count - length : 0))
  }
}
