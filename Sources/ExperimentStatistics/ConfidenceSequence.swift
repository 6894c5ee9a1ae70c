import RealModule

/// Intervals that stay valid however often one looks: the chance that any of them, over all
/// looks, leaves out the truth is at most `1 - level`.
///
/// Asymptotic confidence sequences: Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas,
/// "Time-uniform central limit theory and asymptotic confidence sequences" (Annals of Statistics
/// 52, 2024), equation 6, with rho tuned by their equation 161 (arXiv 2103.06476v7) to be
/// narrowest at a chosen number of trials. GrowthBook's sequential tests use the same form.
public enum ConfidenceSequence {
  /// Successes and failures each group needs before the normal limit behind the sequence holds for
  /// a chance of error of 5 %. Looked at earlier there is no interval (`tooFew`).
  public static let smallestCell = 5

  /// Those it takes for a chance of error of `alpha`: the limit comes later in the far tails. Fewer
  /// have the variance of so many (``Contrast``); without that a group of a twentieth is wrong five
  /// times as often as a level of 99.9 % promises (`AlwaysValidTestTests`).
  private static func smallestCell(alpha: Double) -> Double {
    let tails = max(1, Double.log(alpha) / .log(0.05))
    return Double(smallestCell) * tails * tails
  }

  /// The least chance of error for which so many successes and failures do.
  private static func smallestAlpha(cell: Double) -> Double {
    .exp(.log(0.05) * (cell / Double(smallestCell)).squareRoot())
  }

  /// The always-valid interval of the treatment's proportion minus the control's.
  ///
  /// `tuning` must be fixed before the first look.
  public static func difference(
    treatment: Proportion, control: Proportion, level: Double = 0.95,
    tuning: SequentialTuning = SequentialTuning()
  ) -> Estimate<EstimateWithInterval> {
    difference(
      StratifiedComparison(treatment: treatment, control: control), level: level, tuning: tuning)
  }

  /// The interval of the weighted difference within strata.
  public static func difference(
    _ comparison: StratifiedComparison, level: Double = 0.95,
    tuning: SequentialTuning = SequentialTuning()
  ) -> Estimate<EstimateWithInterval> {
    guard level > 0, level < 1 else { return .unavailable(.invalidLevel) }
    return contrast(comparison, tuning).map { $0.difference(alpha: 1 - level) }
  }

  /// The always-valid interval of the treatment's proportion over the control's, minus 1: all
  /// ratios r that the sequence of "treatment - r control" does not rule out (Fieller, Journal of
  /// the Royal Statistical Society B 16, 1954), so that it leaves out 0 exactly where the interval
  /// of the difference does.
  ///
  /// Unavailable where the control's sequence includes 0 (`zeroControl`): the ratio is unbounded.
  public static func relativeLift(
    treatment: Proportion, control: Proportion, level: Double = 0.95,
    tuning: SequentialTuning = SequentialTuning()
  ) -> Estimate<EstimateWithInterval> {
    relativeLift(
      StratifiedComparison(treatment: treatment, control: control), level: level, tuning: tuning)
  }

  /// The interval of the ratio of the proportions, standardised over strata, minus 1.
  public static func relativeLift(
    _ comparison: StratifiedComparison, level: Double = 0.95,
    tuning: SequentialTuning = SequentialTuning()
  ) -> Estimate<EstimateWithInterval> {
    guard level > 0, level < 1 else { return .unavailable(.invalidLevel) }
    return switch contrast(comparison, tuning) {
    case .unavailable(let reason): .unavailable(reason)
    case .value(let contrast): contrast.relativeLift(alpha: 1 - level)
    }
  }

  /// The always-valid p-value of "the proportions are equal": under 1 - level exactly where the
  /// interval of the difference at that level, with the same tuning, leaves out 0.
  public static func pValue(
    treatment: Proportion, control: Proportion, tuning: SequentialTuning = SequentialTuning()
  ) -> Estimate<Double> {
    pValue(StratifiedComparison(treatment: treatment, control: control), tuning: tuning)
  }

