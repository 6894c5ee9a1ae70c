import ExperimentStatistics
import Testing

@Suite struct BetaBinomialTests {
  @Test func `one is better or the other is`() throws {
    for row in try ReferenceFile("probability-better").cases {
      let comparison = Checks.comparison(row.inputs)
      let (treatment, control) = (comparison.treatment, comparison.control)
      let chance = BetaBinomial.probabilityBetter(treatment: treatment, control: control).value
      let other = BetaBinomial.probabilityBetter(treatment: control, control: treatment).value
      #expect(agrees(try #require(chance) + (try #require(other)), 1, within: 1e-12), "\(row)")
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
