import ExperimentStatistics
import Testing

@Suite struct SampleRatioTests {
  @Test func `the chi-square test agrees with scipy`() throws {
    for row in try ReferenceFile("sample-ratio").cases {
      let arms = row.inputs.count / 2
      let test = SampleRatio.test(
        observed: row.inputs[0..<arms].map { Int($0) }, expectedShares: Array(row.inputs[arms...]))
      #expect(agrees(test.value?.statistic, row.expected[0]), "\(row)")
      #expect(agreesRelatively(test.value?.pValue, row.expected[1]), "\(row)")
    }
  }

  @Test func `what can't be tested says why`() {
    #expect(
      SampleRatio.test(observed: [0, 0], expectedShares: [1, 1]).reason == .emptyDenominator)
    #expect(SampleRatio.test(observed: [5], expectedShares: [1]).reason == .tooFew)
    #expect(SampleRatio.test(observed: [], expectedShares: []).reason == .tooFew)
    #expect(SampleRatio.test(observed: [5, 5], expectedShares: [1]).reason == .invalidInput)
    #expect(SampleRatio.test(observed: [5, 5], expectedShares: [1, 0]).reason == .invalidInput)
    #expect(SampleRatio.test(observed: [5, 5], expectedShares: [1, .nan]).reason == .invalidInput)
  }

  @Test func `shares are weights`() {
    let shares = SampleRatio.test(observed: [70, 40], expectedShares: [0.6, 0.4]).value
    let weights = SampleRatio.test(observed: [70, 40], expectedShares: [3, 2]).value
    #expect(agrees(shares?.statistic, weights?.statistic, within: 1e-14))
  }
}
