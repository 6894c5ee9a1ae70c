import ExperimentStatistics
import Testing

/// What a gate promises: it fails rarely without cause, passes once the sample allows, and catches
/// what it says it catches.
@Suite struct GateTests {
  private let holm = DropFamily(alpha: 0.05, power: 0.8, correction: .holm)

  private func limit(_ runs: Int) -> Double {
    0.05 + 3 * (0.05 * 0.95 / Double(runs)).squareRoot()
  }

  /// The share of nights on which any rule fails although nothing changed.
  private func falseAlarms(_ runs: Int, _ simulation: GateSimulation, _ family: DropFamily)
    -> Double
  {
    var simulation = simulation
    var failed = 0
    for _ in 0..<runs where family.judge(simulation.draw()).contains(where: \.hasFailed) {
      failed += 1
    }
    return Double(failed) / Double(runs)
  }

  /// A margin of next to nothing leaves all the work to the test: the hardest case.
  @Test(arguments: [(500, 0.0001), (500, 0.02)])
  func `without a true change the gate seldom fails`(trials: Int, margin: Double) {
    let runs = 200
    let share = falseAlarms(
      runs,
      GateSimulation(trials: trials, baselineTrials: trials, margin: margin, seed: 41), holm)
    #expect(share <= limit(runs), "\(share)")
  }

  @Test(
    .enabled(if: SlowRuns.isWanted, SlowRuns.reason),
    arguments: [500, 2_000, 10_000], [0.0001, 0.02])
  func `without a true change the gate seldom fails in 1,000 runs`(trials: Int, margin: Double) {
    let runs = 1_000
    for baseline in [trials, 20_000] {
      let simulation = GateSimulation(
        trials: trials, baselineTrials: baseline, margin: margin, seed: 42)
      let share = falseAlarms(runs, simulation, holm)
      print("Gate fails, n = \(trials) against \(baseline), margin \(margin): \(share)")
      #expect(share <= limit(runs), "\(share)")
    }
  }

