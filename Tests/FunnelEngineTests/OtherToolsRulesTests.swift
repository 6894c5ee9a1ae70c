import FlowDefinition
import Foundation
import FunnelEngine
import Testing

/// The rules of other tools against their brute twin, in every mode of a funnel and combination of
/// rules; and on timelines that are too long for anything but one pass.
@Suite struct OtherToolsRulesTests {
  /// Every way in which facts may stand in either order, or be shared.
  private static let ties: [(FunnelRules.Ties, Bool)] = [
    (.flow, true), (.interchangeable(within: 0), false), (.interchangeable(within: 0), true),
    (.interchangeable(within: 1), false), (.interchangeable(within: 3), false),
    (.interchangeable(within: 3), true), (.interchangeable(within: 100), false),
  ]

  private static func rules(_ number: Int) -> FunnelRules {
    var rules = FunnelRules()
    (rules.ties, rules.sharesFacts) = ties[number % ties.count]
    let entries: [FunnelRules.Entry] = [.own, .first, .best]
    rules.entry = entries[number / 7 % 3]
    let exclusions: [FunnelRules.Exclusions] = [.own, .remove, .drop, .ignored]
    rules.exclusions = exclusions[number / 21 % 4]
    rules.isPlainSequence = number / 84 % 3 == 0
    rules.onlyMature = number / 252 % 2 == 0
    return rules
  }

  @Test(arguments: FunnelWorlds.Mode.all)
  func `the walk agrees with its definition`(mode: FunnelWorlds.Mode) {
    var worlds = FunnelWorlds(seed: 23)
    var lengths: Set<Int> = []
    var backwards = 0
    for number in 0..<FunnelMatcherTests.worldCount {
      let funnel = worlds.funnel(mode)
      let facts = worlds.timeline(
        steps: funnel.steps.count, exclusions: funnel.exclusions.count)
      let horizon = Int64(8 + worlds.below(40))
      let rules = Self.rules(number)
      let found = FunnelMatcherTests.walk(funnel, rules, facts, horizon: horizon)
      let expected = FunnelMatcherTests.bruteWalk(funnel, rules, facts, horizon: horizon)
      lengths.insert((expected?.times.keys.max() ?? -1) + 1)
      let times = expected?.times.sorted { $0.key < $1.key }.map(\.value) ?? []
      if times != times.sorted() { backwards += 1 }
      guard found == expected else {
        let walks = "\(String(describing: found)), \(String(describing: expected))"
        Issue.record("\(number): \(rules) \(funnel) \(facts): \(walks)")
        return
      }
    }
    #expect(lengths == [0, 1, 2, 3, 4])
    // Random data must meet steps in the other order.
    #expect(mode.order == .any || backwards > 50)
  }

  /// Every timeline of a few facts, at one moment, within the tolerance, at its end, and behind it.
  @Test(arguments: FunnelWorlds.Mode.all.filter { $0.order != .any })
  func `the walk agrees with its definition in every small world`(mode: FunnelWorlds.Mode) {
    let kinds: [(UInt64, UInt64)] = [(1, 0), (2, 0), (3, 0), (5, 0), (0, 1), (4, 2), (0, 0)]
    let gaps: [Int64] = [0, 1, 2, 3]
    let event = EventPattern(event: "any")
    let funnel = CustomFunnel(
      id: "f", steps: (0..<3).map { FunnelStep(anyOf: [event], isOptional: $0 == 1) },
      windowMilliseconds: 4, windowScope: mode.scope, order: mode.order, entry: .best,
      exclusions: mode.effects.map {
        FunnelExclusion(pattern: event, from: 1, to: $0 == .drop ? 2 : 3, effect: $0)
      })
    let size = ProcessInfo.processInfo.environment["FIRSTMILE_SLOW"] == "1" ? 4 : 3
    var worlds: [[FunnelFact]] = [[]]
    var checked = 0
    for _ in 0..<size {
      worlds = FunnelWorlds.longer(worlds, kinds: kinds, gaps: gaps)
    }
    for (ties, isShared) in [
      (FunnelRules.Ties.flow, true), (.interchangeable(within: 0), false),
      (.interchangeable(within: 2), false),
    ] {
      var rules = FunnelRules()
      (rules.ties, rules.sharesFacts) = (ties, isShared)
      for facts in worlds {
        let found = FunnelMatcherTests.walk(funnel, rules, facts, horizon: 100)
        let expected = FunnelMatcherTests.bruteWalk(funnel, rules, facts, horizon: 100)
        checked += 1
        guard found == expected else {
          let walks = "\(String(describing: found)), \(String(describing: expected))"
          Issue.record("\(rules) \(funnel) \(facts): \(walks)")
          return
        }
      }
    }
    #expect(checked > 15_000)
  }

