import ExperimentStatistics
import Testing

/// Where a drop is, among slices with rates and sizes of their own.
@Suite struct SliceDepartureTests {
  private static let sizes = [3_000, 1_500, 800, 200]
  private static let rates = [0.8, 0.6, 0.5, 0.3]

  /// The slices that are named, by Holm's correction over all of them.
  private func named(
    _ random: inout SplitMix64, _ before: [BinomialTable], _ after: [BinomialTable]
  ) -> [Int] {
    let pairs = zip(before, after).map { before, after in
      ProportionComparison(
        treatment: Proportion(successes: after.draw(using: &random), trials: after.trials),
        control: Proportion(successes: before.draw(using: &random), trials: before.trials))
    }
    let values = pairs.indices.map { index in
      let rest = pairs.indices.filter { $0 != index }.map { pairs[$0] }
      return SliceDeparture(pairs[index], rest: rest)?.lessP ?? 1
    }
    let adjusted = MultipleTesting.holm.adjust(values)
    return adjusted.indices.filter { adjusted[$0] < 0.05 }
  }

  private func tables(_ drop: (Int, Double) -> Double) -> [BinomialTable] {
    zip(Self.sizes, Self.rates).enumerated().map { index, slice in
      BinomialTable(trials: slice.0, share: slice.1 - drop(index, slice.1))
    }
  }

  @Test(arguments: ["points", "ratio", "failures"])
  func `a drop that is alike everywhere names no slice`(scale: String) {
    let runs = 1_500
    let before = tables { _, _ in 0 }
    let after = tables { _, rate in
      switch scale {
      case "points": 0.06
      case "ratio": 0.12 * rate
      default: 0.15 * (1 - rate)
      }
    }
    var random = SplitMix64(seed: 71)
    var found = 0
    for _ in 0..<runs where !named(&random, before, after).isEmpty { found += 1 }
    let share = Double(found) / Double(runs)
    print("alike in \(scale): \(share) name a slice")
    #expect(share <= 0.05 + 3 * (0.05 * 0.95 / Double(runs)).squareRoot())
  }

  @Test func `a drop in one slice names that slice`() {
    let runs = 300
    let before = tables { _, _ in 0 }
    let after = tables { index, _ in index == 1 ? 0.12 : 0 }
    var random = SplitMix64(seed: 72)
    var (right, wrong) = (0, 0)
    for _ in 0..<runs {
      let found = named(&random, before, after)
      right += found.contains(1) ? 1 : 0
      wrong += found.contains { $0 != 1 } ? 1 : 0
    }
    #expect(Double(right) / Double(runs) > 0.9, "\(right)")
    #expect(Double(wrong) / Double(runs) < 0.1, "\(wrong)")
  }

  @Test func `a handful of people who all failed depart from nothing`() {
    let few = ProportionComparison(
      treatment: Proportion(successes: 0, trials: 3), control: Proportion(successes: 3, trials: 4))
    let rest = ProportionComparison(
      treatment: Proportion(successes: 700, trials: 1_000),
      control: Proportion(successes: 800, trials: 1_000))
    #expect((SliceDeparture(few, rest: [rest])?.lessP ?? 0) > 0.01)
    let none = ProportionComparison(
      treatment: Proportion(successes: 0, trials: 0), control: Proportion(successes: 3, trials: 4))
    #expect(SliceDeparture(none, rest: [rest]) == nil)
    #expect(SliceDeparture(rest, rest: [none]) == nil)
  }
}
