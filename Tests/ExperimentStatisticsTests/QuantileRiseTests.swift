import ExperimentStatistics
import Testing

/// A night's quantile of durations held against a baseline's.
@Suite struct QuantileRiseTests {
  private struct World {
    var random: SplitMix64
    /// Values to a whole number of this width; 0 for none.
    var width = 0.0

    mutating func durations(_ count: Int, times factor: Double = 1) -> ValueCounts {
      ValueCounts(
        (0..<count).map { _ in
          let share = (Double(random.next() >> 11) + 0.5) / Double(1 << 53)
          // Skewed to the right, from 10 s on: a straight line to a power.
          let value = factor * (10 + 90 * share * share * share)
          return (value: width > 0 ? (value / width).rounded(.down) * width : value, count: 1)
        })
    }
  }

  private struct Found {
    var failed = 0.0
    var promised = 0.0
    var held = 0.0
    var error: Double
  }

  /// How often a night fails at 5 %, how often its plan says so, and how often it is shown to hold
  /// its margin.
  private func nights(
    _ trials: Int, against others: Int, share: Double, runs: Int, margin: Double = 0,
    times factor: Double = 1, width: Double = 0
  ) -> Found {
    var world = World(random: SplitMix64(seed: UInt64(trials + others)), width: width)
    var found = Found(error: (0.05 * 0.95 / Double(runs)).squareRoot())
    for run in 0..<runs {
      let before = world.durations(others)
      let limit =
        QuantileRise(sample: before, share: share, limit: 1, referenceTrials: nil, margin: 0)
        .estimate ?? 0
      let test = QuantileRise(
        sample: world.durations(trials, times: factor), share: share, limit: limit,
        referenceTrials: others, margin: margin)
      if let p = test.p, p < 0.05, test.isBeyondMargin { found.failed += 1 / Double(runs) }
      if test.isShownToHold(alpha: 0.05) { found.held += 1 / Double(runs) }
      if run % 10 == 0 {
        let drop = limit * (factor - 1)
        found.promised += 10 / Double(runs) * test.chanceToFail(drop: drop, alpha: 0.05)
      }
    }
    return found
  }

  @Test func `a limit of 0 can be exceeded, and few durations above it are no proof of anything`() {
    let few = ValueCounts([(value: 0, count: 3), (value: 5, count: 2)])
    let test = QuantileRise(sample: few, share: 0.9, limit: 0, referenceTrials: 5, margin: 1)
    #expect(test.isBeyondMargin && !test.asksForNothing && !test.isShownToHold(alpha: 0.05))
  }

  /// The normal limit fails 9 % of them at p90 and 19 % at p99.
  @Test(
    arguments: [(120, 120), (300, 300), (300, 120)], [0.5, 0.9, 0.99])
  func `a healthy night of few people fails as often as promised`(
    sizes: (now: Int, before: Int), share: Double
  ) {
    let found = nights(sizes.now, against: sizes.before, share: share, runs: 1_500)
    print("p\(Int(share * 100)), \(sizes.now) against \(sizes.before): \(found)")
    #expect(found.failed <= 0.05 + 3 * found.error)
    #expect(abs(found.failed - found.promised) <= 3 * found.error)
  }

  @Test(arguments: [0.5, 0.9])
  func `durations of whole seconds fail no more often`(share: Double) {
    let found = nights(300, against: 300, share: share, runs: 1_000, width: 5)
    #expect(found.failed <= 0.05 + 3 * found.error, "\(found)")
  }

  /// The exact chances, by numeric integration over the true shape: 0.509 for the second. The plan
  /// knows that shape from 200 people.
  @Test(arguments: [(0.5, 1.3), (0.9, 1.15)])
  func `a slower night fails about as often as its plan says`(share: Double, factor: Double) {
    let found = nights(200, against: 600, share: share, runs: 1_500, margin: 1, times: factor)
    print("p\(Int(share * 100)) times \(factor): \(found)")
    #expect(abs(found.failed - found.promised) < 0.08, "\(found)")
    #expect(found.failed > 0.3)
    if share == 0.9 { #expect(abs(found.failed - 0.509) < 0.039, "\(found)") }
  }

  /// Ten seconds slower is the margin itself: shown to hold it is an error.
  @Test(arguments: [0.5, 0.9], [0, 5])
  func `a night that is slower by the margin is seldom shown to hold it`(
    share: Double, width: Double
  ) {
    var random = World(random: SplitMix64(seed: 9), width: width)
    let runs = 1_000
    var held = 0
    for _ in 0..<runs {
      let (before, now) = (random.durations(150), random.durations(150))
      let limit =
        QuantileRise(sample: before, share: share, limit: 1, referenceTrials: nil, margin: 0)
        .estimate ?? 0
      let slower = ValueCounts(
        now.values.map { value in
          (value + 10, now.count(above: value.nextDown) - now.count(above: value))
        })
      let test = QuantileRise(
        sample: slower, share: share, limit: limit, referenceTrials: 150, margin: 10)
      if test.isShownToHold(alpha: 0.05) { held += 1 }
    }
    let limit = 0.05 + 3 * (0.05 * 0.95 / Double(runs)).squareRoot()
    #expect(Double(held) / Double(runs) <= limit, "\(held) of \(runs)")
  }

  @Test func `nothing is promised where nothing can be tested`() {
    let none = QuantileRise(
      sample: ValueCounts([]), share: 0.5, limit: 10, referenceTrials: 5, margin: 1)
    #expect(none.p == nil && none.interval(level: 0.9) == nil)
    #expect(none.chanceToFail(drop: 1, alpha: 0.05, trials: 10) == 0)
    let one = QuantileRise(
      sample: ValueCounts([(value: 3, count: 1)]), share: 0.99, limit: 2, referenceTrials: 1,
      margin: 0)
    // Of two people drawn alike either may be the slower one.
    #expect(one.p == 0.5)
  }
}
