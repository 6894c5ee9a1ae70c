import Testing

@testable import ExperimentStatistics

@Suite("Shares of variants over time")
struct SplitDriftTests {
  /// People of each cohort who fall to the second of two variants with a share.
  private static func cohorts(
    _ sizes: [Int], _ share: (Int) -> Double, _ random: inout SplitMix64
  ) -> [[Int]] {
    sizes.enumerated().map { cohort, size in
      let second = random.successes(of: size, chance: share(cohort))
      return [size - second, second]
    }
  }

  @Test func `a ramp is seen that leaves the whole split as planned`() throws {
    let ramp = Array(repeating: [90, 10], count: 6) + Array(repeating: [10, 90], count: 6)
    let drift = try #require(SplitDrift(periods: [ramp], isWatched: false))
    #expect(drift.pValue < 1e-50 && drift.variant == 1 && drift.shares == 0.1...0.9)
    #expect(
      try #require(
        SampleRatio.check(
          periods: [[600, 600]], expectedShares: [[0.5, 0.5]]
        ).value
      ).pValue == 1)
    // Declared, each period by itself is alike.
    let declared = try #require(
      SplitDrift(periods: [Array(ramp.prefix(6)), Array(ramp.suffix(6))], isWatched: false))
    #expect(declared.pValue == 1)
  }

  @Test func `of two cohorts it is the chi-square of a table of four`() throws {
    // n (ad - bc)^2 over the product of the sums.
    let (a, b, c, d) = (55.0, 45.0, 40.0, 60.0)
    let difference = a * d - b * c
    let square = 200 * difference * difference / (100 * 100 * 95 * 105)
    let drift = try #require(SplitDrift(periods: [[[55, 45], [40, 60]]], isWatched: false))
    let tail = 2 * NormalDistribution.cumulative(-square.squareRoot())
    #expect(abs(drift.pValue - tail) < 1e-12)
  }

  @Test func `cohorts are joined without losing anybody, and never too small`() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<300 {
      let sizes = (0..<Int.random(in: 1...60, using: &random)).map { _ in
        Int.random(in: 0...40, using: &random)
      }
      let cohorts = Self.cohorts(sizes, { _ in 0.2 }, &random)
      let joined = SplitDrift.joined(cohorts)
      let sums = (0...1).map { place in cohorts.reduce(0) { $0 + $1[place] } }
      if joined.isEmpty { continue }
      #expect((0...1).map { place in joined.reduce(0) { $0 + $1[place] } } == sums)
      let least = Double(sums.filter { $0 > 0 }.min() ?? 0) / Double(sums.reduce(0, +))
      #expect(joined.allSatisfy { Double($0.reduce(0, +)) * least >= 9.999 })
    }
  }

  @Test(arguments: [[200, 200, 200, 200, 200, 200], Array(repeating: 12, count: 60)])
  func `people who are split alike are seldom called split otherwise`(sizes: [Int]) {
    var random = SplitMix64(seed: 5)
    let runs = 3000
    var called = 0
    for _ in 0..<runs {
      let cohorts = Self.cohorts(sizes, { _ in 0.3 }, &random)
      if let p = SplitDrift(periods: [cohorts], isWatched: false)?.pValue, p < 0.01 { called += 1 }
    }
    // 0.01 of them, and three deviations.
    #expect(Double(called) / Double(runs) < 0.0155, "\(called)")
  }

  @Test func `watched every day it is no more often called than once`() {
    var random = SplitMix64(seed: 8)
    let runs = 1000
    var called = 0
    for _ in 0..<runs {
      let cohorts = Self.cohorts(Array(repeating: 40, count: 60), { _ in 0.5 }, &random)
      let isEver = (2...60).contains { days in
        (SplitDrift(periods: [Array(cohorts.prefix(days))], isWatched: true)?.pValue ?? 1) < 0.01
      }
      if isEver { called += 1 }
    }
    #expect(Double(called) / Double(runs) < 0.0195, "\(called)")
  }

  @Test func `a single cohort, or none, says nothing`() {
    #expect(SplitDrift(periods: [], isWatched: false) == nil)
    #expect(SplitDrift(periods: [[]], isWatched: false) == nil)
    #expect(SplitDrift(periods: [[[50, 50]]], isWatched: true) == nil)
    #expect(SplitDrift(periods: [[[0, 0], [0, 0]]], isWatched: true) == nil)
    #expect(SplitDrift(periods: [[[50, 0], [60, 0]]], isWatched: true) == nil)
  }
}
