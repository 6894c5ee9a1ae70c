import Foundation
import Testing

@testable import ExperimentStatistics

/// Accounts whose people enter in several periods of an experiment whose split changed.
@Suite struct AccountsOverPeriodsTests {
  /// Of one variant: the moments of each period, and of all people together.
  private struct Group {
    var periods: [ClusterMoments]
    var all = ClusterMoments()

    /// - Parameter spread: of the accounts' levels, a normal deviate on the log odds.
    init(accounts: Int, people: Int, periods count: Int, spread: Double, _ random: inout SplitMix64)
    {
      periods = Array(repeating: ClusterMoments(), count: count)
      for _ in 0..<accounts {
        let level = (0..<12).reduce(-6.0) { sum, _ in sum + random.uniform() }
        let chance = 1 / (1 + exp(-spread * level))
        var values = Array(repeating: 0.0, count: count)
        var sizes = values
        for person in 0..<people {
          let period = person % count
          sizes[period] += 1
          if random.uniform() < chance { values[period] += 1 }
        }
        for period in 0..<count {
          periods[period].add(value: values[period], people: sizes[period])
        }
        all.add(value: values.reduce(0, +), people: sizes.reduce(0, +))
      }
    }

    var proportions: [ClusteredProportion] {
      periods.map { ClusteredProportion($0, among: periods, of: all) }
    }

    var means: [SampleMean] { periods.map { SampleMean($0, among: periods, of: all) } }
  }

  /// With the accounts of each period taken for other ones 9 to 18 % of these differ.
  @Test(arguments: [1, 2, 4]) func `healthy experiments differ as seldom as promised`(periods: Int)
  {
    var random = SplitMix64(seed: UInt64(40 + periods))
    let runs = 1_500
    var (rates, means) = (0, 0)
    for _ in 0..<runs {
      let groups = (0..<2).map { _ in
        Group(accounts: 50, people: 20, periods: periods, spread: 1, &random)
      }
      let comparison = StratifiedComparison(
        clustered: zip(groups[0].proportions, groups[1].proportions).map { ($0, $1) })
      if let p = comparison.scoreTest().value?.twoSidedP, p < 0.05 { rates += 1 }
      let amounts = MeanComparison(
        strata: zip(groups[0].means, groups[1].means).map { .init(treatment: $0, control: $1) })
      if let interval = amounts.difference(level: 0.95).value?.interval,
        interval.lower > 0 || interval.upper < 0
      {
        means += 1
      }
    }
    print("\(periods) periods: rates \(rates), means \(means) of \(runs)")
    let limit = 0.05 + 3 * (0.05 * 0.95 / Double(runs)).squareRoot()
    for found in [rates, means] {
      #expect(Double(found) <= limit * Double(runs))
      // Nor is it so careful that it never says anything.
      #expect(Double(found) >= 0.02 * Double(runs))
    }
  }

  @Test func `one period is what it was`() {
    var random = SplitMix64(seed: 4)
    let group = Group(accounts: 30, people: 7, periods: 1, spread: 1, &random)
    #expect(group.proportions == [ClusteredProportion(group.all)])
    #expect(group.means == [SampleMean(group.all)])
  }
}
