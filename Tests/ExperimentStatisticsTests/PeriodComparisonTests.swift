import Foundation
import Testing

@testable import ExperimentStatistics

/// Two months, each seen over weeks that differ.
@Suite struct PeriodComparisonTests {
  private struct World {
    var people = 1_000
    var deviation = 0.0
    var random: SplitMix64

    mutating func weeks(_ count: Int, rate: Double) -> [Proportion] {
      weeks((0..<count).map { people * (2 + $0 % 3) / 2 }, rate: rate)
    }

    mutating func weeks(_ sizes: [Int], rate: Double) -> [Proportion] {
      sizes.map { trials in
        let odds = log(rate / (1 - rate)) + deviation * normal()
        let own = 1 / (1 + exp(-odds))
        let drawn =
          Double(trials) * own + (Double(trials) * own * (1 - own)).squareRoot() * normal()
        return Proportion(successes: Int(drawn.rounded()), trials: trials)
      }
    }

    private mutating func normal() -> Double {
      let (first, second) = (uniform(), uniform())
      return (-2 * log(first)).squareRoot() * cos(2 * .pi * second)
    }

    private mutating func uniform() -> Double {
      (Double(random.next() >> 11) + 0.5) / Double(1 << 53)
    }
  }

  @Test(arguments: [(4, 4), (2, 2), (8, 3), (1, 5)], [0.0, 0.05, 0.2])
  func `months without a change are called one as often as promised`(
    weeks: (Int, Int), deviation: Double
  ) {
    var world = World(
      deviation: deviation, random: SplitMix64(seed: UInt64(weeks.0 * 10 + weeks.1)))
    let runs = 2_000
    var (shown, alike, tested) = (0, 0, 0)
    for _ in 0..<runs {
      let (before, after) = (world.weeks(weeks.0, rate: 0.6), world.weeks(weeks.1, rate: 0.6))
      let plain = ProportionComparison(treatment: .sum(after), control: .sum(before))
      if let p = plain.scoreTest().value?.twoSidedP, p < 0.05 { alike += 1 }
      guard let p = PeriodComparison(before: before, after: after)?.twoSidedP else { continue }
      tested += 1
      if p < 0.05 { shown += 1 }
    }
    print("\(weeks), sd \(deviation): \(shown) of \(tested), all alike \(alike)")
    #expect(tested == (min(weeks.0, weeks.1) < PeriodComparison.fewestPeriods ? 0 : runs))
    let limit = 0.05 + 3 * (0.05 * 0.95 / Double(runs)).squareRoot()
    #expect(Double(shown) <= limit * Double(runs))
    if deviation == 0.2 { #expect(Double(alike) > 0.5 * Double(runs)) }
  }

  /// By periods less two, 7 % of such months differ: a few large weeks decide, whose number isn't
  /// known from how many weeks there are.
  @Test(arguments: [
    ([4_200, 420, 420, 4_200], [420, 4_200, 420, 4_200]),
    ([7_000, 7_000, 7_000, 7_000], [700, 7_000, 7_000, 7_000]),
    ([5_000, 5_000, 5_000, 5_000, 500, 500, 500, 500], [5_000, 500, 5_000, 500, 5_000, 500]),
  ]) func `weeks of very different sizes say less than their number`(before: [Int], after: [Int]) {
    let runs = 4_000
    let limit = 0.05 + 3 * (0.05 * 0.95 / Double(runs)).squareRoot()
    for deviation in [0.05, 0.2] {
      var world = World(deviation: deviation, random: SplitMix64(seed: 5))
      let shown = (0..<runs).count { _ in
        let sides = (world.weeks(before, rate: 0.6), world.weeks(after, rate: 0.6))
        return PeriodComparison(before: sides.0, after: sides.1)?.twoSidedP ?? 0 < 0.05
      }
      print("\(before) and \(after), sd \(deviation): \(shown) of \(runs)")
      #expect(Double(shown) <= limit * Double(runs))
    }
  }

  /// By numpy: A = diag(n) - n n' / N of each side, trace(A)^2 / trace(A @ A).
  @Test(arguments: [
    ([600, 200], [500, 500], 2), ([10, 20, 30], [40, 50], 2), ([10, 20, 30, 40], [40, 50, 60], 4),
    ([100, 100, 100], [100, 100], 3), ([1_000, 10, 10, 10], [10, 10, 10, 1_000], 4),
  ]) func `degrees of freedom are Satterthwaite's`(before: [Int], after: [Int], degrees: Int) {
    let sides = [before, after].map { $0.map { Proportion(successes: $0 / 2, trials: $0) } }
    #expect(VarianceBetween(sides).degreesOfFreedom == degrees)
  }

  @Test func `a change beyond what weeks differ by is shown`() {
    var world = World(deviation: 0.1, random: SplitMix64(seed: 3))
    let shown = (0..<500).count { _ in
      let (before, after) = (world.weeks(4, rate: 0.5), world.weeks(4, rate: 0.6))
      return PeriodComparison(before: before, after: after)?.twoSidedP ?? 1 < 0.05
    }
    #expect(shown > 475)
  }

  @Test func `interval and test agree`() throws {
    var world = World(people: 200, deviation: 0.15, random: SplitMix64(seed: 4))
    for run in 0..<200 {
      let (before, after) = (
        world.weeks(3, rate: 0.5), world.weeks(4, rate: 0.5 + Double(run % 5) / 30)
      )
      let test = try #require(PeriodComparison(before: before, after: after))
      let interval = try #require(test.difference(level: 0.95).value?.interval)
      let p = try #require(test.twoSidedP)
      #expect((interval.lower > 0 || interval.upper < 0) == (p < 0.05), "\(interval) \(p)")
    }
  }

  @Test func `periods that are alike leave the score test, with Student's tails`() throws {
    let weeks = Array(repeating: Proportion(successes: 300, trials: 500), count: 15)
    let others = Array(repeating: Proportion(successes: 290, trials: 500), count: 15)
    let test = try #require(PeriodComparison(before: others, after: weeks))
    let plain = try #require(test.rates.scoreTest().value)
    #expect(test.deviation == 0)
    let p = StudentDistribution(degreesOfFreedom: 28).cumulative(-abs(plain.statistic)) * 2
    #expect(abs(try #require(test.twoSidedP) - p) < 1e-14)
  }

  /// By an effect on the log odds: at 10 % it moves a rate by 0.09 / 0.25 of what it does at 50 %.
  @Test func `another rate of the same people varies in proportion`() throws {
    let before = [400, 600, 450].map { Proportion(successes: $0, trials: 1_000) }
    let after = [500, 420, 630].map { Proportion(successes: $0, trials: 1_000) }
    let test = try #require(PeriodComparison(before: before, after: after))
    #expect(test.deviation > 0.05)
    let rare = Proportion(successes: 300, trials: 3_000)
    let other = test.borrowed(by: ProportionComparison(treatment: rare, control: rare))
    #expect(abs(other.deviation - test.deviation * 0.09 / 0.25) < 1e-12)
    let none = Proportion(successes: 0, trials: 3_000)
    #expect(
      test.borrowed(by: ProportionComparison(treatment: none, control: none)).twoSidedP == nil)
  }
}
