import RealModule

/// Student's t distribution with a whole number of degrees of freedom.
struct StudentDistribution {
  /// One or more.
  let degreesOfFreedom: Int

  init(degreesOfFreedom: Int) {
    self.degreesOfFreedom = max(1, degreesOfFreedom)
  }

  /// P(T <= t): for a whole number of degrees a finite sum of cosines (Abramowitz and Stegun,
  /// *Handbook of Mathematical Functions*, 26.7.3 and 26.7.4). Tails are exact to about 1e-15, not
  /// to as many digits as they have.
  func cumulative(_ t: Double) -> Double {
    if t == 0 { return 0.5 }
    let degrees = Double(degreesOfFreedom)
    let angle = Double.atan2(y: abs(t), x: degrees.squareRoot())
    let (sine, cosine) = (Double.sin(angle), Double.cos(angle))
    var term = degreesOfFreedom % 2 == 0 ? sine : sine * cosine
    var sum = degreesOfFreedom == 1 ? 0 : term
    var index = degreesOfFreedom % 2 == 0 ? 2 : 3
    while index <= degreesOfFreedom - 2 {
      term *= cosine * cosine * Double(index - 1) / Double(index)
      sum += term
      index += 2
    }
    let within = degreesOfFreedom % 2 == 0 ? sum : 2 / Double.pi * (angle + sum)
    let tail = max(0, (1 - within) / 2)
    return t < 0 ? tail : 1 - tail
  }

  /// The t with P(T <= t) = probability, which lies strictly between 0 and 1.
  func quantile(_ probability: Double) -> Double {
    // The normal quantile is a near enough guess; with few degrees the tails reach much further.
    let normal = NormalDistribution.quantile(probability)
    var bound = max(1, abs(normal)) * 2
    while cumulative(-bound) > min(probability, 1 - probability), bound < 1e12 { bound *= 4 }
    return RootFinding.crossing(from: -bound, to: bound, guess: normal) {
      cumulative($0) - probability
    }
  }
}
