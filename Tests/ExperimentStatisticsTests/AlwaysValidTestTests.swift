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

  /// Each of ten or fifty metrics has such a level. With 5 successes and failures at every level
  /// the small group's are wrong in up to 1 % instead of 0.5, and in 0.5 instead of 0.1.
  @Test(arguments: [(0.95, 50, 950), (0.05, 10, 190)])
  func `sixty nights of unequal groups keep the levels of many metrics`(
    rate: Double, treatment: Int, control: Int
  ) {
    let runs = 10_000
    let alphas = [0.05, 0.005, 0.001]
    var random = SplitMix64(seed: 67)
    let tables = [treatment, control].map { BinomialTable(trials: $0, share: rate) }
    var wrong = alphas.map { _ in 0 }
    for _ in 0..<runs {
      var (own, other, least) = (0, 0, 1.0)
      for day in 1...60 {
        own += tables[0].draw(using: &random)
        other += tables[1].draw(using: &random)
        let p = ConfidenceSequence.pValue(
          treatment: Proportion(successes: own, trials: day * treatment),
          control: Proportion(successes: other, trials: day * control), tuning: tuning)
        least = min(least, p.value ?? 1)
      }
      for (place, alpha) in alphas.enumerated() where least < alpha { wrong[place] += 1 }
    }
    print("60 nights of \(treatment) and \(control) at \(rate): \(wrong) of \(runs) wrong")
    for (alpha, wrong) in zip(alphas, wrong) {
      let mean = alpha * Double(runs)
      #expect(Double(wrong) <= mean + 3 * mean.squareRoot())
    }
  }

  /// A p-value is below a level exactly where there is an interval of that level without 0.
  @Test func `few people's p and intervals of all levels agree`() {
    var random = SplitMix64(seed: 68)
    var shown = 0
    for _ in 0..<2_000 {
      let own = Proportion(
        successes: Int.random(in: 5...40, using: &random),
        trials: Int.random(in: 100...300, using: &random))
      let other = Proportion(
        successes: Int.random(in: 5...80, using: &random),
        trials: Int.random(in: 100...600, using: &random))
      let p = ConfidenceSequence.pValue(treatment: own, control: other, tuning: tuning).value ?? 1
      for alpha in [0.05, 0.01, 0.001, 0.0001] {
        let interval = ConfidenceSequence.difference(
          treatment: own, control: other, level: 1 - alpha, tuning: tuning
        ).value?.interval
        let excludes = interval.map { !$0.contains(0) } ?? false
        #expect(excludes == (p < alpha))
        shown += excludes ? 1 : 0
      }
    }
    #expect(shown > 100)
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
