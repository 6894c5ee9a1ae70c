import RealModule

/// Gauss-Legendre quadrature with 16 points on each panel.
enum GaussLegendre {
  /// The points and weights on -1...1, found once by Newton steps on the Legendre polynomial
  /// (Abramowitz and Stegun 25.4.29).
  static let points: [(node: Double, weight: Double)] = {
    let count = 16
    return (1...count).map { index in
      var x = Double.cos(.pi * (Double(index) - 0.25) / (Double(count) + 0.5))
      var slope = 1.0
      for _ in 0..<8 {
        var (previous, current) = (1.0, x)
        for degree in 2...count {
          let n = Double(degree)
          (previous, current) = (current, ((2 * n - 1) * x * current - (n - 1) * previous) / n)
        }
        slope = Double(count) * (x * current - previous) / (x * x - 1)
        x -= current / slope
      }
      return (x, 2 / ((1 - x * x) * slope * slope))
    }
  }()

  static func integral(
    from lower: Double, to upper: Double, of function: (Double) -> Double
  ) -> Double {
    let centre = 0.5 * (lower + upper)
    let half = 0.5 * (upper - lower)
    var sum = 0.0
    for (node, weight) in points { sum += weight * function(centre + half * node) }
    return sum * half
  }
}
