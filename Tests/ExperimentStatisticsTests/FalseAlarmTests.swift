import ExperimentStatistics
import Foundation
import Testing

/// How often something is found where there is nothing, by simulation with fixed seeds.
@Suite struct FalseAlarmTests {
  /// Five per cent and three Monte-Carlo standard errors.
  private func limit(_ runs: Int) -> Double {
    0.05 + 3 * (0.05 * 0.95 / Double(runs)).squareRoot()
  }

  private struct Alarms {
    var always = 0
    var fixed = 0
  }

  /// Runs of 60 days in which both groups have the same rate, looked at every day.
  private func alarms(runs: Int, rate: Double, perDay: Int, seed: UInt64) -> Alarms {
    var random = SplitMix64(seed: seed)
    let table = BinomialTable(trials: perDay, share: rate)
    var alarms = Alarms()
    for _ in 0..<runs {
      var (x1, x0) = (0, 0)
      var (always, fixed) = (false, false)
      for day in 1...60 {
        x1 += table.draw(using: &random)
        x0 += table.draw(using: &random)
        let treatment = Proportion(successes: x1, trials: day * perDay)
        let control = Proportion(successes: x0, trials: day * perDay)
        let interval = ConfidenceSequence.difference(treatment: treatment, control: control)
        if let interval = interval.value?.interval, !interval.contains(0) { always = true }
        let test = ProportionComparison(treatment: treatment, control: control).scoreTest()
        if let test = test.value, test.twoSidedP < 0.05 { fixed = true }
      }
      alarms.always += always ? 1 : 0
      alarms.fixed += fixed ? 1 : 0
    }
    return alarms
  }

  @Test(arguments: [(0.1, 60), (0.5, 100), (0.9, 400)])
  func `daily looks at the sequence for 60 days raise few false alarms`(
    rate: Double, perDay: Int
  ) {
    let runs = 1_000
    let alarms = alarms(runs: runs, rate: rate, perDay: perDay, seed: 60)
    let share = Double(alarms.always) / Double(runs)
    let fixed = Double(alarms.fixed) / Double(runs)
    print("False alarms in 60 looks, rate \(rate): sequence \(share), fixed intervals \(fixed)")
    #expect(share <= limit(runs))
    // What the sequence is for: looking daily at an ordinary interval alarms many times as often.
    #expect(fixed > 0.2)
  }

  @Test(.enabled(if: SlowRuns.isWanted, SlowRuns.reason))
  func `daily looks raise few false alarms in many runs`() {
    let runs = 20_000
    for (rate, perDay) in [(0.02, 500), (0.1, 60), (0.6, 1000)] {
      let alarms = alarms(runs: runs, rate: rate, perDay: perDay, seed: 61)
      let share = Double(alarms.always) / Double(runs)
      print("False alarms in 60 looks, rate \(rate), \(runs) runs: \(share)")
      #expect(share <= limit(runs))
    }
  }

  @Test func `a family of 20 metrics under Holm raises few false alarms`() {
    var random = SplitMix64(seed: 20)
    let runs = 3_000
    let tables = (0..<20).map { BinomialTable(trials: 400, share: 0.05 + 0.045 * Double($0)) }
    var (holm, none) = (0, 0)
    for _ in 0..<runs {
      let values = tables.map { table in
        let comparison = ProportionComparison(
          treatment: Proportion(successes: table.draw(using: &random), trials: 400),
          control: Proportion(successes: table.draw(using: &random), trials: 400))
        return comparison.scoreTest().value?.twoSidedP ?? 1
      }
      if MultipleTesting.holm.adjust(values).contains(where: { $0 < 0.05 }) { holm += 1 }
      if values.contains(where: { $0 < 0.05 }) { none += 1 }
    }
    let share = Double(holm) / Double(runs)
    print("False alarms in a family of 20: Holm \(share), none \(Double(none) / Double(runs))")
    #expect(share <= limit(runs))
    #expect(Double(none) / Double(runs) > 0.5)
  }

  /// Two groups of one skewed distribution: the interval of the difference must hold 0, the test
  /// must not reject.
  @Test func `durations of one distribution differ rarely`() throws {
    var random = SplitMix64(seed: 30)
    let runs = 600
    func group() -> ValueCounts {
      ValueCounts(
        (0..<200).map { _ in
          let share = random.uniform()
          // Whole seconds, so that there are ties.
          return (value: (-30 * log1p(-share)).rounded(.down), count: 1)
        })
    }
    var (median, tail, shift) = (0, 0, 0)
    for _ in 0..<runs {
      let (treatment, control) = (group(), group())
      let first = QuantileIntervals.difference(0.5, treatment: treatment, control: control)
      let second = QuantileIntervals.difference(0.9, treatment: treatment, control: control)
      if try !#require(first.value).interval.contains(0) { median += 1 }
      if try !#require(second.value).interval.contains(0) { tail += 1 }
      let test = MannWhitney.test(treatment: treatment, control: control).value
      if try #require(test).pValue < 0.05 { shift += 1 }
    }
    print("False alarms of \(runs): median \(median), p90 \(tail), Mann-Whitney \(shift)")
    for count in [median, tail, shift] { #expect(Double(count) / Double(runs) <= limit(runs)) }
    #expect(shift > 0)
  }
}
