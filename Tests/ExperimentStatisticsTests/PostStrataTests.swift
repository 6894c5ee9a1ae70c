import ExperimentStatistics
import Testing

/// Comparisons within values of something known at entry.
@Suite struct PostStrataTests {
  private func pair(_ x1: Int, _ n1: Int, _ x0: Int, _ n0: Int) -> ProportionComparison {
    ProportionComparison(
      treatment: Proportion(successes: x1, trials: n1),
      control: Proportion(successes: x0, trials: n0))
  }

  @Test func `strata with too few people are put together`() {
    let (large, other) = (pair(40, 90, 30, 80), pair(20, 50, 20, 60))
    // Two small ones are enough together.
    let two = PostStrata([large, pair(3, 12, 5, 30), pair(1, 15, 2, 19), other])
    #expect(two.strata == [large, other, pair(4, 27, 7, 49)] && two.joined == 2)
    // One small one goes to the smallest of the others.
    let one = PostStrata([large, pair(3, 12, 5, 30), other])
    #expect(one.strata == [large, pair(23, 62, 25, 90)] && one.joined == 2)
    // Groups count by their people, each by itself.
    #expect(PostStrata([large, pair(3, 19, 5, 19), pair(0, 1, 0, 1)]).joined == 2)
    let none = PostStrata([pair(1, 5, 2, 5), pair(3, 6, 0, 7), pair(0, 0, 0, 0)])
    #expect(none.strata == [pair(4, 11, 2, 12)])
    #expect(PostStrata([]).strata.isEmpty)
  }

  @Test func `a single stratum is the plain comparison, to the last digit`() {
    let plain = pair(56, 70, 48, 80)
    let stratified = StratifiedComparison(postStratified: [PostStrata([plain])])
    #expect(stratified.difference() == plain.difference())
    #expect(stratified.relativeLift(level: 0.9) == plain.relativeLift(level: 0.9))
    #expect(stratified.scoreTest() == plain.scoreTest())
    #expect(stratified.precisionGain(over: StratifiedComparison(strata: [plain])) == 0)
  }

  /// Each stratum counts by its people and not by Mantel and Haenszel's weights, so that groups
  /// of other shares change nothing.
  @Test func `strata count by their people`() throws {
    let strata = PostStrata([pair(80, 100, 60, 100), pair(40, 200, 300, 600)])
    let rates = try #require(StratifiedComparison(postStratified: [strata]).rates)
    #expect(abs(rates.treatment - (0.2 * 0.8 + 0.8 * 0.2)) < 1e-12)
    #expect(abs(rates.control - (0.2 * 0.6 + 0.8 * 0.5)) < 1e-12)
    let failures = try #require(StratifiedComparison(postStratified: [strata]).ofFailures.rates)
    #expect(abs(failures.treatment + rates.treatment - 1) < 1e-12)
  }

  @Test func `test and both intervals say one thing at every level`() throws {
    let strata = PostStrata([pair(60, 100, 45, 100), pair(70, 300, 52, 280), pair(20, 40, 25, 60)])
    for comparison in [
      StratifiedComparison(postStratified: [strata]),
      StratifiedComparison(
        postStratified: [strata, PostStrata([pair(9, 30, 20, 90), pair(30, 90, 60, 270)])]),
    ] {
      let p = try #require(comparison.scoreTest().value).twoSidedP
      for factor in [0.98, 1.02] {
        let level = 1 - p * factor
        let difference = try #require(comparison.difference(level: level).value).interval
        let lift = try #require(comparison.relativeLift(level: level).value).interval
        #expect(difference.contains(0) == (factor < 1) && lift.contains(0) == (factor < 1))
      }
    }
  }

  /// Repeated experiments vary less within strata, and the intervals still cover.
  @Test func `the gain in precision is the one that theory has, and intervals cover`() throws {
    var random = SplitMix64(seed: 61)
    let (runs, people) = (2_000, 600)
    let rates = [(0.5, 0.8, 0.84), (0.3, 0.35, 0.39), (0.2, 0.1, 0.14)]
    func uniform() -> Double { Double(random.next() >> 11) * 0x1p-53 }
    var (plain, adjusted, gains, covered) = ([Double](), [Double](), 0.0, 0)
    for _ in 0..<runs {
      var counts = [[Int]](repeating: [0, 0, 0, 0], count: rates.count)
      for _ in 0..<people {
        let draw = uniform()
        let stratum = draw < 0.5 ? 0 : draw < 0.8 ? 1 : 2
        let isTreated = uniform() < 0.5
        let rate = isTreated ? rates[stratum].2 : rates[stratum].1
        counts[stratum][isTreated ? 1 : 3] += 1
        if uniform() < rate { counts[stratum][isTreated ? 0 : 2] += 1 }
      }
      let strata = counts.map { pair($0[0], $0[1], $0[2], $0[3]) }
      let whole = StratifiedComparison(
        treatment: .sum(strata.map(\.treatment)), control: .sum(strata.map(\.control)))
      let own = StratifiedComparison(postStratified: [PostStrata(strata)])
      plain.append(try #require(whole.difference().value).estimate)
      let found = try #require(own.difference().value)
      adjusted.append(found.estimate)
      covered += found.interval.contains(0.04) ? 1 : 0
      gains += try #require(own.precisionGain(over: whole))
    }
    func variance(_ values: [Double]) -> Double {
      let mean = values.reduce(0, +) / Double(values.count)
      return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1)
    }
    let (found, stated) = (variance(plain) / variance(adjusted) - 1, gains / Double(runs))
    print("Gain of post-stratification: stated \(stated), found \(found), \(covered) covered")
    // In large samples the gain is 0.50: 0.249 of all together over 0.166 within strata.
    #expect(abs(stated - 0.5) < 0.05 && found > 0.25)
    let allowance = 3 * (0.05 * 0.95 / Double(runs)).squareRoot()
    #expect(abs(Double(covered) / Double(runs) - 0.95) < allowance)
  }
}
