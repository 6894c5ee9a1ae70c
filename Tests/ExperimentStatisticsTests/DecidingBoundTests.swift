import ExperimentStatistics
import Testing

/// What a gate shows beside a verdict on a bound is what the verdict was made by.
struct DecidingBoundTests {
  /// Few expected successes and failures, where the exact tail decides, and many.
  @Test(arguments: [12, 50, 400, 3_000])
  func `a rate's interval is the one that its test inverts`(trials: Int) throws {
    var (failed, held) = (0, 0)
    for successes in stride(from: 0, through: trials, by: max(1, trials / 40)) {
      let sample = Proportion(successes: successes, trials: trials)
      for bound in [0.004, 0.02, 0.2, 0.5, 0.83, 0.98, 0.999] {
        for alpha in [0.05, 0.01, 0.002] {
          let test = RateBound(sample: sample, atLeast: bound, margin: 0.02)
          let shown = try #require(test.interval(level: 1 - 2 * alpha))
          let fails = try #require(test.p) < alpha
          #expect(fails == (shown.upper < bound), "\(successes) of \(trials), \(bound), \(alpha)")
          #expect(test.isShownToHold(alpha: alpha) == (shown.lower >= bound))
          failed += fails ? 1 : 0
          held += test.isShownToHold(alpha: alpha) ? 1 : 0
        }
      }
    }
    #expect(failed > 20 && held > 20)
  }

  @Test func `three of fifty may still be two in a hundred`() throws {
    // At most 2 % of 50: at least 98 % did not.
    let test = RateBound(
      sample: Proportion(successes: 47, trials: 50), atLeast: 0.98, margin: 0.02)
    let p = try #require(test.p)
    #expect(p > 0.05 && p < 0.1)
    let shown = try #require(test.interval(level: 0.9))
    #expect(shown.upper > 0.98)
    let wilson = try #require(ProportionIntervals.wilson(test.sample, level: 0.9).value)
    #expect(wilson.upper < 0.98)
  }

  /// A fixed limit with few expected above it, with many, and another sample's quantile.
  @Test(arguments: [20, 90, 700], [nil, 60, 2_000])
  func `a quantile's interval is the one that its test inverts`(
    trials: Int, reference: Int?
  ) throws {
    let sample = ValueCounts(
      (1...trials).map { (trial: Int) in
        let value = (trial * 37) % 101 + trial % 7
        return (value: Double(value), count: 1)
      })
    var (failed, held, open) = (0, 0, 0)
    for share in [0.5, 0.9] {
      for limit in stride(from: 0.5, to: 115, by: 1) {
        for alpha in [0.05, 0.01] {
          let test = QuantileRise(
            sample: sample, share: share, limit: limit, referenceTrials: reference, margin: 0)
          let fails = try #require(test.p) < alpha
          guard let shown = test.interval(level: 1 - 2 * alpha) else {
            open += 1
            continue
          }
          #expect(fails == (limit < shown.lower), "\(share) \(limit) \(alpha) \(shown)")
          #expect(test.isShownToHold(alpha: alpha) == (limit >= shown.upper))
          failed += fails ? 1 : 0
          held += test.isShownToHold(alpha: alpha) ? 1 : 0
        }
      }
    }
    #expect(failed + held > 20 || open > 100)
  }
}
