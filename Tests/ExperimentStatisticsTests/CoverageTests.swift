import ExperimentStatistics
import Testing

/// How often 95 % intervals hold the truth, by exact sums over all outcomes: no simulation.
@Suite struct CoverageTests {
  struct Coverage: CustomStringConvertible {
    var least = 1.0
    var sum = 0.0
    var count = 0
    var mean: Double { sum / Double(count) }

    mutating func add(_ coverage: Double) {
      least = min(least, coverage)
      sum += coverage
      count += 1
    }

    var description: String { "mean \(mean), least \(least) of \(count)" }
  }

  private func coverage(
    trials: [Int], rates: [Double], of interval: (Proportion) -> Estimate<Interval>
  ) throws -> Coverage {
    var result = Coverage()
    for trials in trials {
      let intervals = try (0...trials).map {
        try #require(interval(Proportion(successes: $0, trials: trials)).value)
      }
      for rate in rates {
        let table = BinomialTable(trials: trials, share: rate)
        result.add(
          zip(intervals, table.chances).reduce(0) { $0 + ($1.0.contains(rate) ? $1.1 : 0) })
      }
    }
    return result
  }

  @Test func `Wilson's interval covers`() throws {
    let rates = (2...98).map { Double($0) / 100 }
    let coverage = try coverage(trials: [200, 500, 1000, 2500], rates: rates) {
      ProportionIntervals.wilson($0)
    }
    print("Coverage, Wilson: \(coverage)")
    #expect((0.945...0.955).contains(coverage.mean), "\(coverage)")
    #expect(coverage.least >= 0.925, "\(coverage)")
  }

  @Test func `Clopper and Pearson's interval never covers less than its level`() throws {
    let rates = (1...99).map { Double($0) / 100 }
    let coverage = try coverage(trials: [1, 7, 50, 200], rates: rates) {
      ProportionIntervals.clopperPearson($0)
    }
    print("Coverage, Clopper-Pearson: \(coverage)")
    #expect(coverage.least >= 0.95 - 1e-9, "\(coverage)")
  }

  /// Coverage of the difference and of the lift over all pairs of rates.
  private func comparisonCoverage(
    sizes: [(Int, Int)], rates: [Double]
  ) throws -> (difference: Coverage, lift: Coverage) {
    var (difference, lift) = (Coverage(), Coverage())
    for (n1, n0) in sizes {
      let treatments = rates.map { BinomialTable(trials: n1, share: $0) }
      let controls = rates.map { BinomialTable(trials: n0, share: $0) }
      var known: [Int: (Interval, Interval?)] = [:]
      for (i, treatment) in treatments.enumerated() {
        for (j, control) in controls.enumerated() {
          var (inDifference, inLift, withLift) = (0.0, 0.0, 0.0)
          for x1 in treatment.likely {
            for x0 in control.likely {
              let chance = treatment.chances[x1] * control.chances[x0]
              guard chance > 1e-9 else { continue }
              let key = x1 * (n0 + 1) + x0
              let comparison = ProportionComparison(
                treatment: Proportion(successes: x1, trials: n1),
                control: Proportion(successes: x0, trials: n0))
              let intervals =
                try known[key]
                ?? (
                  #require(comparison.difference().value).interval,
                  comparison.relativeLift().value?.interval
                )
              known[key] = intervals
              if intervals.0.contains(rates[i] - rates[j]) { inDifference += chance }
              guard let relative = intervals.1 else { continue }
              withLift += chance
              if relative.contains(rates[i] / rates[j] - 1) { inLift += chance }
            }
          }
          difference.add(inDifference)
          // Where the control has no success there is no lift to be right or wrong about.
          lift.add(inLift / withLift)
        }
      }
    }
    return (difference, lift)
  }

  private func check(_ coverage: (difference: Coverage, lift: Coverage), _ name: String) {
    print("Coverage, \(name): difference \(coverage.difference); lift \(coverage.lift)")
    for one in [coverage.difference, coverage.lift] {
      #expect((0.945...0.955).contains(one.mean), "\(one)")
      #expect(one.least >= 0.925, "\(one)")
    }
  }

  @Test func `the intervals of two proportions cover`() throws {
    try check(
      comparisonCoverage(sizes: [(200, 200)], rates: [0.02, 0.05, 0.3, 0.5, 0.9, 0.98]), "small")
  }

  @Test(.enabled(if: SlowRuns.isWanted, SlowRuns.reason))
  func `the intervals of two proportions cover over the whole grid`() throws {
    let rates = [0.02, 0.03, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.98]
    try check(
      comparisonCoverage(sizes: [(200, 200), (200, 400), (300, 1000), (700, 700)], rates: rates),
      "whole grid")
  }

  /// Whatever the distribution, the chance that the interval holds the quantile is the chance
  /// that the number of observations below it falls between two ranks.
  @Test func `order statistics cover at least their level and little more`() throws {
    for trials in [200, 500, 2000] {
      let counts = ValueCounts((1...trials).map { (value: Double($0), count: 1) })
      for share in [0.5, 0.75, 0.9] {
        let interval = try #require(QuantileIntervals.quantile(share, of: counts).value).interval
        let chances = BinomialTable(trials: trials, share: share).chances
        let coverage = chances[Int(interval.lower)..<Int(interval.upper)].reduce(0, +)
        #expect((0.95...0.97).contains(coverage), "\(trials) \(share) \(coverage)")
      }
    }
  }

  /// The chance to reject, summed over all outcomes, is what the plan promised.
  @Test func `the power promised is the power had`() throws {
    for (rate, other) in [(0.3, 0.4), (0.6, 0.52), (0.1, 0.16)] {
      let size = try #require(
        Power.trialsNeeded(treatmentRate: other, controlRate: rate).value)
      let treatment = BinomialTable(trials: size.treatment, share: other)
      let control = BinomialTable(trials: size.control, share: rate)
      var rejected = 0.0
      for x1 in treatment.likely {
        for x0 in control.likely {
          let test = ProportionComparison(
            treatment: Proportion(successes: x1, trials: size.treatment),
            control: Proportion(successes: x0, trials: size.control)
          ).scoreTest().value
          if let test, test.twoSidedP < 0.05 {
            rejected += treatment.chances[x1] * control.chances[x0]
          }
        }
      }
      #expect(abs(rejected - 0.8) < 0.01, "\(rate) \(other) \(rejected)")
    }
  }
}
