import FlowDefinition
import Foundation
import FirstMileSimulation
import Testing

@Suite struct AnyFlowTests {
  /// A flow that no profile knows, with a bit of everything.
  private func flow() -> Flow {
    var flow = Flow(
      id: "any \"flow\"",
      steps: [
        Step(id: "one"), Step(id: "two", isOptional: true), Step(id: "three", asks: ["camera"]),
        Step(id: "four", branchOf: 2), Step(id: "five"),
      ])
    flow.newestVersion = "3"
    flow.versions = [VersionList(name: "2", steps: [0, 4])]
    flow.permissions = ["camera"]
    flow.countsFrom = 0
    flow.day = .calendar
    flow.timeZone = "Europe/Berlin"
    flow.windowMilliseconds = 3 * 86_400_000
    flow.experiments = [
      Experiment(
        id: "a", variants: [Variant(id: "A", share: 0.5), Variant(id: "B", share: 0.5)], control: 0),
      Experiment(
        id: "b",
        variants: [
          Variant(id: "x", share: 0.2), Variant(id: "y", share: 0.3, steps: [0, 4]),
          Variant(id: "z", share: 0.5),
        ], control: 0),
    ]
    let bought = EventPattern(
      event: "bought", conditions: [PropertyCondition(property: "status", values: ["ok", "again"])])
    flow.goals = [
      Goal(id: "bought", pattern: bought, withinMilliseconds: 86_400_000, by: "product"),
      Goal(id: "seen", pattern: EventPattern(event: "onboarding_started"), withinMilliseconds: 1),
    ]
    flow.retention = [
      RetentionMeasure(id: "d1", window: .day(1)),
      RetentionMeasure(id: "d7", window: .day(7), anchor: .goal(0)),
    ]
    return flow
  }

  @Test func `a flow without a profile is simulated too`() throws {
    var plan = SimulationPlan(flow: flow(), persons: 1_500)
    plan.files = 3
    let dump = try SimulatedDump(plan)
    func count(_ metric: MetricName, _ variant: String = "all") -> Int {
      dump.truth.metrics.first {
        $0.metric == metric && $0.variant == variant && $0.version == "all"
          && $0.breakdown == "all"
      }?.numerator ?? 0
    }
    #expect(dump.truth.notSimulated == ["goal:seen"])
    #expect(count(.finished) > 500)
    #expect(count(.retention(day: 1)) > 200)
    #expect(count(.retention(day: 7)) > 10)
    #expect(count(.persons, "y") > 300)
    #expect(count(.orphans) > 0)
    for line in try dump.lines().joined() where line.starts(with: Data("{\"event\":\"on".utf8)) {
      let event = try? JSONSerialization.jsonObject(with: line) as? [String: Any]
      if let event { #expect(event["flow"] as? String == "any \"flow\"") }
    }
  }

  @Test func `the truth comes back from its file`() throws {
    var plan = SimulationPlan(flow: flow(), persons: 300)
    plan.files = 2
    let dump = try SimulatedDump(plan)
    let data = try #require(try dump.files()["truth.json"])
    #expect(try JSONDecoder().decode(SimulationTruth.self, from: data) == dump.truth)
  }

  @Test(arguments: [0, 1, 3]) func `hardly any persons are no trouble`(persons: Int) throws {
    var plan = SimulationPlan(flow: flow(), persons: persons)
    plan.days = 1
    let truth = try SimulatedDump(plan).truth
    #expect(truth.lines.events - truth.lines.duplicates >= min(persons, 3))
  }

  @Test func `an empty flow, a window of nothing and zstd are no trouble`() throws {
    var flow = Flow(id: "empty", steps: [])
    flow.windowMilliseconds = 1
    var plan = SimulationPlan(flow: flow, persons: 200)
    plan.compression = .zstd
    plan.files = 2
    let dump = try SimulatedDump(plan)
    #expect(dump.truth.lines.files == ["2026-01-05.ndjson.zst", "2026-02-19.ndjson.zst"])
    let magic = try #require(try dump.files()["2026-01-05.ndjson.zst"]).prefix(4)
    #expect(magic == Data([0x28, 0xB5, 0x2F, 0xFD]))
  }
}
