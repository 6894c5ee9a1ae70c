import RealModule

/// What is known of a lift after an experiment, having had a notion of such lifts before.
///
/// The prior of x = log(1 + lift) is normal, declared before the first look: lifts of earlier
/// experiments spread around their mean. What was seen is normal around the true x with variance
///
///     V = V1 / p1^2 + V0 / p0^2,
///
/// so the posterior is normal too, with the precisions added and the means weighted by them. A wide
/// prior leaves what was seen; a narrow one draws it towards the prior's mean, so that the
/// largest of many lifts isn't taken at its word. GrowthBook's Bayesian engine
/// (https://docs.growthbook.io/statistics/details) has a normal prior of the lift itself; its
/// delta-method variance grows with the lift that is seen, so that chances at large lifts are
/// understated and at large losses overstated. That of the logarithm does not.
public struct LiftPosterior: Sendable, Hashable {
  /// What is thought of lifts beforehand.
  public struct Prior: Sendable, Hashable {
    /// Of log(1 + lift), which is about the lift: 0.02 is a fiftieth more.
    public var mean: Double
    /// Above 0.
    public var deviation: Double

    /// Describes the prior; the usual mean of 0 favours neither rises nor drops.
    public init(mean: Double = 0, deviation: Double) {
      self.mean = mean
      self.deviation = deviation
    }
  }

  /// Of x.
  private let mean: Double
  private let deviation: Double
  private let controlRate: Double

  /// - Parameters:
  ///   - comparison: within strata, if there are any.
  ///   - prior: with a deviation above 0, else `invalidInput`.
  /// - Returns: `zeroControl` where the control has no success, `noVariation` where the
  ///   treatment has none or nothing varies: the logarithm has no variance there.
  public static func of(
    _ comparison: StratifiedComparison, prior: Prior
  ) -> Estimate<LiftPosterior> {
    guard prior.deviation > 0, prior.deviation.isFinite, prior.mean.isFinite else {
      return .unavailable(.invalidInput)
    }
    guard let score = comparison.score else { return .unavailable(.emptyDenominator) }
    guard comparison.hasEnoughClusters else { return .unavailable(.tooFew) }
    let (treatment, control) = (score.treatmentRate, score.controlRate)
    guard control > 0 else { return .unavailable(.zeroControl) }
    let variance =
      score.treatmentVariance / (treatment * treatment)
      + score.controlVariance / (control * control)
    guard treatment > 0, variance > 0, variance.isFinite else {
      return .unavailable(.noVariation)
    }
    let before = 1 / (prior.deviation * prior.deviation)
    let seen = 1 / variance
    return .value(
      LiftPosterior(
        mean: (before * prior.mean + seen * .log(treatment / control)) / (before + seen),
        deviation: (1 / (before + seen)).squareRoot(), controlRate: control))
  }

  private init(mean: Double, deviation: Double, controlRate: Double) {
    self.mean = mean
    self.deviation = deviation
    self.controlRate = controlRate
  }

  /// The median of the lift.
  public var lift: Double { .expMinusOne(mean) }

  /// The probability that the treatment's rate is above the control's.
  public var probabilityBetter: Double { NormalDistribution.cumulative(mean / deviation) }

  /// How much rate is lost, on average, by choosing the treatment: the control's rate times the
  /// expectation of max(0, -lift), or of max(0, lift) where less of the rate is better.
  public func expectedLoss(isLessBetter: Bool = false) -> Double {
    let (z, sign) = (mean / deviation, isLessBetter ? 1.0 : -1)
    let ratio = Double.exp(mean + deviation * deviation / 2)
    let loss =
      ratio * NormalDistribution.cumulative(sign * (z + deviation))
      - NormalDistribution.cumulative(sign * z)
    return max(0, controlRate * sign * loss)
  }

  /// The central interval that holds the lift with probability `level`.
  public func credibleInterval(level: Double = 0.95) -> Estimate<Interval> {
    guard let critical = NormalDistribution.twoSidedCritical(level: level) else {
      return .unavailable(.invalidLevel)
    }
    return .value(
      Interval(
        lower: .expMinusOne(mean - critical * deviation),
        upper: .expMinusOne(mean + critical * deviation)))
  }
}
