import RealModule

/// The binomial distribution, exact to the last digits also for hundreds of millions of trials.
enum BinomialDistribution {
  /// P(X = successes) among `trials` with chance `share`; `complement` is 1 - share, given apart
  /// so that it keeps its digits. Neither count need be whole.
  ///
  /// Loader, "Fast and accurate computation of binomial probabilities" (2000): the saddle-point
  /// expansion, in which nothing large cancels.
  static func density(
    _ successes: Double, trials: Double, share: Double, complement: Double
  ) -> Double {
    let failures = trials - successes
    guard successes >= 0, failures >= 0 else { return 0 }
    guard share > 0 else { return successes == 0 ? 1 : 0 }
    guard complement > 0 else { return failures == 0 ? 1 : 0 }
    if successes == 0 { return trials == 0 ? 1 : .exp(powerLog(trials, complement, share)) }
    if failures == 0 { return .exp(powerLog(trials, share, complement)) }
    let exponent =
      stirlingError(trials) - stirlingError(successes) - stirlingError(failures)
      - deviance(successes, trials * share) - deviance(failures, trials * complement)
    let scale = 2 * Double.pi * successes * (failures / trials)
    return .exp(exponent) / scale.squareRoot()
  }

  /// P(X <= successes) and P(X > successes), through the incomplete beta function.
  static func tails(
    _ successes: Double, trials: Double, share: Double
  ) -> (lower: Double, upper: Double) {
    guard successes >= 0 else { return (0, 1) }
    guard successes < trials else { return (1, 0) }
    let beta = BetaDistribution(alpha: successes + 1, beta: trials - successes)
    let tails = beta.tails(share, complement: 1 - share)
    return (tails.upper, tails.lower)
  }

  /// trials * log(base), where base = 1 - other.
  private static func powerLog(_ trials: Double, _ base: Double, _ other: Double) -> Double {
    trials * (other < 0.5 ? Double.log(onePlus: -other) : Double.log(base))
  }

  /// log(n!) minus Stirling's approximation of it; n above zero.
  private static func stirlingError(_ n: Double) -> Double {
    if n <= 15 {
      return .logGamma(n + 1) - (n + 0.5) * .log(n) + n - 0.918_938_533_204_672_741_8
    }
    let inverse = 1 / (n * n)
    let series: Double =
      1.0 / 12
      - inverse * (1.0 / 360 - inverse * (1.0 / 1260 - inverse * (1.0 / 1680 - inverse / 1188)))
    return series / n
  }

  /// x log(x / mean) + mean - x, without cancellation where the two are close.
  private static func deviance(_ x: Double, _ mean: Double) -> Double {
    guard abs(x - mean) < 0.1 * (x + mean) else { return x * .log(x / mean) + mean - x }
    let ratio = (x - mean) / (x + mean)
    var sum = (x - mean) * ratio
    var term = 2 * x * ratio
    let square = ratio * ratio
    for odd in stride(from: 3.0, through: 60, by: 2) {
      term *= square
      let next = sum + term / odd
      if next == sum { break }
      sum = next
    }
    return sum
  }
}
