/// The one statistic behind the score test and both score intervals.
///
/// For a supposed difference d (or ratio R) the two proportions are first estimated by maximum
/// likelihood under that supposition, then
///
///     z = (p1 - p0 - d) / sqrt(V),   V = (p1~ q1~ / n1 + p0~ q0~ / n0) * N / (N - 1)
///     z = (p1 - R p0) / sqrt(V),     V = (p1~ q1~ / n1 + R^2 p0~ q0~ / n0) * N / (N - 1)
///
/// Miettinen and Nurminen, "Comparative analysis of two rates" (Statistics in Medicine 4, 1985),
/// with their factor N / (N - 1), N = n1 + n0. Koopman's interval (Biometrics 40, 1984) is the
/// second without the factor. The factor is kept in all three uses: at d = 0 and
/// at R = 1 both statistics are the same number, so test and intervals can't contradict.
///
/// The likelihood is concave in the one free proportion, so its maximum is found by Newton steps
/// on the score equation instead of the closed form of the cubic, which loses the digits of rare
/// proportions. Both groups must have trials.
struct ScoreStatistic: TwoSampleScore {
  let treatmentSuccesses: Double
  let treatmentFailures: Double
  let treatmentTrials: Double
  let controlSuccesses: Double
  let controlFailures: Double
  let controlTrials: Double
  /// N / (N - 1).
  let correction: Double

  /// - Parameter effects: how many people say as much as one; counts are divided by it.
  init(treatment: Proportion, control: Proportion, _ effects: DesignEffects = .none) {
    treatmentSuccesses = Double(treatment.successes) / effects.treatment
    treatmentFailures = Double(treatment.failures) / effects.treatment
    treatmentTrials = Double(treatment.trials) / effects.treatment
    controlSuccesses = Double(control.successes) / effects.control
    controlFailures = Double(control.failures) / effects.control
    controlTrials = Double(control.trials) / effects.control
    correction = Self.correction(treatmentTrials + controlTrials)
  }

  init(treatment: Proportion, control: ReferenceRate) {
    treatmentSuccesses = Double(treatment.successes)
    treatmentFailures = Double(treatment.failures)
    treatmentTrials = Double(treatment.trials)
    controlSuccesses = control.rate * control.trials
    controlFailures = (1 - control.rate) * control.trials
    controlTrials = control.trials
    correction = Self.correction(treatmentTrials + controlTrials)
  }

  private static func correction(_ trials: Double) -> Double { trials / (trials - 1) }

  var treatmentRate: Double { treatmentSuccesses / treatmentTrials }
  var controlRate: Double { controlSuccesses / controlTrials }
  var pooled: ScoreStatistic { self }

  /// The treatment's proportion minus the control's, taken over the failures where those are the
  /// fewer: 1 minus something close to 1 has few digits left.
  var difference: Double {
    treatmentSuccesses + controlSuccesses > treatmentFailures + controlFailures
      ? controlFailures / controlTrials - treatmentFailures / treatmentTrials
      : treatmentSuccesses / treatmentTrials - controlSuccesses / controlTrials
  }

  /// z at no difference, or nil where everything succeeded or everything failed.
  var atEquality: Double? {
    let variance = varianceAtEquality
    guard variance > 0 else { return nil }
    return difference / variance.squareRoot()
  }

  /// The variance of the difference where there is none.
  var varianceAtEquality: Double {
    let trials = treatmentTrials + controlTrials
    let pooled = (treatmentSuccesses + controlSuccesses) / trials
    let complement = (treatmentFailures + controlFailures) / trials
    return pooled * complement * (1 / treatmentTrials + 1 / controlTrials) * correction
  }

  /// z at a supposed difference between -1 and 1.
  func at(difference supposed: Double) -> Double {
    Self.standardized(difference - supposed, variance: variance(atDifference: supposed))
  }

