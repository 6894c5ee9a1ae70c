/// What is known of rates after their trials, having known nothing before: each rate starts
/// uniform on 0...1, and after x successes in n trials it is Beta(x + 1, n - x + 1).
///
/// Everything here is a finite sum or a quadrature with fixed points: no random draws, the same
/// digits each time. Without trials in a group there is no value (`emptyDenominator`): the prior
/// alone is not a finding.
public enum BetaBinomial {
  /// The highest level of ``credibleDifference(treatment:control:level:)`` and
  /// ``credibleLift(treatment:control:level:)``: 1 - 1e-6.
  public static let highestContrastLevel = 1 - 1e-6

  /// The probability that the treatment's rate is above the control's.
  ///
  /// For whole parameters it is a tail of a hypergeometric distribution: of the merged order
  /// statistics behind both beta variables, the treatment's must come after the control's.
  /// Altham, "Exact Bayesian analysis of a 2 x 2 contingency table, and Fisher's 'exact'
  /// significance test" (JRSS B 31, 1969), section 2.
  public static func probabilityBetter(
    treatment: Proportion, control: Proportion
  ) -> Estimate<Double> {
    posteriors(treatment, control).map { probability($0, isAbove: $1) }
  }

  /// How much rate is lost, on average, by choosing the treatment: the expectation of
  /// max(0, control - treatment). Small where the treatment is better or the two are close.
  ///
  /// Stucchio, "Bayesian A/B testing at VWO" (2015), equation 4.3, in the closed form of two
  /// probabilities with one parameter raised by 1, as x Beta(a, b) is a/(a+b) Beta(a + 1, b).
  public static func expectedLoss(
    treatment: Proportion, control: Proportion
  ) -> Estimate<Double> {
    posteriors(treatment, control).map { treatment, control in
      let raisedTreatment = BetaDistribution(alpha: treatment.alpha + 1, beta: treatment.beta)
      let raisedControl = BetaDistribution(alpha: control.alpha + 1, beta: control.beta)
      let loss =
        control.mean * probability(raisedControl, isAbove: treatment)
        - treatment.mean * probability(control, isAbove: raisedTreatment)
      return max(0, loss)
    }
  }

  /// The central interval that holds the rate with probability `level`.
  public static func credibleInterval(
    of proportion: Proportion, level: Double = 0.95
  ) -> Estimate<Interval> {
    guard level > 0, level < 1 else { return .unavailable(.invalidLevel) }
    guard proportion.trials > 0 else { return .unavailable(.emptyDenominator) }
    let posterior = BetaDistribution(posteriorOf: proportion)
    let tail = (1 - level) / 2
    let lower = posterior.quantile(lower: tail, upper: 1 - tail)
    let upper = posterior.quantile(lower: 1 - tail, upper: tail)
    return .value(Interval(lower: min(lower, upper), upper: max(lower, upper)))
  }

  /// The central interval that holds the treatment's rate minus the control's with probability
  /// `level`. By quadrature, which takes 0.3 to 6 ms and reaches levels up to
  /// ``highestContrastLevel``; above it is `invalidLevel`.
  public static func credibleDifference(
    treatment: Proportion, control: Proportion, level: Double = 0.95
  ) -> Estimate<Interval> {
    guard level > 0, level <= highestContrastLevel else { return .unavailable(.invalidLevel) }
    return posteriors(treatment, control).map {
      PosteriorContrast(treatment: $0, control: $1).difference(tail: (1 - level) / 2)
    }
  }

  /// The central interval that holds the treatment's rate over the control's, minus 1, with
  /// probability `level`. It exists also where the control has no success, as the posterior does
  /// not hold a rate of exactly zero for possible. By quadrature, as the difference;
  /// `tooMany` where huge and lopsided counts are beyond it.
  public static func credibleLift(
    treatment: Proportion, control: Proportion, level: Double = 0.95
  ) -> Estimate<Interval> {
    guard level > 0, level <= highestContrastLevel else { return .unavailable(.invalidLevel) }
    switch posteriors(treatment, control) {
    case .unavailable(let reason):
      return .unavailable(reason)
    case .value(let (treatment, control)):
      let lift = PosteriorContrast(treatment: treatment, control: control)
        .lift(tail: (1 - level) / 2)
      return lift.map { .value($0) } ?? .unavailable(.tooMany)
    }
  }

  private static func posteriors(
    _ treatment: Proportion, _ control: Proportion
  ) -> Estimate<(BetaDistribution, BetaDistribution)> {
    guard treatment.trials > 0, control.trials > 0 else {
      return .unavailable(.emptyDenominator)
    }
    let trials = Double(treatment.trials) + Double(control.trials)
    guard trials < HypergeometricDistribution.largestTotal / 2 else {
      return .unavailable(.tooMany)
    }
    return .value(
      (BetaDistribution(posteriorOf: treatment), BetaDistribution(posteriorOf: control)))
  }

  /// P(first > second). Beta(a, b) is the a-th smallest of a + b - 1 uniforms; the first lies
  /// above if among the smallest of both samples together at most a - 1 are of its own.
  private static func probability(
    _ first: BetaDistribution, isAbove second: BetaDistribution
  ) -> Double {
    HypergeometricDistribution(
      firstPile: first.alpha + first.beta - 1, secondPile: second.alpha + second.beta - 1,
      drawn: first.alpha + second.alpha - 1
    ).tails(first.alpha - 1).lower
  }
}
