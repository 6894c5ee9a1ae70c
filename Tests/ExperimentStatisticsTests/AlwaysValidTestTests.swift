import ExperimentStatistics
import Testing

/// An experiment that is looked at every day, and held by a gate's rule.
@Suite struct AlwaysValidTestTests {
  private let tuning = SequentialTuning(trials: 5_000, level: 0.95)

  private func limit(_ runs: Int) -> Double {
    0.05 + 3 * (0.05 * 0.95 / Double(runs)).squareRoot()
  }

  @Test(arguments: [(0.1, 60), (0.5, 100)])
  func `sixty nights of a rule against the control seldom fail or prove wrongly`(
    rate: Double, perDay: Int
  ) {
    let runs = 1_000
    var random = SplitMix64(seed: 61)
    let table = BinomialTable(trials: perDay, share: rate)
    let worse = BinomialTable(trials: perDay, share: rate - 0.03)
    var (always, single, proven) = (0, 0, 0)
    for _ in 0..<runs {
      var (x1, x0, x2) = (0, 0, 0)
      var (isAlways, isSingle, isProven) = (false, false, false)
      for day in 1...60 {
        x1 += table.draw(using: &random)
        x0 += table.draw(using: &random)
        x2 += worse.draw(using: &random)
        let trials = day * perDay
        let control = Proportion(successes: x0, trials: trials)
        let pair = StratifiedComparison(
          treatment: Proportion(successes: x1, trials: trials), control: control)
        if let test = StratifiedDrop(pair, margin: 0, tuning: tuning), let p = test.p, p < 0.05 {
          isAlways = true
        }
        if let test = StratifiedDrop(pair, margin: 0), let p = test.p, p < 0.05 { isSingle = true }
        let lower = StratifiedComparison(
          treatment: Proportion(successes: x2, trials: trials), control: control)
        let test = StratifiedDrop(lower, margin: 0.03, tuning: tuning)
        if test?.isShownToHold(alpha: 0.05) == true { isProven = true }
      }
      always += isAlways ? 1 : 0
      single += isSingle ? 1 : 0
      proven += isProven ? 1 : 0
    }
    let shares = [always, single, proven].map { Double($0) / Double(runs) }
    print("60 nights at \(rate): always valid \(shares[0]), single \(shares[1]), \(shares[2])")
    #expect(shares[0] <= limit(runs) && shares[2] <= limit(runs))
    // A test for one look fails one experiment in four or so.
    #expect(shares[1] > 0.15)
  }

  /// The interval that is shown, of a difference and of a lift, is the one that decides.
  @Test(arguments: [true, false], [true, false])
  func `interval and test agree`(isLift: Bool, isTurned: Bool) throws {
    var decided = 0
    for treatment in [120, 200, 260, 330] {
      for control in [150, 220, 300] {
        for bound in [-0.3, -0.05, 0, 0.1, 0.5] {
          let pair = StratifiedComparison(
            treatment: Proportion(successes: treatment, trials: 600),
            control: Proportion(successes: control, trials: 580))
          func turned(_ value: Double) -> Double {
            isTurned ? (isLift ? 1 / (1 + value) - 1 : -value) : value
          }
          let found = try #require(
            (isLift
              ? ConfidenceSequence.relativeLift(pair, tuning: tuning)
              : ConfidenceSequence.difference(pair, tuning: tuning)).value)
          let ends = [turned(found.interval.lower), turned(found.interval.upper)].sorted()
          let test = IntervalBound(
            EstimateWithInterval(
              estimate: turned(found.estimate), interval: Interval(lower: ends[0], upper: ends[1])),
            atLeast: turned(bound), margin: 0, trials: 1_180, isLift: isLift, comparison: pair,
            tuning: tuning, isTurned: isTurned)
          for alpha in [0.05, 0.01] {
            let shown = try #require(test.estimate(level: 1 - 2 * alpha)).interval
            let fails = try #require(test.p) < alpha
            #expect(fails == (isTurned ? shown.lower > bound : shown.upper < bound))
            #expect(
              test.isShownToHold(alpha: alpha)
                == (isTurned ? shown.upper < bound : shown.lower > bound))
            decided += fails ? 1 : 0
          }
        }
      }
    }
    #expect(decided > 5)
  }

  /// Where the lower bound of a lift is -100 % its logarithm has no end, and is no distance.
  @Test func `a lift whose interval is cut has no upper bound in the thousands`() throws {
    let pair = StratifiedComparison(
      treatment: Proportion(successes: 9, trials: 400),
      control: Proportion(successes: 40, trials: 400))
    let found = try #require(ConfidenceSequence.relativeLift(pair, tuning: tuning).value)
    #expect(found.interval.lower == -1)
    for tuning in [tuning, nil] {
      let test = IntervalBound(
        found, atLeast: -0.2, margin: 0.05, trials: 800, isLift: true,
        comparison: tuning == nil ? nil : pair, tuning: tuning)
      let shown = try #require(test.estimate(level: 0.95)).interval
      #expect(shown.upper <= found.interval.upper + 1e-9 && shown.lower < found.estimate)
    }
  }

  @Test func `too few people show nothing and ask for more`() throws {
    let pair = StratifiedComparison(
      treatment: Proportion(successes: 2, trials: 40), control: Proportion(successes: 9, trials: 40)
    )
    let test = try #require(StratifiedDrop(pair, margin: 0.05, tuning: tuning))
    #expect(test.p == 1 && !test.isShownToHold(alpha: 0.05))
    #expect(test.chanceToFail(drop: 0.1, alpha: 0.05, trials: 20) == 0)
    let needed = try #require(test.trialsNeeded(alpha: 0.05, power: 0.8))
    #expect(needed > 400)
  }
}