  /// The variance of the difference where it is what is supposed.
  func variance(atDifference supposed: Double) -> Double {
    let (treatment, control) = restrictedProportions(difference: supposed)
    return
      (treatment * (1 - treatment) / treatmentTrials + control * (1 - control) / controlTrials)
      * correction
  }

  /// z at a supposed ratio above zero; the control must have successes.
  func at(ratio supposed: Double) -> Double {
    Self.standardized(
      treatmentRate - supposed * controlRate, variance: variance(atRatio: supposed))
  }

  /// The variance of "treatment - ratio x control" where the ratio is what is supposed.
  func variance(atRatio supposed: Double) -> Double {
    let control = restrictedControl(ratio: supposed)
    let treatment = min(1, supposed * control)
    return
      (treatment * (1 - treatment) / treatmentTrials
      + supposed * supposed * control * (1 - control) / controlTrials) * correction
  }

  /// No distance is no evidence, however small the variance; some distance with no variance is
  /// beyond any critical value.
  static func standardized(_ distance: Double, variance: Double) -> Double {
    if distance == 0 { return 0 }
    guard variance > 0 else { return distance > 0 ? 1e18 : -1e18 }
    return distance / variance.squareRoot()
  }

  /// The likeliest proportions that differ by exactly `supposed`.
  private func restrictedProportions(
    difference supposed: Double
  ) -> (treatment: Double, control: Double) {
    let lower = max(0, -supposed)
    let upper = min(1, 1 - supposed)
    let trials = treatmentTrials + controlTrials
    let start =
      (controlSuccesses + treatmentSuccesses - treatmentTrials * supposed) / trials
    // A count keeps the proportion away from the end where it would be impossible.
    let isOpen = (
      lower: supposed < 0 ? treatmentSuccesses > 0 : controlSuccesses > 0,
      upper: supposed > 0 ? treatmentFailures > 0 : controlFailures > 0
    )
    let control = RootFinding.decreasingCrossing(
      from: lower, to: upper, start: start, precision: 1e-8, isOpen: isOpen
    ) { p in
      var value = 0.0
      var slope = 0.0
      accumulate(controlSuccesses, p, 1, &value, &slope)
      accumulate(treatmentSuccesses, p + supposed, 1, &value, &slope)
      accumulate(controlFailures, 1 - p, -1, &value, &slope)
      accumulate(treatmentFailures, 1 - p - supposed, -1, &value, &slope)
      return (value, slope)
    }
    return (min(1, max(0, control + supposed)), control)
  }

  /// The likeliest proportion of the control when the treatment's is `supposed` times as large.
  private func restrictedControl(ratio supposed: Double) -> Double {
    let successes = treatmentSuccesses + controlSuccesses
    // Koopman's quadratic gives the start; its digits go where nearly everything succeeds.
    let a = (treatmentTrials + controlTrials) * supposed
    let b =
      treatmentTrials * supposed + treatmentSuccesses + controlTrials
      + controlSuccesses * supposed
    let start = 2 * successes / (b + max(0, b * b - 4 * a * successes).squareRoot())
    let isOpen = (lower: true, upper: supposed > 1 ? treatmentFailures > 0 : controlFailures > 0)
    return RootFinding.decreasingCrossing(
      from: 0, to: min(1, 1 / supposed), start: start, precision: 1e-8, isOpen: isOpen
    ) { p in
      var value = 0.0
      var slope = 0.0
      accumulate(successes, p, 1, &value, &slope)
      accumulate(controlFailures, 1 - p, -1, &value, &slope)
      accumulate(treatmentFailures, 1 - supposed * p, -supposed, &value, &slope)
      return (value, slope)
    }
  }

  /// Adds one term `count * factor / share` of the score equation, and its slope.
  /// A term without a count is nothing even where its share is zero.
  @inline(__always)
  private func accumulate(
    _ count: Double, _ share: Double, _ factor: Double, _ value: inout Double,
    _ slope: inout Double
  ) {
    guard count > 0 else { return }
    let inverse = factor / max(share, 0)
    let term = count * inverse
    value += term
    slope -= term * inverse
  }
}
