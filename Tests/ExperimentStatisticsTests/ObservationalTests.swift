import ExperimentStatistics
import Testing

@Suite struct ObservationalTests {
  @Test func `the stratified ratio agrees with its references`() throws {
    for row in try ReferenceFile("mantel-haenszel").cases {
      let strata = stride(from: 0, to: row.inputs.count, by: 4).map {
        ProportionComparisonTests.comparison(Array(row.inputs[$0..<$0 + 4]))
      }
      let ratio = MantelHaenszel.riskRatio(strata: strata).value
      #expect(agrees(ratio?.estimate, row.expected[0]), "\(row)")
      #expect(agrees(ratio?.interval.lower, row.expected[1]), "\(row)")
      #expect(agrees(ratio?.interval.upper, row.expected[2]), "\(row)")
    }
  }

  /// Both strata have a ratio of 2; thrown together they would have another.
  @Test func `a ratio common to all strata is found`() throws {
    let strata = [[40, 100, 20, 100], [8, 10, 200, 500]].map {
      ProportionComparisonTests.comparison($0)
    }
    #expect(agrees(MantelHaenszel.riskRatio(strata: strata).value?.estimate, 2))
  }

  @Test func `what has no ratio says why`() {
    func reason(_ inputs: [[Double]]) -> Unavailable? {
      MantelHaenszel.riskRatio(strata: inputs.map { ProportionComparisonTests.comparison($0) })
        .reason
    }
    #expect(reason([]) == .emptyDenominator)
    #expect(reason([[1, 4, 0, 0]]) == .emptyDenominator)
    #expect(reason([[1, 4, 0, 9]]) == .zeroControl)
    #expect(reason([[0, 4, 0, 9]]) == .zeroControl)
    #expect(reason([[0, 4, 3, 9]]) == .tooFew)
  }

  /// The worked example of VanderWeele and Ding (2017): 3.9 (1.8 to 8.7) has E-values 7.26 and 3.
  @Test func `E-values match the published example`() throws {
    let estimate = try #require(EValue.ofRatio(3.9).value)
    let bound = try #require(EValue.ofInterval(Interval(lower: 1.8, upper: 8.7)).value)
    #expect(abs(estimate - 7.26) < 0.005)
    #expect(abs(bound - 3.0) < 0.005)
    #expect(agrees(EValue.ofRatio(1 / 3.9).value, estimate))
    #expect(EValue.ofInterval(Interval(lower: 0.9, upper: 1.2)).value == 1)
    #expect(agrees(EValue.ofInterval(Interval(lower: 0.2, upper: 0.5)).value, 2 + 2.0.squareRoot()))
    #expect(EValue.ofRatio(1).value == 1)
    for ratio in [0, -1, .nan, .infinity, 1e-200] {
      #expect(EValue.ofRatio(ratio).reason == .invalidInput)
    }
  }
}
