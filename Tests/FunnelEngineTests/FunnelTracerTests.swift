import FlowDefinition
import FunnelEngine
import Testing

/// The funnel walk against its brute twin, on random timelines in every mode.
@Suite struct FunnelTracerTests {
  private static let timelineCount = 20_000
  /// A bit for each of four steps, one for an exclusion; bit 5 is some other fact.
  private static let steps: [UInt64] = [1, 2, 4, 8]
  private static let excluded: UInt64 = 16

  struct Mode: Sendable, CustomTestStringConvertible {
    var order: CustomFunnel.Order
    var scope: CustomFunnel.WindowScope
    var effect: FunnelExclusion.Effect?

    var testDescription: String { "\(order) \(scope) \(effect.map(\.rawValue) ?? "plain")" }
  }

  private static let modes = CustomFunnel.Order.allCases.flatMap { order in
    CustomFunnel.WindowScope.allCases.flatMap { scope in
      [nil, .remove, .drop].map { Mode(order: order, scope: scope, effect: $0) }
    }
  }

  private struct Chance {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(bound))
    }
  }

  /// Few moments, so that ties are frequent; some facts are two steps at once.
  private static func timeline(_ chance: inout Chance) -> [FunnelTracer.Item] {
    let count = 1 + chance.below(7)
    let times = (0..<count).map { _ in Int64(chance.below(14)) }.sorted()
    return times.enumerated().map { index, time in
      var patterns: UInt64 = 1 << UInt64(chance.below(6))
      if chance.below(6) == 0 { patterns |= 1 << UInt64(chance.below(5)) }
      return FunnelTracer.Item(time: time, patterns: patterns, index: index)
    }
  }

  private static func funnel(_ mode: Mode, _ chance: inout Chance) -> CustomFunnel {
    let count = 1 + chance.below(4)
    let event = EventPattern(event: "any")
    var funnel = CustomFunnel(
      id: "f",
      steps: (0..<count).map {
        FunnelStep(anyOf: [event], isOptional: $0 > 0 && chance.below(5) == 0)
      }, windowMilliseconds: Int64(1 + chance.below(9)), windowScope: mode.scope,
      order: mode.order, entry: chance.below(2) == 0 ? .first : .best)
    if let effect = mode.effect, count > 1 {
      let from = 1 + chance.below(count - 1)
      funnel.exclusions = [
        FunnelExclusion(
          pattern: event, from: from, to: from + 1 + chance.below(count - from), effect: effect)
      ]
    }
    return funnel
  }

  private static func agree(
    _ funnel: CustomFunnel, _ rules: FunnelRules, _ facts: [FunnelTracer.Item], horizon: Int64
  ) -> (found: Int, expected: Int, sameCount: Bool) {
    let steps = Array(steps.prefix(funnel.steps.count))
    let exclusions = funnel.exclusions.map { _ in excluded }
    let tracer = FunnelTracer(
      funnel: funnel, rules: rules, steps: steps, exclusions: exclusions, horizon: horizon)
    let brute = BruteFunnel(
      funnel: funnel, rules: rules, steps: steps, exclusions: exclusions, horizon: horizon,
      facts: facts)
    let path = tracer.trace(facts).path
    let expected = brute.reached()
    return (path?.length ?? 0, expected.length, (path?.stepCount ?? 0) == expected.count)
  }

  @Test(arguments: modes)
  func `the walk agrees with its definition`(mode: Mode) {
    var chance = Chance(state: 0x9E37_79B9_7F4A_7C15)
    var lengths: Set<Int> = []
    for number in 0..<Self.timelineCount {
      let funnel = Self.funnel(mode, &chance)
      let facts = Self.timeline(&chance)
      let result = Self.agree(funnel, FunnelRules(), facts, horizon: Int64(8 + chance.below(30)))
      lengths.insert(result.found)
      guard result.found == result.expected && result.sameCount else {
        Issue.record("\(number): \(funnel) \(facts): \(result)")
        return
      }
    }
    #expect(lengths == [0, 1, 2, 3, 4])
  }

  @Test(arguments: 0..<8)
  func `windowFunnel agrees with its definition`(modes: Int) {
    var rules = FunnelTool.clickhouse.rules
    rules.modes = FunnelRules.Modes(rawValue: modes)
    var chance = Chance(state: 0xD1B5_4A32_D192_ED03)
    var lengths: Set<Int> = []
    for number in 0..<Self.timelineCount {
      var funnel = Self.funnel(Mode(order: .ordered, scope: .whole), &chance)
      for step in funnel.steps.indices { funnel.steps[step].isOptional = false }
      let facts = Self.timeline(&chance)
      let result = Self.agree(funnel, rules, facts, horizon: 100)
      lengths.insert(result.found)
      guard result.found == result.expected else {
        Issue.record("\(number): \(funnel) \(facts): \(result)")
        return
      }
    }
    #expect(lengths == [0, 1, 2, 3, 4])
  }

  @Test func `with the best entry it agrees with windowFunnel where a fact is one step`() {
    var chance = Chance(state: 77)
    var own = FunnelRules()
    own.onlyMature = false
    for number in 0..<Self.timelineCount {
      var funnel = Self.funnel(Mode(order: .ordered, scope: .whole), &chance)
      for step in funnel.steps.indices { funnel.steps[step].isOptional = false }
      funnel.entry = .best
      let facts = Self.timeline(&chance).enumerated().map { index, fact in
        FunnelTracer.Item(
          time: fact.time * 8 + Int64(index), patterns: fact.patterns & ~(fact.patterns - 1),
          index: index)
      }
      funnel.windowMilliseconds *= 8
      let steps = Array(Self.steps.prefix(funnel.steps.count))
      let lengths = [own, FunnelTool.clickhouse.rules].map { rules in
        FunnelTracer(funnel: funnel, rules: rules, steps: steps, exclusions: [], horizon: 1000)
          .trace(facts).path?.length ?? 0
      }
      guard lengths[0] == lengths[1] else {
        Issue.record("\(number): \(funnel) \(facts): \(lengths)")
        return
      }
    }
  }

  @Test func `a funnel is read from one line`() throws {
    let steps = try FunnelText.steps(
      #"started > viewed[page_name=plan|"a, b", os=iOS] > "odd > name" or b > paid?"#)
    #expect(
      steps == [
        FunnelStep(anyOf: [EventPattern(event: "started")]),
        FunnelStep(anyOf: [
          EventPattern(
            event: "viewed",
            conditions: [
              PropertyCondition(property: "page_name", values: ["plan", "a, b"]),
              PropertyCondition(property: "os", values: ["iOS"]),
            ])
        ]),
        FunnelStep(anyOf: [EventPattern(event: "odd > name"), EventPattern(event: "b")]),
        FunnelStep(anyOf: [EventPattern(event: "paid")], isOptional: true),
      ])
    #expect(try FunnelText.steps("App Opened > b").first?.anyOf.first?.event == "App Opened")
  }

  @Test(arguments: ["", "a >", "a > b[c", "a[=x]", "a[b=]", "a?", "a ]", "\"a"])
  func `a funnel that can't be read is told with its place`(text: String) {
    #expect(throws: FunnelTextError.self) { try FunnelText.steps(text) }
  }
}
