import RealModule

/// The standard normal distribution.
enum NormalDistribution {
  static let squareRootOfTwoPi = 2.506_628_274_631_000_5

  static func density(_ x: Double) -> Double {
    .exp(-0.5 * x * x) / squareRootOfTwoPi
  }

  /// P(Z <= x), with full relative precision in the lower tail.
  static func cumulative(_ x: Double) -> Double {
    0.5 * .erfc(-x * 0.5.squareRoot())
  }

  /// P(Z > x), with full relative precision in the upper tail.
  static func survival(_ x: Double) -> Double { cumulative(-x) }

  /// The x with P(Z <= x) = probability; the probability must lie strictly between 0 and 1.
  ///
  /// Starts from Abramowitz and Stegun 26.2.23 (error below 4.5e-4) and takes Halley steps on
  /// the complementary error function, each of which cubes the error.
  static func quantile(_ probability: Double) -> Double {
    if probability == 0.5 { return 0 }
    let isLower = probability < 0.5
    let tail = isLower ? probability : 1 - probability
    let t = (-2 * Double.log(tail)).squareRoot()
    let numerator = 2.515517 + t * (0.802853 + t * 0.010328)
    let denominator = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308))
    var x = -(t - numerator / denominator)
    for _ in 0..<3 {
      let slope = density(x)
      guard slope > 0 else { break }
      let step = (cumulative(x) - tail) / slope
      x -= step / (1 + 0.5 * x * step)
    }
    return isLower ? x : -x
  }

  /// The z beyond which both tails together hold `1 - level`; nil unless 0 < level < 1.
  static func twoSidedCritical(level: Double) -> Double? {
    guard level > 0, level < 1 else { return nil }
    return -quantile((1 - level) / 2)
  }
}
