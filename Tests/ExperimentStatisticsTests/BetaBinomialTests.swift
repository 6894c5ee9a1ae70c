import ExperimentStatistics
import Testing

@Suite struct BetaBinomialTests {
  private func groups(_ inputs: [Double]) -> (treatment: Proportion, control: Proportion) {
    (
      Proportion(successes: Int(inputs[0]), trials: Int(inputs[1])),
      Proportion(successes: Int(inputs[2]), trials: Int(inputs[3]))
    )
  }

  @Test func `the probability to be better agrees with its references`() throws {
    for row in try ReferenceFile("probability-better").cases {
      let (treatment, control) = groups(row.inputs)
      let chance = BetaBinomial.probabilityBetter(treatment: treatment, control: control).value
      #expect(agrees(chance, row.expected[0]), "\(row)")
      let other = BetaBinomial.probabilityBetter(treatment: control, control: treatment).value
      #expect(agrees(other.map { 1 - $0 }, row.expected[0]), "\(row)")
    }
  }

  @Test func `the expected loss agrees with quadrature`() throws {
    for row in try ReferenceFile("expected-loss").cases {
      let (treatment, control) = groups(row.inputs)
      let loss = BetaBinomial.expectedLoss(treatment: treatment, control: control).value
      #expect(agrees(loss, row.expected[0]), "\(row)")
    }
  }

  @Test func `credible intervals of a rate agree with scipy`() throws {
    for row in try ReferenceFile("credible-rate").cases {
      let rate = Proportion(successes: Int(row.inputs[0]), trials: Int(row.inputs[1]))
      let interval = BetaBinomial.credibleInterval(of: rate, level: row.inputs[2]).value
      #expect(agrees(interval?.lower, row.expected[0]), "\(row)")
      #expect(agrees(interval?.upper, row.expected[1]), "\(row)")
    }
  }

  @Test func `credible intervals of difference and lift agree with quadrature`() throws {
    for row in try ReferenceFile("credible-contrast").cases {
      let (treatment, control) = groups(row.inputs)
      let difference = BetaBinomial.credibleDifference(
        treatment: treatment, control: control, level: row.inputs[4]
      ).value
      let lift = BetaBinomial.credibleLift(
        treatment: treatment, control: control, level: row.inputs[4]
      ).value
      #expect(agrees(difference?.lower, row.expected[0]), "\(row)")
      #expect(agrees(difference?.upper, row.expected[1]), "\(row)")
      #expect(agrees(lift?.lower, row.expected[2]), "\(row)")
      #expect(agrees(lift?.upper, row.expected[3]), "\(row)")
    }
  }

  /// On either side of the size from which the tail is no longer summed term by term the two ways
  /// must meet: the same z gives nearly the same probability.
  @Test func `the expansion for huge counts joins the exact sum`() throws {
    func chance(_ trials: Int, z: Double) throws -> Double {
      let rate = 0.3
      let step = z * (2 * rate * (1 - rate) * Double(trials)).squareRoot()
      let control = Proportion(successes: Int(rate * Double(trials)), trials: trials)
      let treatment = Proportion(successes: control.successes + Int(step), trials: trials)
      return try #require(
        BetaBinomial.probabilityBetter(treatment: treatment, control: control).value)
    }
    // Variance n p q / 2 passes 4e8 at 3.81e9 trials. A step of one trial in z is 2e-5.
    for z in [-2.0, 0, 1, 3] {
      #expect(abs(try chance(3_790_000_000, z: z) - chance(3_830_000_000, z: z)) < 2e-5)
    }
  }

  @Test func `without trials there is no value`() {
    let empty = Proportion(successes: 0, trials: 0)
    let some = Proportion(successes: 1, trials: 2)
    #expect(
      BetaBinomial.probabilityBetter(treatment: empty, control: some).reason
        == .emptyDenominator)
    #expect(
      BetaBinomial.expectedLoss(treatment: some, control: empty).reason == .emptyDenominator)
    #expect(BetaBinomial.credibleInterval(of: empty).reason == .emptyDenominator)
    #expect(BetaBinomial.credibleInterval(of: some, level: 1).reason == .invalidLevel)
    let huge = Proportion(successes: .max / 2, trials: .max)
    #expect(BetaBinomial.probabilityBetter(treatment: huge, control: huge).reason == .tooMany)
  }
}
