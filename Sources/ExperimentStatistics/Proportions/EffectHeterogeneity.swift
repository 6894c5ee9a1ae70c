import RealModule

/// Whether a treatment does more for some people than for others: its effects on people with each
/// value of something known at entry, set against each other.
///
/// Cochran's Q ("The combination of estimates from different experiments", Biometrics 10, 1954)
/// over the effects e_k with their squared standard errors v_k,
///
///     Q = sum (e_k - e)^2 / v_k,   e = sum (e_k / v_k) / sum (1 / v_k),
///
/// is Wald's test of interaction. Rates that differ at the start make any effect differ on one
/// scale at least: where half as many convert, the same lift is half as many points. So Q is taken
/// of differences and of logarithms of ratios, and the less clear of the two decides, which keeps
/// the level (Berger, Technometrics 24, 1982): what is shown depends on no choice of a scale.
public struct EffectHeterogeneity: Sendable, Hashable {
  /// Successes and failures that each group of a stratum needs: with fewer there is no standard
  /// error to speak of, and the stratum is left out.
  public static let fewestOutcomes = 10

  /// The strata that are set against each other.
  public let strata: [StratifiedComparison]

  /// - Parameter strata: one comparison for each value, within periods where a split changed.
  public init(_ strata: [StratifiedComparison]) {
    self.strata = strata.filter(Self.isLargeEnough)
  }

  /// Whether a stratum has an effect that can be set against others.
  public static func isLargeEnough(_ stratum: StratifiedComparison) -> Bool {
    let total = stratum.total
    return [
      total.treatment.successes, total.treatment.failures, total.control.successes,
      total.control.failures,
    ].allSatisfy { $0 >= fewestOutcomes }
  }

  /// Q of the differences and of the logarithms of the ratios, and the p-value of the smaller.
  public struct Test: Sendable, Hashable {
    /// Q of the differences, in squared standard errors.
    public let ofDifferences: Double
    /// Q of the logarithms of the ratios, in squared standard errors.
    public let ofRatios: Double
    /// The strata that were set against each other, minus 1.
    public let degreesOfFreedom: Int
    /// The chance of a Q as large as the smaller one if the effect were equal in all strata; with a
    /// tuning valid at every look.
    public let pValue: Double
  }

  /// The test of "the effect is the same in all strata".
  ///
  /// With a tuning the p-value is always valid: the reciprocal of the evidence of a normal mixture
  /// over all contrasts at once, which is that of ``ConfidenceSequence`` for two strata.
  /// `tooFew` with fewer than two strata that are large enough.
  public func test(tuning: SequentialTuning? = nil) -> Estimate<Test> {
    let scores = strata.compactMap(\.score)
    guard scores.count > 1 else { return .unavailable(.tooFew) }
    let differences = Self.statistic(
      scores.map { ($0.difference, $0.treatmentVariance + $0.controlVariance) })
    let ratios = Self.statistic(
      scores.map { score in
        let (one, other) = (score.treatmentRate, score.controlRate)
        return (
          .log(one / other),
          score.treatmentVariance / (one * one) + score.controlVariance / (other * other)
        )
      })
    let smaller = min(differences, ratios)
    guard smaller.isFinite else { return .unavailable(.noVariation) }
    let degrees = scores.count - 1
    let trials = scores.reduce(0) { $0 + $1.pooled.treatmentTrials + $1.pooled.controlTrials }
    let p =
      tuning.map {
        ConfidenceSequence.pValue(
          squaredDistance: smaller, contrasts: degrees, trials: trials, $0)
      } ?? ChiSquareDistribution.survival(smaller, degreesOfFreedom: degrees)
    return .value(
      Test(
        ofDifferences: differences, ofRatios: ratios, degreesOfFreedom: degrees, pValue: p))
  }

  private static func statistic(_ effects: [(effect: Double, variance: Double)]) -> Double {
    let weights = effects.reduce(0) { $0 + 1 / $1.variance }
    let mean = effects.reduce(0) { $0 + $1.effect / $1.variance } / weights
    return effects.reduce(0) { $0 + ($1.effect - mean) * ($1.effect - mean) / $1.variance }
  }
}
