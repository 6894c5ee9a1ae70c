import ExperimentStatistics
import Testing

@Suite struct ProportionTests {
  @Test func `impossible counts are clamped`() {
    #expect(Proportion(successes: 7, trials: 3) == Proportion(successes: 3, trials: 3))
    #expect(Proportion(successes: -1, trials: 3) == Proportion(successes: 0, trials: 3))
    #expect(Proportion(successes: 1, trials: -3) == Proportion(successes: 0, trials: 0))
  }

  @Test func `no trials means no estimate`() {
    #expect(Proportion(successes: 0, trials: 0).estimate == nil)
    #expect(Proportion(successes: 1, trials: 4).estimate == 0.25)
  }

  @Test func `an interval without trials says why it is missing`() {
    let empty = Proportion(successes: 0, trials: 0)
    #expect(ProportionIntervals.wilson(empty).reason == .emptyDenominator)
  }

  @Test(arguments: [0, 1, -0.5, 1.5, .nan, .infinity] as [Double])
  func `a level that is no level is refused`(level: Double) {
    let half = Proportion(successes: 1, trials: 2)
    let comparison = ProportionComparison(treatment: half, control: half)
    #expect(ProportionIntervals.wilson(half, level: level).reason == .invalidLevel)
    #expect(comparison.difference(level: level).reason == .invalidLevel)
    #expect(comparison.relativeLift(level: level).reason == .invalidLevel)
  }

  @Test func `Wilson agrees with statsmodels`() throws {
    for row in try ReferenceFile("wilson").cases {
      let proportion = Proportion(successes: Int(row.inputs[0]), trials: Int(row.inputs[1]))
      let interval = ProportionIntervals.wilson(proportion, level: row.inputs[2]).value
      #expect(agrees(interval?.lower, row.expected[0]), "\(row)")
      #expect(agrees(interval?.upper, row.expected[1]), "\(row)")
    }
  }

  @Test func `Clopper and Pearson agree with statsmodels`() throws {
    for row in try ReferenceFile("clopper-pearson").cases {
      let proportion = Proportion(successes: Int(row.inputs[0]), trials: Int(row.inputs[1]))
      let interval = ProportionIntervals.clopperPearson(proportion, level: row.inputs[2]).value
      #expect(agreesRelatively(interval?.lower, row.expected[0]), "\(row)")
      #expect(agreesRelatively(interval?.upper, row.expected[1]), "\(row)")
    }
  }
}
