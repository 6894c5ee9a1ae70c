import ExperimentStatistics
import Testing

/// All numbers of one experiment's page: 20 metrics, 4 variants (the first is the control), 50 slices.
@Suite struct BlockTests {
  private struct Block {
    /// By slice, metric, variant.
    let counts: [[[Proportion]]]

    init(persons: Int, seed: UInt64) {
      var random = SplitMix64(seed: seed)
      counts = (0..<50).map { _ in
        (0..<20).map { metric in
          (0..<4).map { _ in
            let rate = 0.03 + 0.045 * Double(metric) + Double.random(in: 0...0.01, using: &random)
            let trials = persons + Int.random(in: 0...(persons / 10), using: &random)
            return Proportion(successes: Int(rate * Double(trials)), trials: trials)
          }
        }
      }
    }

    /// Everything the report asks of a slice; returns how many numbers came out.
    func evaluate() -> Int {
      var made = 0
      for slice in counts {
        let comparisons = slice.flatMap { variants in
          variants.dropFirst().map { ProportionComparison(treatment: $0, control: variants[0]) }
        }
        let split = SampleRatio.test(
          observed: slice[0].map(\.trials), expectedShares: [1, 1, 1, 1])
        made += split.value == nil ? 0 : 1
        for variant in slice.joined() where ProportionIntervals.wilson(variant).value != nil {
          made += 1
        }
        let raw = comparisons.map { $0.scoreTest().value?.twoSidedP ?? 1 }
        let adjusted = MultipleTesting.holm.adjust(raw)
        let alphas = MultipleTesting.holm.intervalAlphas(raw, alpha: 0.05)
        for (index, comparison) in comparisons.enumerated() {
          for level in [0.95, 1 - alphas[index]] {
            made += comparison.difference(level: level).value == nil ? 0 : 1
            made += comparison.relativeLift(level: level).value == nil ? 0 : 1
          }
          made += chances(comparison, adjusted[index])
        }
      }
      return made
    }

    private func chances(_ comparison: ProportionComparison, _ adjusted: Double) -> Int {
      let better = BetaBinomial.probabilityBetter(
        treatment: comparison.treatment, control: comparison.control)
      let loss = BetaBinomial.expectedLoss(
        treatment: comparison.treatment, control: comparison.control)
      let exact = comparison.hasSmallCell ? comparison.fisherExact().value : nil
      let verdict = Verdict.of(comparison, adjustedP: adjusted, targetLift: 0.05)
      return (better.value == nil ? 0 : 1) + (loss.value == nil ? 0 : 1) + (exact == nil ? 0 : 1)
        + (verdict == .higher ? 1 : 0)
    }
  }

  @Test(arguments: [500, 5_000, 100_000])
  func `a block of 20 metrics, 4 variants and 50 slices`(persons: Int) {
    #expect(Block(persons: persons, seed: 9).evaluate() >= 50 + 4_000 + 3_000 * 6)
  }
}
