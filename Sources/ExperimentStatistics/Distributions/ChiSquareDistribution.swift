import RealModule

/// The chi-square distribution with a whole number of degrees of freedom.
enum ChiSquareDistribution {
  /// P(X > statistic).
  ///
  /// For whole degrees of freedom the upper incomplete gamma function is a finite sum of positive
  /// terms: Q(1/2, x) = erfc(sqrt x), Q(1, x) = exp(-x), and
  /// Q(a + 1, x) = Q(a, x) + x^a exp(-x) / Gamma(a + 1) (Abramowitz and Stegun 26.4.4, 26.4.5).
  static func survival(_ statistic: Double, degreesOfFreedom: Int) -> Double {
    guard degreesOfFreedom > 0 else { return 0 }
    guard statistic > 0 else { return 1 }
    let x = statistic / 2
    let isOdd = degreesOfFreedom % 2 == 1
    var sum = isOdd ? Double.erfc(x.squareRoot()) : Double.exp(-x)
    let logX = Double.log(x)
    var shape = isOdd ? 0.5 : 1.0
    let target = Double(degreesOfFreedom) / 2
    while shape < target {
      sum += .exp(shape * logX - x - .logGamma(shape + 1))
      shape += 1
    }
    return min(1, sum)
  }
}
