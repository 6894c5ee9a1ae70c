import FlowDefinition
import Foundation
import ReferenceEvaluator
import Testing

/// What must hold of any dump whatever, on random ones.
struct IdentityTests {
  static let seedsPerFlow = 20

  /// Evaluated once for all tests.
  private static let shared = Result { try evaluateAll() }

  static func results() throws -> [(flow: Flow, result: ReferenceResult)] {
    try shared.get()
  }

  private static func evaluateAll() throws -> [(flow: Flow, result: ReferenceResult)] {
    try AdversarialFlows.all().enumerated().flatMap { number, flow in
      (0..<seedsPerFlow).map { seed in
        var random = RandomTimelines(seed: UInt64(seed * 10 + number), flow: flow)
        let lines = random.lines(persons: 12)
        let evaluator = ReferenceEvaluator(flow: flow, options: random.options())
        return (flow, evaluator.evaluate(lines: lines))
      }
    }
  }

  @Test func everybodyIsInExactlyOnePlace() throws {
    var persons = 0
    for (flow, result) in try Self.results() { persons += Self.expectIdentities(flow, result) }
    #expect(persons > 1000)
  }

  @Test(arguments: FlowFile.builtInNames)
  func everybodyIsInExactlyOnePlaceOfABuiltInFlow(name: String) throws {
    let flow = try FlowFile.load(name)
    var random = RandomTimelines(seed: 11, flow: flow)
    let lines = random.lines(persons: 40)
    let end = ReferenceOptions(asOfMilliseconds: 1_830_000_000_000)
    let result = ReferenceEvaluator(flow: flow, options: end).evaluate(lines: lines)
    #expect(Self.expectIdentities(flow, result) > 100)
  }

  /// The persons of all slices.
  private static func expectIdentities(_ flow: Flow, _ result: ReferenceResult) -> Int {
    var persons = 0
    for (slice, rows) in Dictionary(grouping: result.rows, by: { Array($0.key.prefix(5)) }) {
      let table = Table(rows)
      // Slices that hold an arm's contamination count and nothing else.
      guard rows.contains(where: { $0.metric == "entered" }) else { continue }
      persons += table["persons"]
      #expect(table["entered"] == table["persons"] + table["immature"], "\(slice)")
      let finished = table["finished"] + table["finished_after_skipping"]
      #expect(table["persons"] == finished + table["skipped"] + table["abandoned"], "\(slice)")
      #expect(table["completion_rate"] == finished, "\(slice)")
      var left = table["step_drop_off", "(entry)"]
      for step in flow.steps.map(\.id) {
        left += table["step_drop_off", step]
        let viewed =
          table["step_conversion", step] + table["step_left_skipping", step]
          + table["step_abandoned", step]
        #expect(table["step_reach", step] == viewed, "\(slice) \(step)")
      }
      #expect(left == table["skipped"] + table["abandoned"], "\(slice)")
      let joint = rows.filter { $0.metric == "permission_joint" }.map(\.numerator).reduce(0, +)
      let pairs = flow.permissions.count * (flow.permissions.count - 1) / 2
      #expect(joint == table["persons"] * pairs, "\(slice)")
      let shares = rows.filter { $0.metric == "skip_share" }.map(\.numerator).reduce(0, +)
      #expect(shares == table["used_skip_rate"], "\(slice)")
    }
    return persons
  }

  @Test func cutsAddUpToTheWhole() throws {
    for (flow, result) in try Self.results() {
      let whole = result.rows.first { $0.metric == "entered" && Self.isUncut($0) }
      let entered = result.rows.filter { $0.metric == "entered" }
      for dimension in flow.dimensions.map(\.id) + ["used_skip", "outcome"] {
        let cut = entered.filter {
          $0.breakdown.hasPrefix(dimension + "=") && $0.version == "all" && $0.experiment == "all"
        }
        #expect(cut.map(\.numerator).reduce(0, +) == whole?.numerator)
      }
      for experiment in flow.experiments {
        let arms = entered.filter {
          $0.experiment == experiment.id && $0.cohort == "all" && $0.breakdown == "all"
        }
        #expect(arms.map(\.numerator).reduce(0, +) == whole?.numerator)
      }
    }
  }

  @Test func noRateExceedsItsDenominator() throws {
    for (_, result) in try Self.results() {
      // A sum of amounts is no rate.
      for row in result.rows where !row.metric.hasPrefix("goal_value_") {
        guard let denominator = row.denominator else { continue }
        #expect(row.numerator >= 0 && row.numerator <= denominator, "\(row)")
      }
    }
  }

  @Test func orderAndRepetitionChangeNothing() throws {
    for (number, flow) in try AdversarialFlows.all().enumerated() {
      var random = RandomTimelines(seed: UInt64(900 + number), flow: flow)
      let lines = random.lines(persons: 15)
      let evaluator = ReferenceEvaluator(flow: flow)
      let once = evaluator.evaluate(lines: lines)
      let twice = evaluator.evaluate(lines: lines.reversed() + lines.prefix(20))
      #expect(once.rows == twice.rows)
      #expect(once.horizonMilliseconds == twice.horizonMilliseconds)
    }
  }

  @Test func theSameSeedGivesTheSameLines() throws {
    for flow in try AdversarialFlows.all() {
      var first = RandomTimelines(seed: 7, flow: flow)
      var second = RandomTimelines(seed: 7, flow: flow)
      #expect(first.lines(persons: 10) == second.lines(persons: 10))
    }
  }

  private static func isUncut(_ row: ReferenceRow) -> Bool {
    row.version == "all" && row.experiment == "all" && row.cohort == "all"
      && row.breakdown == "all"
  }

  /// The numerators of one slice.
  private struct Table {
    private let numerators: [[String]: Int]

    init(_ rows: [ReferenceRow]) {
      numerators = Dictionary(rows.map { ([$0.metric, $0.step], $0.numerator) }) { first, _ in
        first
      }
    }

    subscript(_ metric: String, _ step: String = "all") -> Int {
      numerators[[metric, step], default: 0]
    }
  }
}
