import ExperimentStatistics
import Testing

@Suite struct DurationTests {
  static func counts(_ flat: some Collection<Double>) -> ValueCounts {
    let flat = Array(flat)
    return ValueCounts(
      stride(from: 0, to: flat.count, by: 2).map { (value: flat[$0], count: Int(flat[$0 + 1])) })
  }

  @Test func `quantile intervals agree with scipy`() throws {
    for row in try ReferenceFile("quantile").cases {
      let estimate = QuantileIntervals.quantile(
        row.inputs[0], of: Self.counts(row.inputs[2...]), level: row.inputs[1])
      guard let lower = row.expected[0], let upper = row.expected[1] else {
        #expect(estimate.reason == .tooFew, "\(row)")
        continue
      }
      #expect(estimate.value?.interval == Interval(lower: lower, upper: upper), "\(row)")
    }
  }

  @Test func `Mann and Whitney's test agrees with scipy`() throws {
    for row in try ReferenceFile("mann-whitney").cases {
      let border = Int(row.inputs[0]) + 1
      let test = MannWhitney.test(
        treatment: Self.counts(row.inputs[1..<border]), control: Self.counts(row.inputs[border...]))
      #expect(agrees(test.value?.statistic, row.expected[0]), "\(row)")
      #expect(agrees(test.value?.pValue, row.expected[1]), "\(row)")
    }
  }

  @Test(arguments: [(0.5, 6), (0.9, 36), (0.99, 368)])
  func `a bound takes a least number of observations`(share: Double, least: Int) {
    func estimate(_ count: Int) -> Estimate<EstimateWithInterval> {
      QuantileIntervals.quantile(
        share, of: ValueCounts((1...count).map { (value: Double($0), count: 1) }))
    }
    #expect(estimate(least - 1).reason == .tooFew)
    #expect(estimate(least).value != nil)
  }

  @Test func `the quantile is an observation, at the rank that rounding must not move`() {
    let hundred = ValueCounts((1...100).map { (value: Double($0), count: 1) })
    #expect(QuantileIntervals.quantile(0.57, of: hundred).value?.estimate == 57)
    #expect(QuantileIntervals.quantile(0.5, of: hundred).value?.estimate == 50)
    #expect(QuantileIntervals.quantile(0.501, of: hundred).value?.estimate == 51)
  }

  @Test func `a shift of one group shifts the difference`() throws {
    let control = ValueCounts((1...500).map { (value: Double($0 * $0), count: 2) })
    let treatment = ValueCounts((1...500).map { (value: Double($0 * $0) + 1000, count: 2) })
    let median = try #require(
      QuantileIntervals.difference(0.5, treatment: treatment, control: control).value)
    #expect(median.estimate == 1000)
    #expect(median.interval.contains(0))
    let same = try #require(
      QuantileIntervals.difference(0.5, treatment: control, control: control).value)
    #expect(same.estimate == 0)
    #expect(agrees(median.interval.lower - 1000, same.interval.lower))
  }

  @Test func `what can't be estimated says why`() {
    let none = ValueCounts([])
    let same = ValueCounts([(value: 3, count: 900)])
    #expect(QuantileIntervals.quantile(0.5, of: none).reason == .emptyDenominator)
    #expect(QuantileIntervals.quantile(0, of: same).reason == .invalidInput)
    #expect(QuantileIntervals.quantile(0.5, of: same, level: 1).reason == .invalidLevel)
    #expect(
      QuantileIntervals.difference(0.5, treatment: none, control: same).reason
        == .emptyDenominator)
    #expect(MannWhitney.test(treatment: none, control: same).reason == .emptyDenominator)
    #expect(MannWhitney.test(treatment: same, control: same).reason == .noVariation)
  }

  @Test func `counts are merged, sorted and cleaned`() {
    let counts = ValueCounts([
      (value: 5, count: 2), (value: 1, count: 1), (value: 5, count: 3), (value: 2, count: 0),
      (value: .nan, count: 4), (value: 3, count: -1),
    ])
    #expect(counts.values == [1, 5])
    #expect(counts.total == 6)
    #expect(ValueCounts([(value: 1, count: .max), (value: 2, count: .max)]).total == .max)
  }
}
