import ExperimentStatistics
import Foundation
import Testing

/// Amounts a person: most people have none, and those who have one have a skewed one.
@Suite struct MeanComparisonTests {
  private struct Sums {
    var count = 0
    var sum = 0.0
    var squares = 0.0

    /// One in five has an amount, exponential around 10 times `scale`.
    mutating func add(_ people: Int, scale: Double, _ random: inout SplitMix64) {
      for _ in 0..<people {
        count += 1
        guard Double(random.next() >> 11) * 0x1p-53 < 0.2 else { continue }
        let amount = -10 * scale * log1p(-Double(random.next() >> 11) * 0x1p-53)
        sum += amount
        squares += amount * amount
      }
    }

    var mean: SampleMean {
      let n = Double(count)
      return SampleMean(
        count: count, mean: sum / n, variance: (squares - sum * sum / n) / (n - 1))
    }
  }

  private func margin(_ share: Double, _ runs: Int) -> Double {
    3 * (share * (1 - share) / Double(runs)).squareRoot()
  }

  @Test func `intervals of difference and lift cover as often as they say`() throws {
    var random = SplitMix64(seed: 51)
    let runs = 1_500
    var (difference, lift, alarms) = (0, 0, 0)
    for run in 0..<runs {
      let isNull = run % 3 == 0
      var (treatment, control) = (Sums(), Sums())
      treatment.add(700, scale: isNull ? 1 : 1.2, &random)
      control.add(500, scale: 1, &random)
      let comparison = MeanComparison(
        strata: [.init(treatment: treatment.mean, control: control.mean)])
      let truth = isNull ? 0 : 0.2
      if try #require(comparison.difference().value).interval.contains(truth * 2) {
        difference += 1
      }
      if try #require(comparison.relativeLift().value).interval.contains(truth) { lift += 1 }
      if isNull, try #require(comparison.pValue().value) < 0.05 { alarms += 1 }
    }
    print("Amounts of \(runs): difference \(difference), lift \(lift) covered; \(alarms) alarms")
    for covered in [difference, lift] {
      #expect(abs(Double(covered) / Double(runs) - 0.95) <= margin(0.05, runs))
    }
    #expect(Double(alarms) / Double(runs / 3) <= 0.05 + margin(0.05, runs / 3))
  }

  @Test func `amounts that are watched raise few false alarms`() {
    var random = SplitMix64(seed: 52)
    let runs = 300
    var (watched, single) = (0, 0)
    for _ in 0..<runs {
      var (treatment, control) = (Sums(), Sums())
      var (isOff, isOffAtOnce) = (false, false)
      for _ in 0..<30 {
        treatment.add(60, scale: 1, &random)
        control.add(60, scale: 1, &random)
        let strata = [MeanComparison.Stratum(treatment: treatment.mean, control: control.mean)]
        let always = MeanComparison(strata: strata, sequential: SequentialTuning())
        if (always.pValue().value ?? 1) < 0.05 { isOff = true }
        if (MeanComparison(strata: strata).pValue().value ?? 1) < 0.05 { isOffAtOnce = true }
      }
      watched += isOff ? 1 : 0
      single += isOffAtOnce ? 1 : 0
    }
    print("Watched amounts: sequence \(watched), Welch \(single) of \(runs)")
    #expect(Double(watched) / Double(runs) <= 0.05 + margin(0.05, runs))
    #expect(Double(single) / Double(runs) > 0.15)
  }

  @Test(arguments: [nil, SequentialTuning(trials: 800)])
  func `p and both intervals say one thing at every level`(tuning: SequentialTuning?) throws {
    var random = SplitMix64(seed: 53)
    for _ in 0..<50 {
      var (treatment, control) = (Sums(), Sums())
      treatment.add(400, scale: 1.3, &random)
      control.add(400, scale: 1, &random)
      let comparison = MeanComparison(
        strata: [.init(treatment: treatment.mean, control: control.mean)], sequential: tuning)
      let p = try #require(comparison.pValue().value)
      for factor in [0.98, 1.02] where p * factor < 0.999 {
        let level = 1 - p * factor
        let difference = try #require(comparison.difference(level: level).value).interval
        #expect(difference.contains(0) == (factor < 1))
        guard let lift = comparison.relativeLift(level: level).value?.interval else { continue }
        #expect(lift.contains(0) == (factor < 1))
      }
    }
  }

  /// The dearer period has most of the treatment: all periods together would show a difference.
  @Test func `amounts are compared within the periods of one split`() throws {
    let cheap = SampleMean(count: 900, mean: 1, variance: 4)
    let dear = SampleMean(count: 900, mean: 3, variance: 4)
    let comparison = MeanComparison(
      strata: [
        .init(treatment: SampleMean(count: 100, mean: 1, variance: 4), control: cheap),
        .init(treatment: dear, control: SampleMean(count: 100, mean: 3, variance: 4)),
      ])
    let difference = try #require(comparison.difference().value)
    #expect(abs(difference.estimate) < 1e-12 && difference.interval.contains(0))
  }

  @Test func `what can't be compared says why`() {
    let none = SampleMean(count: 0, mean: 0, variance: 0)
    let flat = SampleMean(count: 5, mean: 2, variance: 0)
    #expect(
      MeanComparison(strata: [.init(treatment: none, control: flat)]).pValue().reason == .tooFew)
    let equal = MeanComparison(strata: [.init(treatment: flat, control: flat)])
    #expect(equal.difference().reason == .noVariation)
    let zero = SampleMean(count: 50, mean: 0.01, variance: 9)
    let wild = MeanComparison(strata: [.init(treatment: zero, control: zero)])
    #expect(wild.relativeLift().reason == .zeroControl && wild.difference().value != nil)
    #expect(wild.difference(level: 1).reason == .invalidLevel)
  }
}