  /// PostHog's `test_events_same_timestamp_no_exclusions`: ten events of one moment, none of them
  /// merged, are ten steps in whatever order they come.
  @Test func `ten events of one moment are the ten steps of a PostHog test`() {
    let event = EventPattern(event: "any")
    let funnel = CustomFunnel(
      id: "f", steps: (0..<10).map { _ in FunnelStep(anyOf: [event]) }, windowMilliseconds: 1)
    // One and ten; two, three and seven; four, five and eight; six and nine.
    let (one, two, four, six): (UInt64, UInt64, UInt64, UInt64) = (0x201, 0x46, 0x98, 0x120)
    var events = [one, two, two, four, four, six, two, four, six, one]
    for missing in [nil, 4] {
      if let missing { events.remove(at: missing) }
      let facts = events.enumerated().map { FunnelFact(time: 7, steps: $1, index: $0) }
      let walk = FunnelMatcherTests.walk(funnel, FunnelTool.posthog.rules, facts, horizon: 0)
      // Without one of the third kind the eighth step has no event left.
      #expect(walk?.times.count == (missing == nil ? 10 : 7))
    }
  }

  /// `allow_reentry` needs `strict_order`, in ClickHouse as well.
  private static let modes = (0..<32).filter { $0 & 16 == 0 || $0 & 1 != 0 }

  @Test(arguments: Self.modes)
  func `windowFunnel agrees with its definition`(modes: Int) {
    var rules = FunnelTool.clickhouse.rules
    rules.modes = FunnelRules.Modes(rawValue: modes)
    var worlds = FunnelWorlds(seed: 11)
    var lengths: Set<Int> = []
    for number in 0..<FunnelMatcherTests.worldCount {
      var funnel = worlds.funnel(FunnelWorlds.Mode(order: .ordered, scope: .whole, effects: []))
      for step in funnel.steps.indices { funnel.steps[step].isOptional = false }
      let facts = worlds.timeline(steps: funnel.steps.count, exclusions: 0)
      let found = FunnelMatcherTests.walk(funnel, rules, facts, horizon: 100)?.times.count ?? 0
      let expected = BruteFunnel(funnel: funnel, rules: rules, horizon: 100, facts: facts)
        .windowFunnel()
      lengths.insert(found)
      guard found == expected else {
        Issue.record("\(number): \(funnel) \(facts): \(found), \(expected)")
        return
      }
    }
    // All steps without any of them twice are rare.
    #expect(lengths.isSuperset(of: [0, 1, 2, 3]))
  }

  /// The first step without an end, and a second one that is never there: every entry's walk looks
  /// for it, at one moment or over a long time.
  @Test(arguments: [0, 1, 2000], [0, 1, 7])
  func `a long timeline takes one pass`(tolerance: Int64, gap: Int64) {
    let count = 100_000
    let event = EventPattern(event: "any")
    for order in [CustomFunnel.Order.ordered, .strict] {
      let funnel = CustomFunnel(
        id: "f", steps: (0..<4).map { _ in FunnelStep(anyOf: [event]) },
        windowMilliseconds: 1_000_000, order: order, entry: .best,
        exclusions: [FunnelExclusion(pattern: event, from: 2, to: 3, effect: .drop)])
      var rules = FunnelRules()
      rules.ties = .interchangeable(within: tolerance)
      var facts = (0..<count).map { FunnelFact(time: Int64($0) * gap, steps: 3, index: $0) }
      facts[count / 2].exclusions = 1
      let walk = FunnelMatcherTests.walk(funnel, rules, facts, horizon: .max)
      #expect(walk?.times.count == 2)
      #expect(walk?.entry == 0)
    }
  }

  @Test(arguments: [8, 8 | 4, 8 | 1 | 16])
  func `strict_once takes one pass over a long timeline`(modes: Int) {
    let event = EventPattern(event: "any")
    let funnel = CustomFunnel(
      id: "f", steps: (0..<4).map { _ in FunnelStep(anyOf: [event]) }, windowMilliseconds: 50_000)
    var rules = FunnelTool.clickhouse.rules
    rules.modes = FunnelRules.Modes(rawValue: modes)
    for gap in [Int64(0), 1] {
      let facts = (0..<100_000).map {
        FunnelFact(time: Int64($0) * gap, steps: $0 % 2 == 0 ? 3 : 7, index: $0)
      }
      let walk = FunnelMatcherTests.walk(funnel, rules, facts, horizon: .max)
      // With strict_deduplication the second step comes again before the third is reached.
      #expect(walk?.times.count == (modes & 4 != 0 ? 2 : 3))
    }
  }
}