  /// The p-value of "there is no difference in any stratum".
  public static func pValue(
    _ comparison: StratifiedComparison, tuning: SequentialTuning = SequentialTuning()
  ) -> Estimate<Double> {
    contrast(comparison, tuning).map { contrast in
      contrast.pValue(of: contrast.treatment - contrast.control) { $0.treatment + $0.control }
    }
  }

  /// The test that the weighted difference is `supposed`, at any number of interim analyses.
  public static func test(
    _ comparison: StratifiedComparison, ofDifference supposed: Double,
    tuning: SequentialTuning = SequentialTuning()
  ) -> Estimate<AlwaysValidTest> {
    contrast(comparison, tuning).map { contrast in
      let difference = contrast.treatment - contrast.control - supposed
      return AlwaysValidTest(
        difference: difference,
        twoSidedP: contrast.pValue(of: difference) { $0.treatment + $0.control })
    }
  }

  /// The test that the treatment's rate is `supposed` times the control's: of the sequence of
  /// "treatment - r control", as the interval of the lift.
  public static func test(
    _ comparison: StratifiedComparison, ofRatio supposed: Double,
    tuning: SequentialTuning = SequentialTuning()
  ) -> Estimate<AlwaysValidTest> {
    contrast(comparison, tuning).map { contrast in
      let difference = contrast.treatment - supposed * contrast.control
      return AlwaysValidTest(
        difference: difference,
        twoSidedP: contrast.pValue(of: difference) {
          $0.treatment + supposed * supposed * $0.control
        })
    }
  }

  /// The p-value of a difference whose square is so many squared standard errors; of several
  /// contrasts at once, of their common squared distance from 0.
  static func pValue(
    squaredDistance square: Double, contrasts: Int = 1, trials: Double, _ tuning: SequentialTuning
  ) -> Double {
    pValue(
      squaredDistance: square, contrasts: contrasts, trials: trials, rhoSquare: rhoSquare(tuning))
  }

  /// The reciprocal of the mixture's evidence against a difference of 0.
  private static func pValue(
    squaredDistance square: Double, contrasts: Int = 1, trials: Double, rhoSquare: Double
  ) -> Double {
    let spread = trials * rhoSquare + 1
    let logEvidence =
      trials * rhoSquare * square / (2 * spread) - 0.5 * Double(contrasts) * .log(spread)
    return min(1, .exp(-logEvidence))
  }

  /// The square of the interval's half width, in standard errors.
  static func squaredHalfWidth(
    trials: Double, alpha: Double, _ tuning: SequentialTuning
  ) -> Double {
    squaredHalfWidth(trials: trials, alpha: alpha, rhoSquare: rhoSquare(tuning))
  }

  private static func squaredHalfWidth(
    trials: Double, alpha: Double, rhoSquare: Double
  ) -> Double {
    let spread = trials * rhoSquare + 1
    return 2 * (spread / (trials * rhoSquare)) * (0.5 * .log(spread) - .log(alpha))
  }

  private static func rhoSquare(_ tuning: SequentialTuning) -> Double {
    let doubled = -2 * Double.log(1 - tuning.level)
    return (doubled + .log(doubled + 1)) / Double(tuning.trials)
  }

  /// Two rates with their variances. Where the fewest successes or failures of a group are fewer
  /// than a level takes, the variances are those of as many more of both in each group as are
  /// missing.
  private struct Contrast {
    struct Variances {
      let treatment: Double
      let control: Double
    }

    let treatment: Double
    let control: Double
    let variances: Variances
    let pooled: ScoreStatistic
    let trials: Double
    /// The fewest successes or failures of a group.
    let cell: Double
    let rhoSquare: Double

    private func scale(_ alpha: Double) -> Double {
      ConfidenceSequence.squaredHalfWidth(trials: trials, alpha: alpha, rhoSquare: rhoSquare)
    }

