import ExperimentStatistics
import Testing

@Suite struct PowerTests {
  @Test func `the chance to show a difference agrees with statsmodels`() throws {
    for row in try ReferenceFile("power").cases {
      let chance = Power.chanceToShow(
        treatmentRate: row.inputs[0], controlRate: row.inputs[1],
        treatmentTrials: Int(row.inputs[2]), controlTrials: Int(row.inputs[3]),
        alpha: row.inputs[4])
      #expect(agrees(chance.value, row.expected[0]), "\(row)")
    }
  }

  @Test func `the sample size is statsmodels's rounded up`() throws {
    for row in try ReferenceFile("sample-size").cases {
      let size = Power.trialsNeeded(
        treatmentRate: row.inputs[0], controlRate: row.inputs[1],
        treatmentPerControl: row.inputs[2], alpha: row.inputs[3], power: row.inputs[4])
      let expected = try #require(row.expected[0])
      #expect(size.value?.treatment == Int(expected.rounded(.up)), "\(row)")
    }
  }

  @Test func `the smallest detectable difference has just the power asked for`() throws {
    for (rate, n1, n0) in [(0.6, 2000, 2000), (0.02, 500, 4500), (0.97, 9000, 300)] {
      let rise = Power.smallestDetectableRise(
        controlRate: rate, treatmentTrials: n1, controlTrials: n0)
      let drop = Power.smallestDetectableDrop(
        controlRate: rate, treatmentTrials: n1, controlTrials: n0, alpha: 0.01, power: 0.9,
        sides: .one)
      if let difference = rise.value?.difference {
        #expect(difference > 0)
        let chance = Power.chanceToShow(
          treatmentRate: rate + difference, controlRate: rate, treatmentTrials: n1,
          controlTrials: n0)
        #expect(agrees(chance.value, 0.8, within: 1e-9))
      } else {
        #expect(rise.reason == .unreachable)
      }
      let difference = try #require(drop.value?.difference)
      #expect(difference < 0)
      let chance = Power.chanceToShow(
        treatmentRate: rate + difference, controlRate: rate, treatmentTrials: n1,
        controlTrials: n0, alpha: 0.01, sides: .one)
      #expect(agrees(chance.value, 0.9, within: 1e-9))
    }
  }

  @Test func `from a rate of zero only rises can be shown`() {
    func rise(_ rate: Double) -> Estimate<Power.DetectableDifference> {
      Power.smallestDetectableRise(controlRate: rate, treatmentTrials: 900, controlTrials: 900)
    }
    func drop(_ rate: Double) -> Estimate<Power.DetectableDifference> {
      Power.smallestDetectableDrop(controlRate: rate, treatmentTrials: 900, controlTrials: 900)
    }
    #expect(rise(0).value.map { $0.difference > 0 && $0.relativeLift == nil } == true)
    #expect(drop(0).reason == .unreachable)
    #expect(rise(1).reason == .unreachable)
    #expect(drop(1).value.map { $0.difference < 0 } == true)
  }

  @Test func `days are whole and the fullest share decides`() {
    let size = Power.SampleSize(treatment: 1000, control: 3000)
    func days(_ traffic: Double, _ treatment: Double, _ control: Double) -> Estimate<Int> {
      Power.daysNeeded(
        for: size, trialsPerDay: traffic, treatmentShare: treatment, controlShare: control)
    }
    #expect(days(400, 0.25, 0.75).value == 10)
    #expect(days(399, 0.25, 0.75).value == 11)
    #expect(days(400, 0.1, 0.9).value == 25)
    #expect(days(0, 0.5, 0.5).reason == .unreachable)
    #expect(days(10, 0, 1).reason == .unreachable)
    #expect(days(.nan, 0.5, 0.5).reason == .invalidInput)
  }

  @Test func `what can't be planned says why`() {
    func needed(_ treatment: Double, _ control: Double, alpha: Double = 0.05) -> Unavailable? {
      Power.trialsNeeded(treatmentRate: treatment, controlRate: control, alpha: alpha).reason
    }
    #expect(needed(0.5, 0.5) == .unreachable)
    #expect(needed(1.5, 0.5) == .invalidInput)
    #expect(needed(.nan, 0.5) == .invalidInput)
    #expect(needed(0.6, 0.5, alpha: 0) == .invalidLevel)
    let none = Power.chanceToShow(
      treatmentRate: 0.5, controlRate: 0.5, treatmentTrials: 0, controlTrials: 9)
    #expect(none.reason == .emptyDenominator)
  }

  @Test func `verdicts follow the adjusted p-value, then the size of the sample`() {
    func verdict(_ inputs: [Double], p: Double?) -> Verdict {
      Verdict.of(
        ProportionComparisonTests.comparison(inputs), adjustedP: p, targetLift: 0.05)
    }
    #expect(verdict([660, 1000, 600, 1000], p: 0.01) == .higher)
    #expect(verdict([540, 1000, 600, 1000], p: 0.01) == .lower)
    #expect(verdict([6010, 10_000, 6000, 10_000], p: 0.9) == .noneShown)
    guard case .tooEarly(let missing?) = verdict([66, 100, 60, 100], p: 0.4) else {
      Issue.record("too early was expected")
      return
    }
    #expect(missing.treatment > 3000)
    #expect(verdict([0, 0, 60, 100], p: nil) == .tooEarly(missing: nil))
    #expect(verdict([0, 50, 0, 100], p: nil) == .tooEarly(missing: nil))
  }
}
