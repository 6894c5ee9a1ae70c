import ExperimentStatistics
import Testing

/// The promise that the test and both intervals never contradict each other.
@Suite struct ConsistencyTests {
  private func check(_ comparison: ProportionComparison, level: Double) throws {
    guard let test = comparison.scoreTest().value else { return }
    let difference = try #require(comparison.difference(level: level).value)
    let rejected = test.twoSidedP < 1 - level
    #expect(difference.interval.contains(0) == !rejected, "\(comparison) \(level)")
    #expect(difference.interval.contains(difference.estimate))
    guard let lift = comparison.relativeLift(level: level).value else { return }
    #expect(lift.interval.contains(0) == !rejected, "\(comparison) \(level)")
    #expect(lift.interval.contains(lift.estimate))
  }

  @Test func `all pairs of small groups agree`() throws {
    for (n1, n0) in [(1, 1), (3, 5), (8, 8), (12, 7)] {
      for x1 in 0...n1 {
        for x0 in 0...n0 {
          let comparison = ProportionComparison(
            treatment: Proportion(successes: x1, trials: n1),
            control: Proportion(successes: x0, trials: n0))
          for level in [0.8, 0.95, 0.999] { try check(comparison, level: level) }
        }
      }
    }
  }

  @Test func `random pairs of any size agree, also near the critical value`() throws {
    var random = SplitMix64(seed: 11)
    for _ in 0..<1_500 {
      let size = 1 << Int.random(in: 1...27, using: &random)
      let n0 = Int.random(in: 1...size, using: &random)
      let n1 = Int.random(in: 1...size, using: &random)
      let x0 = Int.random(in: 0...n0, using: &random)
      // Around the same rate, so that many pairs fall close to the border.
      let expected = Double(x0) / Double(n0) * Double(n1)
      let spread = 3 * (expected + 1).squareRoot()
      let x1 = Int(expected + Double.random(in: -spread...spread, using: &random))
      let comparison = ProportionComparison(
        treatment: Proportion(successes: x1, trials: n1),
        control: Proportion(successes: x0, trials: n0))
      try check(comparison, level: [0.8, 0.95, 0.9975, 0.99999][Int(random.next() % 4)])
    }
  }

  /// The level that gives a p-value exactly: the bound must fall on zero within rounding, on the
  /// side the test says.
  @Test func `at the border itself the bound is zero`() throws {
    let comparison = ProportionComparison(
      treatment: Proportion(successes: 640, trials: 1000),
      control: Proportion(successes: 600, trials: 1000))
    let p = try #require(comparison.scoreTest().value?.twoSidedP)
    let difference = try #require(comparison.difference(level: 1 - p).value)
    let lift = try #require(comparison.relativeLift(level: 1 - p).value)
    #expect(abs(difference.interval.lower) < 1e-12)
    #expect(abs(lift.interval.lower) < 1e-12)
  }
}

/// Comparisons within strata.
@Suite struct StratifiedComparisonTests {
  private static func comparison(_ generator: inout SplitMix64) -> ProportionComparison {
    func proportion() -> Proportion {
      let trials = Int(generator.next() % 300)
      return Proportion(successes: Int(generator.next() % UInt64(trials + 1)), trials: trials)
    }
    return ProportionComparison(treatment: proportion(), control: proportion())
  }

  @Test func `one stratum is the plain comparison to the last digit`() {
    var generator = SplitMix64(seed: 41)
    for _ in 0..<300 {
      let plain = Self.comparison(&generator)
      let stratified = StratifiedComparison(strata: [plain])
      #expect(stratified.scoreTest() == plain.scoreTest())
      #expect(stratified.difference(level: 0.9) == plain.difference(level: 0.9))
      #expect(stratified.relativeLift() == plain.relativeLift())
    }
  }

  @Test func `test and intervals never contradict`() {
    var generator = SplitMix64(seed: 42)
    var rejected = 0
    for _ in 0..<400 {
      let strata = (0..<(2 + Int(generator.next() % 4))).map { _ in Self.comparison(&generator) }
      let found = StratifiedComparison(strata: strata)
      guard let p = found.scoreTest().value?.twoSidedP,
        let difference = found.difference().value
      else { continue }
      let excludes = difference.interval.lower > 0 || difference.interval.upper < 0
      #expect(excludes == (p < 0.05))
      if let lift = found.relativeLift().value {
        #expect((lift.interval.lower > 0 || lift.interval.upper < 0) == (p < 0.05))
      }
      if p < 0.05 { rejected += 1 }
    }
    #expect(rejected > 50)
  }
}