    private func variances(_ alpha: Double) -> Variances {
      let missing = ConfidenceSequence.smallestCell(alpha: alpha) - cell
      guard missing > 0 else { return variances }
      func growth(_ successes: Double, _ failures: Double) -> Double {
        func spread(_ successes: Double, _ failures: Double) -> Double {
          let trials = successes + failures
          return successes / trials * (failures / trials)
        }
        return spread(successes + missing, failures + missing) / spread(successes, failures)
      }
      return Variances(
        treatment: variances.treatment
          * growth(pooled.treatmentSuccesses, pooled.treatmentFailures),
        control: variances.control * growth(pooled.controlSuccesses, pooled.controlFailures))
    }

    /// The least chance of error at which the interval leaves out the difference.
    func pValue(of difference: Double, variance: (Variances) -> Double) -> Double {
      func pValue(_ variances: Variances) -> Double {
        ConfidenceSequence.pValue(
          squaredDistance: difference * difference / variance(variances), trials: trials,
          rhoSquare: rhoSquare)
      }
      let plain = pValue(variances)
      let least = ConfidenceSequence.smallestAlpha(cell: cell)
      if plain >= least { return plain }
      // The smaller the chance, the wider the interval: both sides meet once.
      var (low, high) = (Double.log(max(plain, 1e-300)), Double.log(least))
      for _ in 0..<60 {
        let middle = (low + high) / 2
        if .log(pValue(variances(.exp(middle)))) <= middle { high = middle } else { low = middle }
      }
      return .exp(high)
    }

    /// With the interval cut where no difference can lie.
    func difference(alpha: Double) -> EstimateWithInterval {
      let (estimate, variances) = (treatment - control, variances(alpha))
      let half = ((variances.treatment + variances.control) * scale(alpha)).squareRoot()
      return EstimateWithInterval(
        estimate: estimate,
        interval: Interval(lower: max(-1, estimate - half), upper: min(1, estimate + half)))
    }

    /// The roots of (treatment - r control)² = scale (treatment's variance + r² control's).
    func relativeLift(alpha: Double) -> Estimate<EstimateWithInterval> {
      let (scale, variances) = (scale(alpha), variances(alpha))
      let square = control * control - scale * variances.control
      guard square > 0 else { return .unavailable(.zeroControl) }
      let middle = treatment * control
      let root = max(
        0, middle * middle - square * (treatment * treatment - scale * variances.treatment)
      ).squareRoot()
      let lift = (treatment - control) / control
      // With very many trials rounding alone could put the estimate outside.
      return .value(
        EstimateWithInterval(
          estimate: lift,
          interval: Interval(
            lower: min(lift, max(-1, (middle - root) / square - 1)),
            upper: max(lift, (middle + root) / square - 1))))
    }
  }

  private static func contrast(
    _ comparison: StratifiedComparison, _ tuning: SequentialTuning
  ) -> Estimate<Contrast> {
    guard tuning.trials > 0, tuning.level > 0, tuning.level < 1 else {
      return .unavailable(.invalidInput)
    }
    guard let score = comparison.score else {
      return .unavailable(.emptyDenominator)
    }
    guard comparison.hasEnoughClusters else { return .unavailable(.tooFew) }
    let pooled = score.pooled
    let fewest = min(
      pooled.treatmentSuccesses, pooled.treatmentFailures, pooled.controlSuccesses,
      pooled.controlFailures)
    guard fewest >= Double(smallestCell) else { return .unavailable(.tooFew) }
    return .value(
      Contrast(
        treatment: score.treatmentRate, control: score.controlRate,
        variances: .init(treatment: score.treatmentVariance, control: score.controlVariance),
        pooled: pooled, trials: pooled.treatmentTrials + pooled.controlTrials, cell: fewest,
        rhoSquare: rhoSquare(tuning)))
  }
}