  /// Lifts and differences, from rates and from an interval alone, right way round and turned.
  @Test(arguments: [true, false], [true, false])
  func `the interval that is shown is the one that decides`(isLift: Bool, isTurned: Bool) throws {
    var decided = 0
    for (successes, alpha) in [(230, 0.05), (260, 0.025), (300, 0.01), (330, 0.005), (400, 0.001)] {
      for control in [210, 290, 380] {
        for bound in [-0.2, -0.05, 0, 0.04, 0.15, 0.4] {
          let rates = ProportionComparison(
            treatment: Proportion(successes: successes, trials: 600),
            control: Proportion(successes: control, trials: 580))
          let row = try #require((isLift ? rates.relativeLift() : rates.difference()).value)
          func turned(_ value: Double) -> Double {
            isTurned ? (isLift ? 1 / (1 + value) - 1 : -value) : value
          }
          let ends = [turned(row.interval.lower), turned(row.interval.upper)].sorted()
          let given = EstimateWithInterval(
            estimate: turned(row.estimate), interval: Interval(lower: ends[0], upper: ends[1]))
          for own in [rates, nil] {
            let test = IntervalBound(
              given, atLeast: turned(bound), margin: 0, trials: 1180, isLift: isLift, rates: own,
              isTurned: isTurned)
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
    #expect(decided > 20)
  }

  @Test func `a naive gate fails on noise and this one does not`() {
    let table = BinomialTable(trials: 2_000, share: 0.6)
    var random = SplitMix64(seed: 98)
    var (naive, tested) = (0, 0)
    let runs = 4_000
    for _ in 0..<runs {
      let current = Proportion(successes: table.draw(using: &random), trials: 2_000)
      let reference = Proportion(successes: table.draw(using: &random), trials: 2_000)
      let test = RateDrop(current: current, reference: reference, margin: 0.02)
      if test.isBeyondMargin { naive += 1 }
      if holm.judge([test])[0].hasFailed { tested += 1 }
    }
    // "Fails if it drops by 2 points" fires on noise in 9.8 % of runs.
    #expect(abs(Double(naive) / Double(runs) - 0.098) < 0.015)
    #expect(Double(tested) / Double(runs) <= limit(runs))
  }

  @Test(arguments: [(2_000, 0.03), (6_000, 0.02)])
  func `a healthy night is green once the sample allows`(trials: Int, margin: Double) {
    var random = SplitMix64(seed: 43)
    let tables = [0.6, 0.85].map { BinomialTable(trials: trials, share: $0) }
    var (green, runs) = (0, 0)
    for _ in 0..<200 {
      let tests = tables.map { table in
        RateDrop(
          current: Proportion(successes: table.draw(using: &random), trials: trials),
          reference: Proportion(successes: table.draw(using: &random), trials: trials),
          margin: margin)
      }
      runs += 1
      let isGreen = holm.judge(tests).allSatisfy { [.passed, .noneShown].contains($0.outcome) }
      if isGreen { green += 1 }
    }
    #expect(Double(green) / Double(runs) >= 0.93, "\(green) of \(runs)")
  }

  @Test(arguments: [500, 2_000], [0.6, 0.95])
  func `the power that is promised is the power that is found`(trials: Int, rate: Double) throws {
    let test = RateDrop(
      current: Proportion(successes: 0, trials: trials),
      reference: Proportion(successes: Int(rate * Double(trials)), trials: trials), margin: 0.01)
    let alpha = holm.singleAlpha(of: 6)
    let drop = try #require(test.smallestDropCaught(alpha: alpha, power: 0.8, largest: rate))
    let promised = test.chanceToFail(drop: drop, alpha: alpha)
    #expect(promised >= 0.8 && promised < 0.82)
    let found = found(trials, rate: rate, drop: drop, runs: 6_000)
    #expect(abs(found - promised) < 0.02, "promised \(promised), found \(found)")
    let alarms = test.chanceToFail(drop: 0, alpha: alpha)
    #expect(alarms <= alpha * 1.5, "\(alarms)")
  }

  /// How often the first of six rules fails when it alone is worse.
  private func found(_ trials: Int, rate: Double, drop: Double, runs: Int) -> Double {
    let before = BinomialTable(trials: trials, share: rate)
    let after = BinomialTable(trials: trials, share: rate - drop)
    let quiet = RateDrop(
      current: Proportion(successes: 60, trials: 100),
      reference: Proportion(successes: 60, trials: 100), margin: 0.01)
    var random = SplitMix64(seed: 44)
    var failed = 0
    for _ in 0..<runs {
      let test = RateDrop(
        current: Proportion(successes: after.draw(using: &random), trials: trials),
        reference: Proportion(successes: before.draw(using: &random), trials: trials), margin: 0.01)
      let p = [test.isBeyondMargin ? test.p ?? 1 : 1] + Array(repeating: quiet.p ?? 1, count: 5)
      if MultipleTesting.holm.adjust(p)[0] < 0.05 { failed += 1 }
    }
    return Double(failed) / Double(runs)
  }

  @Test func `the chance of a bound to fail is the binomial's`() {
    let test = RateBound(
      sample: Proportion(successes: 0, trials: 400), atLeast: 0.8, margin: 0.02)
    let table = BinomialTable(trials: 400, share: 0.76)
    var expected = 0.0
    for count in 0...400 {
      let sample = RateBound(
        sample: Proportion(successes: count, trials: 400), atLeast: 0.8, margin: 0.02)
      if sample.p ?? 1 < 0.01 { expected += table.chances[count] }
    }
    #expect(abs(test.chanceToFail(drop: 0.04, alpha: 0.01) - expected) < 1e-9)
  }

  @Test func `exact chances meet the normal limit where samples are large`() throws {
    let test = RateDrop(
      current: Proportion(successes: 0, trials: 90_000),
      reference: Proportion(successes: 54_000, trials: 90_000), margin: 0.001)
    let limit = try #require(
      Power.chanceToShow(
        treatmentRate: 0.594, controlRate: 0.6, treatmentTrials: 90_000, controlTrials: 90_000,
        alpha: 0.05, sides: .one
      ).value)
    #expect(abs(test.chanceToFail(drop: 0.006, alpha: 0.05) - limit) < 0.002)
  }

  @Test func `the trials that are said to be missing are enough`() throws {
    let test = RateDrop(
      current: Proportion(successes: 280, trials: 400),
      reference: Proportion(successes: 7_000, trials: 10_000), margin: 0.02)
    guard case .inconclusive(let missing?) = holm.judge([test])[0].outcome else {
      Issue.record("it should be inconclusive")
      return
    }
    let needed = test.trials + missing
    #expect(test.chanceToFail(drop: 0.04, alpha: 0.05, trials: needed) >= 0.8)
    #expect(test.chanceToFail(drop: 0.04, alpha: 0.05, trials: needed * 9 / 10) < 0.8)
  }

  @Test func `nothing to go by is inconclusive and a rate of nothing can't drop`() {
    let empty = RateDrop(
      current: Proportion(successes: 0, trials: 0),
      reference: Proportion(successes: 5, trials: 10), margin: 0.02)
    let floor = RateDrop(
      current: Proportion(successes: 0, trials: 10),
      reference: Proportion(successes: 0, trials: 10), margin: 0.02)
    let judged = holm.judge([empty, floor])
    #expect(judged[0].outcome == .inconclusive(missing: nil))
    // Its true rate may be above 0, and drop by more than the margin.
    #expect(judged[1].outcome == .inconclusive(missing: nil))
    let large = RateDrop(
      current: Proportion(successes: 0, trials: 1_000),
      reference: Proportion(successes: 0, trials: 1_000), margin: 0.02)
    #expect(holm.judge([large])[0].outcome == .passed)
  }

  @Test func `a drop within the margin passes however sure it is`() {
    let test = RateDrop(
      current: Proportion(successes: 590_000, trials: 1_000_000),
      reference: Proportion(successes: 600_000, trials: 1_000_000), margin: 0.02)
    let judged = holm.judge([test])[0]
    #expect(judged.p ?? 1 < 1e-6)
    #expect(judged.outcome == .passed)
    let exactly = RateDrop(
      current: Proportion(successes: 580_000, trials: 1_000_000),
      reference: Proportion(successes: 600_000, trials: 1_000_000), margin: 0.02)
    // Its interval reaches beyond the margin: nothing worse is shown, and nothing better proven.
    #expect(holm.judge([exactly])[0].outcome == .noneShown)
  }
}

extension DropFamily.Judgement {
  var hasFailed: Bool { outcome == .failed }
}
