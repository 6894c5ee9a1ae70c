import ExperimentStatistics
import Testing

@Suite struct MultipleTestingTests {
  @Test func `none leaves the p-values alone, and no family is no trouble`() {
    #expect(MultipleTesting.none.adjust([0.3, 0.01]) == [0.3, 0.01])
    #expect(MultipleTesting.holm.adjust([]) == [])
    #expect(MultipleTesting.holm.adjust([.nan, 0.01, -1, 7]) == [1, 0.03, 0, 1])
  }

  @Test(arguments: MultipleTesting.allCases)
  func `the adjusted level rejects exactly where the adjusted p-value does`(
    method: MultipleTesting
  ) {
    var random = SplitMix64(seed: 5)
    for _ in 0..<300 {
      let family = (0..<Int.random(in: 1...25, using: &random)).map { _ in
        Double.random(in: 0...1, using: &random) * Double.random(in: 0...0.2, using: &random)
      }
      let adjusted = method.adjust(family)
      let alphas = method.intervalAlphas(family, alpha: 0.05)
      for index in family.indices {
        #expect((family[index] < alphas[index]) == (adjusted[index] < 0.05), "\(family) \(index)")
        let least = 0.05 / Double(family.count) * 0.999
        #expect(alphas[index] >= least && alphas[index] <= 0.05)
      }
    }
    #expect(method.intervalAlphas([], alpha: 0.05) == [])
  }

  @Test func `the levels of a family by hand`() {
    let family = [0.9, 0.001, 0.001, 0.02, 0.5]
    // Holm shows the two of 0.001, at the first step; three remain.
    let third = 0.05 / 3
    #expect(
      MultipleTesting.holm.intervalAlphas(family, alpha: 0.05)
        == [third, 0.01, 0.01, third, third])
    // Benjamini and Hochberg show three of five.
    let shown = MultipleTesting.benjaminiHochberg.intervalAlphas(family, alpha: 0.05)
    #expect(shown == Array(repeating: 0.05 * 0.6, count: 5))
    #expect(MultipleTesting.none.intervalAlphas([0.5], alpha: 0.1) == [0.1])
  }
}
