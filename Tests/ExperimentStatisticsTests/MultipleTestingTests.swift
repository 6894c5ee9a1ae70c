import ExperimentStatistics
import Testing

@Suite struct MultipleTestingTests {
  @Test(arguments: [
    (MultipleTesting.holm, "holm"), (.benjaminiHochberg, "benjamini-hochberg"),
  ])
  func `adjusted p-values agree with statsmodels`(
    method: MultipleTesting, file: String
  ) throws {
    for row in try ReferenceFile(file).cases {
      let adjusted = method.adjust(row.inputs)
      #expect(adjusted.count == row.expected.count)
      for (actual, expected) in zip(adjusted, row.expected) {
        #expect(agrees(actual, expected), "\(row)")
      }
    }
  }

  @Test func `none leaves the p-values alone, and no family is no trouble`() {
    #expect(MultipleTesting.none.adjust([0.3, 0.01]) == [0.3, 0.01])
    #expect(MultipleTesting.holm.adjust([]) == [])
    #expect(MultipleTesting.holm.adjust([.nan, 0.01, -1, 7]) == [1, 0.03, 0, 1])
  }

  @Test(arguments: MultipleTesting.allCases)
  func `the adjusted level rejects exactly where the adjusted p-value does`(
    method: MultipleTesting
  ) throws {
    var random = SplitMix64(seed: 5)
    for _ in 0..<300 {
      let family = (0..<Int.random(in: 1...25, using: &random)).map { _ in
        Double.random(in: 0...1, using: &random) * Double.random(in: 0...0.2, using: &random)
      }
      let adjusted = method.adjust(family)
      for index in family.indices {
        let level = try #require(method.intervalLevel(for: index, among: family, level: 0.95))
        #expect((family[index] < 1 - level) == (adjusted[index] < 0.05), "\(family) \(index)")
      }
    }
    #expect(method.intervalLevel(for: 3, among: [0.1], level: 0.95) == nil)
  }
}
