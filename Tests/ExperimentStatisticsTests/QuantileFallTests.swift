import ExperimentStatistics
import Testing

/// A quantile of durations that must not lie below a bound.
@Suite struct QuantileFallTests {
  private static func durations(
    _ count: Int, factor: Double = 1, _ random: inout SplitMix64
  ) -> ValueCounts {
    ValueCounts(
      (0..<count).map { _ in
        let share = (Double(random.next() >> 11) + 0.5) / Double(1 << 53)
        return (value: factor * (10 + 90 * share * share * share), count: 1)
      })
  }

  /// The true quantile of ``durations(_:factor:_:)``.
  private static func quantile(_ share: Double) -> Double { 10 + 90 * share * share * share }

  @Test(arguments: [30, 120, 900], [0.5, 0.9])
  func `healthy samples fail and sick ones hold no more often than promised`(
    trials: Int, share: Double
  ) {
    let runs = 2_000
    var random = SplitMix64(seed: UInt64(trials))
    let limit = Self.quantile(share)
    var (failed, held, caught, told) = (0, 0, 0, 0.0)
    for _ in 0..<runs {
      func test(_ factor: Double) -> QuantileFall {
        QuantileFall(
          sample: Self.durations(trials, factor: factor, &random), share: share, limit: limit,
          margin: 1)
      }
      let (healthy, sick) = (test(1), test(0.9))
      if let p = healthy.p, p < 0.05, healthy.isBeyondMargin { failed += 1 }
      if healthy.isShownToHold(alpha: 0.05) { held += 1 }
      if let p = sick.p, p < 0.05, sick.isBeyondMargin { caught += 1 }
      told += sick.chanceToFail(drop: 0.1 * limit, alpha: 0.05) / Double(runs)
    }
    let bound = 0.05 + 3 * (0.05 * 0.95 / Double(runs)).squareRoot()
    let rates = [failed, held, caught].map { Double($0) / Double(runs) }
    print("p\(Int(share * 100)) of \(trials): failed, held, caught \(rates), told \(told)")
    // The true quantile is the bound itself: neither side may be claimed.
    #expect(rates[0] <= bound && rates[1] <= bound)
    // Read off the shape of the sample itself, which 120 people draw roughly at the 90th percentile.
    #expect(abs(rates[2] - told) < 0.1)
  }

  @Test(arguments: [20, 90, 700])
  func `the interval is the one that the test inverts`(trials: Int) throws {
    let sample = ValueCounts(
      (1...trials).map { (trial: Int) in
        (value: Double((trial * 37) % 101 + trial % 7), count: 1)
      })
    var (failed, held) = (0, 0)
    for share in [0.5, 0.9] {
      for limit in stride(from: 0.5, to: 115, by: 1) {
        let test = QuantileFall(sample: sample, share: share, limit: limit, margin: 0)
        let fails = try #require(test.p) < 0.05
        guard let shown = test.interval(level: 0.9) else { continue }
        #expect(fails == (limit > shown.upper), "\(share) \(limit) \(shown)")
        #expect(test.isShownToHold(alpha: 0.05) == (limit < shown.lower), "\(limit) \(shown)")
        failed += fails ? 1 : 0
        held += test.isShownToHold(alpha: 0.05) ? 1 : 0
      }
    }
    #expect(failed > 10 && held > 10)
  }

  @Test func `nobody is below 0`() {
    let few = ValueCounts([(value: 0, count: 3)])
    let test = QuantileFall(sample: few, share: 0.5, limit: 0, margin: 1)
    #expect(!test.canDrop && test.isShownToHold(alpha: 0.05) && !test.isBeyondMargin)
    #expect(QuantileFall(sample: ValueCounts([]), share: 0.5, limit: 9, margin: 1).p == nil)
  }
}
