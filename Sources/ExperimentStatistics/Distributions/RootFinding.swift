/// Finds where a continuous function of one variable crosses zero.
enum RootFinding {
  /// The point between two ends of opposite sign where the function crosses zero.
  ///
  /// Chandrupatla, "A new hybrid quadratic/bisection algorithm" (Advances in Engineering Software
  /// 28, 1997): inverse quadratic interpolation where it is safe, bisection where it is not.
  /// `guess` is tried first; `resolution` is how wide the last bracket may be. If the ends have
  /// one sign, the end whose value is nearer to zero is returned.
  static func crossing(
    from lower: Double, to upper: Double, guess: Double? = nil, resolution: Double = 0,
    of function: (Double) -> Double
  ) -> Double {
    var (a, b) = (lower, upper)
    var (fa, fb) = (function(a), function(b))
    guard (fa < 0) != (fb < 0) else { return abs(fa) < abs(fb) ? a : b }
    if let guess, guess > min(a, b), guess < max(a, b) {
      let value = function(guess)
      if (value < 0) == (fa < 0) { (a, fa) = (guess, value) } else { (b, fb) = (guess, value) }
    }
    var (c, fc) = (a, fa)
    // The first step is a secant: two ends give a line, not yet a parabola.
    var t = fa.isFinite && fb.isFinite ? min(max(fa / (fa - fb), 0.02), 0.98) : 0.5
    for _ in 0..<120 {
      let x = a + t * (b - a)
      let fx = function(x)
      if (fx < 0) == (fa < 0) {
        (c, fc) = (a, fa)
      } else {
        (c, fc, b, fb) = (b, fb, a, fa)
      }
      (a, fa) = (x, fx)
      let (best, fBest) = abs(fa) < abs(fb) ? (a, fa) : (b, fb)
      if fBest == 0 { return best }
      let width = abs(b - a)
      let smallest = (2 * .ulpOfOne * abs(best) + 0.5 * resolution + 1e-300) / max(width, 1e-300)
      if smallest > 0.5 { return best }
      t = nextFraction(a, b, c, fa, fb, fc)
      t = min(max(t, smallest), 1 - smallest)
    }
    return abs(fa) < abs(fb) ? a : b
  }

  /// Where between a and b to look next: Chandrupatla's criterion for the parabola, else half way.
  private static func nextFraction(
    _ a: Double, _ b: Double, _ c: Double, _ fa: Double, _ fb: Double, _ fc: Double
  ) -> Double {
    let xi = (a - b) / (c - b)
    let phi = (fa - fb) / (fc - fb)
    guard phi * phi < xi, (1 - phi) * (1 - phi) < 1 - xi else { return 0.5 }
    let t =
      fa / (fb - fa) * fc / (fb - fc)
      + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
    return t.isFinite ? t : 0.5
  }

  /// A point and the value of a function there.
  typealias Point = (at: Double, value: Double)

  /// For a function that is nearly a straight line around its zero, with ends of known
  /// value: secant steps from `guess` and a known point near it, as long as they stay inside the
  /// bracket and shrink; what they leave is handed to ``crossing(from:to:guess:resolution:of:)``.
  static func smoothCrossing(
    from lower: Point, to upper: Point, guess: Double, near: Point, resolution: Double,
    of function: (Double) -> Double
  ) -> Double {
    guard (lower.value < 0) != (upper.value < 0) else {
      return abs(lower.value) < abs(upper.value) ? lower.at : upper.at
    }
    var (low, high) = (lower.at, upper.at)
    var previous = near
    var x = guess
    let scale = abs(guess - near.at)
    var lastStep = scale
    for _ in 0..<12 {
      // Written so that a NaN is refused too.
      guard x > low, x < high else { break }
      let value = function(x)
      if value == 0 { return x }
      if (value < 0) == (lower.value < 0) { low = x } else { high = x }
      let step = value * (x - previous.at) / (previous.value - value)
      let size = abs(step)
      guard size < lastStep else { break }
      // A secant's next error is this one times the one before, over the scale of the bend.
      if size * lastStep <= resolution * scale { return min(max(x + step, low), high) }
      (previous, x, lastStep) = ((x, value), x + step, size)
    }
    return crossing(from: low, to: high, resolution: resolution, of: function)
  }

  /// The zero of a decreasing function between two ends, by Newton steps that fall back on
  /// bisection. `function` gives the value and the slope. An end is returned where the function
  /// does not change sign inside; an open end, where it is known to grow without bound, is not
  /// asked. `precision` is the relative size of the last step, whose square is the error left.
  static func decreasingCrossing(
    from lower: Double, to upper: Double, start: Double, precision: Double = 1e-11,
    isOpen: (lower: Bool, upper: Bool) = (false, false),
    of function: (Double) -> (value: Double, slope: Double)
  ) -> Double {
    guard lower < upper else { return lower }
    if !isOpen.lower, function(lower).value <= 0 { return lower }
    if !isOpen.upper, function(upper).value >= 0 { return upper }
    var (low, high) = (lower, upper)
    var x = start > low && start < high ? start : 0.5 * (low + high)
    for _ in 0..<100 {
      let (value, slope) = function(x)
      if value == 0 { return x }
      if value > 0 { low = x } else { high = x }
      let step = value / slope
      // Asked before the bracket is: at the zero itself the step ends on the bracket's edge.
      if abs(step) <= precision * min(abs(x), upper - x) { return min(max(x - step, low), high) }
      let next = x - step
      // Written so that a NaN step is refused too.
      x = next > low && next < high ? next : 0.5 * (low + high)
      if high - low <= 2 * .ulpOfOne * high { return x }
    }
    return x
  }
}
