import RealModule

/// The beta distribution with both parameters 1 or more.
struct BetaDistribution {
  let alpha: Double
  let beta: Double

  /// What is known of a rate after these trials, having known nothing before (uniform prior).
  init(posteriorOf proportion: Proportion) {
    alpha = Double(proportion.successes) + 1
    beta = Double(proportion.failures) + 1
  }

  init(alpha: Double, beta: Double) {
    self.alpha = alpha
    self.beta = beta
  }

  var mirrored: BetaDistribution { BetaDistribution(alpha: beta, beta: alpha) }

  var mean: Double { alpha / (alpha + beta) }

  var standardDeviation: Double {
    let total = alpha + beta
    return ((alpha / total) * (beta / total) / (total + 1)).squareRoot()
  }

  func density(_ x: Double, complement: Double) -> Double {
    (alpha + beta - 1)
      * BinomialDistribution.density(
        alpha - 1, trials: alpha + beta - 2, share: x, complement: complement)
  }

  /// P(X <= x) and P(X > x); the smaller of the two keeps its relative digits.
  func tails(_ x: Double, complement: Double) -> (lower: Double, upper: Double) {
    guard x > 0 else { return (0, 1) }
    guard complement > 0 else { return (1, 0) }
    if min(alpha, beta) > 3000 {
      if x > mean {
        let upper = outerTail(x, complement)
        return (1 - upper, upper)
      }
      let lower = mirrored.outerTail(complement, x)
      return (lower, 1 - lower)
    }
    // From whichever of x and its complement is small: the other has no digits left for this.
    let distance = x < 0.5 ? alpha - (alpha + beta) * x : (alpha + beta) * complement - beta
    let front = x * complement * density(x, complement: complement)
    if distance >= 0 {
      let lower = min(1, front * continuedFraction(x, complement, distance: distance))
      return (lower, 1 - lower)
    }
    let upper = min(
      1, front * mirrored.continuedFraction(complement, x, distance: -distance))
    return (1 - upper, upper)
  }

  /// P(X > x) for an x above the mean, by quadrature outwards until nothing is added. Panels
  /// shrink with the distance from the mean, where the density falls the faster.
  private func outerTail(_ x: Double, _ complement: Double) -> Double {
    let deviation = standardDeviation
    let width = 2 * deviation / max(1, (x - mean) / deviation / 2.5)
    var start = 0.0
    var sum = 0.0
    for _ in 0..<12 {
      let end = min(start + width, complement)
      let panel = GaussLegendre.integral(from: start, to: end) { step in
        let exponent =
          (alpha - 1) * Double.log(onePlus: step / x)
          + (beta - 1) * Double.log(onePlus: -step / complement)
        return .exp(exponent)
      }
      sum += panel
      guard panel > 1e-17 * sum, end < complement else { break }
      start = end
    }
    return min(1, sum * density(x, complement: complement))
  }

  /// The continued fraction of the lower tail, without its front factor, for an x at or below the
  /// mean: `distance` is alpha - (alpha + beta) x, zero or more.
  ///
  /// DiDonato and Morris, "Algorithm 708: significant digit computation of the incomplete beta
  /// function ratios" (ACM Transactions on Mathematical Software 18, 1992), equation 9. All its
  /// terms are positive, unlike those of the better known fraction.
  private func continuedFraction(
    _ x: Double, _ complement: Double, distance: Double
  ) -> Double {
    let c = 1 + distance
    let c0 = beta / alpha
    let c1 = 1 + 1 / alpha
    var p = 1.0
    var s = alpha + 1
    var (numerator, nextNumerator) = (0.0, 1.0)
    var (denominator, nextDenominator) = (1.0, c / c1)
    var ratio = c1 / c
    for iteration in 1...20_000 {
      let n = Double(iteration)
      let t = n / alpha
      let w = n * (beta - n) * x
      var e = alpha / s
      let partialNumerator = p * (p + c0) * e * e * (w * x)
      e = (1 + t) / (c1 + 2 * t)
      let partialDenominator = n + w / s + e * (c + n * (complement + 1))
      p = 1 + t
      s += 2
      let above = partialNumerator * numerator + partialDenominator * nextNumerator
      let below = partialNumerator * denominator + partialDenominator * nextDenominator
      let previous = ratio
      ratio = above / below
      if abs(ratio - previous) <= 1e-15 * ratio { break }
      // Scaled so that the next denominator is 1: the terms grow without bound.
      (numerator, nextNumerator) = (nextNumerator / below, ratio)
      (denominator, nextDenominator) = (nextDenominator / below, 1)
    }
    return ratio
  }

  /// The x with P(X <= x) = lower and P(X > x) = upper, which sum to 1; the smaller one decides.
  func quantile(lower: Double, upper: Double) -> Double {
    // Solved from the side of the smaller mean, where x has the more digits.
    if alpha > beta { return 1 - mirrored.quantile(lower: upper, upper: lower) }
    let isLower = lower <= upper
    let logTarget = Double.log(isLower ? lower : upper)
    let z = NormalDistribution.quantile(min(lower, upper)) * (isLower ? 1 : -1)
    let normal = mean + z * standardDeviation
    let start = normal > 0.2 * mean ? normal : mean * .exp(z * standardDeviation / mean)
    return RootFinding.decreasingCrossing(from: 0, to: 1, start: start) { x in
      let tails = tails(x, complement: 1 - x)
      let tail = max(isLower ? tails.lower : tails.upper, 1e-300)
      let value = isLower ? logTarget - .log(tail) : .log(tail) - logTarget
      return (value, -density(x, complement: 1 - x) / tail)
    }
  }
}
