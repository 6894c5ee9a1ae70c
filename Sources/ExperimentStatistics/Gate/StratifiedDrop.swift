/// A rate that must not have dropped by more than a margin below the control's, where the two are
/// compared within strata, such as the periods of an experiment whose split changed, or are looked
/// at every day.
///
/// As ``RateDrop``, by the stratified score test (``StratifiedComparison``), or with a tuning by
/// the sequence that holds at every look (``ConfidenceSequence``). Chances are those of one look,
/// in the normal limit for the trials of one stratum that would determine each rate equally well.
public struct StratifiedDrop: DropTest {
  /// The two groups within their strata.
  public let comparison: StratifiedComparison
  /// Rate points; with ``isRelative`` a share of the control's rate.
  public let margin: Double
  /// Whether the margin is a share of the control's rate, not rate points.
  public let isRelative: Bool
  /// Of an experiment that is looked at every day; nil for a single look.
  public let tuning: SequentialTuning?
  private let rates: (treatment: Double, control: Double)
  private let effectiveTrials: (treatment: Double, control: Double)

  /// `nil` where no stratum has trials in both groups.
  public init?(
    _ comparison: StratifiedComparison, margin: Double, isRelative: Bool = false,
    tuning: SequentialTuning? = nil
  ) {
    guard let rates = comparison.rates, let effective = comparison.effectiveTrials else {
      return nil
    }
    self.comparison = comparison
    self.margin = max(0, margin)
    self.isRelative = isRelative
    self.tuning = tuning
    self.rates = rates
    effectiveTrials = effective
  }

  /// The one-sided p-value of "the treatment's rate is lower", always valid with a tuning. Without
  /// variation there is no evidence of a drop, and it is 1.
  public var p: Double? {
    guard let tuning else { return comparison.scoreTest().value?.lessP ?? 1 }
    return ConfidenceSequence.test(comparison, ofDifference: 0, tuning: tuning).value?.lessP ?? 1
  }

  /// The margin in rate points.
  public var points: Double { isRelative ? margin * rates.control : margin }

  /// Whether the weighted rate lies below the control's by more than the margin.
  public var isBeyondMargin: Bool { rates.control - rates.treatment > points + 1e-12 }
  /// Twice the margin, in rate points.
  public var lookedFor: Double { 2 * points }
  /// How many people of the treatment are compared, of all strata.
  public var trials: Int { comparison.total.treatment.trials }
  /// Whether the control's weighted rate is larger than the margin.
  public var canDrop: Bool { rates.control > points + 1e-12 }
  /// The true rate can lie above the one that was seen, and drop by more than the margin.
  public var asksForNothing: Bool { false }
  /// The control's weighted rate.
  public var controlRate: Double { rates.control }
  /// How many people of the control are compared, of all strata.
  public var controlTrials: Int { comparison.total.control.trials }

  /// Whether the weighted difference is shown, at this one-sided level, to lie above minus the
  /// margin.
  public func isShownToHold(alpha: Double) -> Bool {
    let supposed = -min(1, points)
    if let tuning {
      let test = ConfidenceSequence.test(comparison, ofDifference: supposed, tuning: tuning).value
      return test.map { $0.greaterP < alpha } ?? false
    }
    return comparison.scoreTest(ofDifference: supposed).value.map { $0.greaterP < alpha } ?? false
  }

  /// The weighted difference with the interval that decides.
  public func difference(level: Double) -> Estimate<EstimateWithInterval> {
    guard let tuning else { return comparison.difference(level: level) }
    return ConfidenceSequence.difference(comparison, level: level, tuning: tuning)
  }

  /// The normal limit; with a tuning the chance at one look, both groups growing alike.
  public func chanceToFail(drop: Double, alpha: Double, trials: Int) -> Double {
    guard alpha > 0, alpha < 1, trials > 0 else { return 0 }
    let growth = Double(trials) / Double(self.trials)
    let supposed = TwoRates(
      treatment: min(1, max(0, rates.control - drop)), control: rates.control,
      treatmentTrials: effectiveTrials.treatment * growth,
      controlTrials: effectiveTrials.control * (tuning == nil ? 1 : growth))
    guard let tuning else { return supposed.chanceToFail(margin: points, alpha: alpha) }
    // Both variants of an experiment grow, and until each has enough there is no interval.
    let total = comparison.total
    let all = Double(total.treatment.trials + total.control.trials) * growth
    guard hasEnough(supposed, growth), supposed.deviation > 0 else { return 0 }
    let width = ConfidenceSequence.squaredHalfWidth(
      trials: all, alpha: min(1, 2 * alpha), tuning)
    let border = max(points, width.squareRoot() * supposed.deviation)
    return NormalDistribution.cumulative(
      (supposed.control - supposed.treatment - border) / supposed.deviation)
  }

  /// The normal limit, with the variance of the draws where the truth is the margin.
  public func chanceToHold(drop: Double, alpha: Double, trials: Int) -> Double {
    guard alpha > 0, alpha < 1, trials > 0 else { return 0 }
    let growth = Double(trials) / Double(self.trials)
    func rates(_ drop: Double) -> TwoRates {
      TwoRates(
        treatment: min(1, max(0, self.rates.control - drop)), control: self.rates.control,
        treatmentTrials: effectiveTrials.treatment * growth,
        controlTrials: effectiveTrials.control * (tuning == nil ? 1 : growth))
    }
    let supposed = rates(drop)
    var border = -NormalDistribution.quantile(alpha) * rates(points).deviation
    if let tuning {
      let total = comparison.total
      let all = Double(total.treatment.trials + total.control.trials) * growth
      guard hasEnough(supposed, growth) else { return 0 }
      let width = ConfidenceSequence.squaredHalfWidth(
        trials: all, alpha: min(1, 2 * alpha), tuning)
      border = width.squareRoot() * supposed.deviation
    }
    let distance = points - (supposed.control - supposed.treatment) - border
    guard supposed.deviation > 0 else { return distance > 0 ? 1 : 0 }
    return NormalDistribution.cumulative(distance / supposed.deviation)
  }

  private func hasEnough(_ supposed: TwoRates, _ growth: Double) -> Bool {
    let total = comparison.total
    let sides = [
      (supposed.treatment, Double(total.treatment.trials)),
      (supposed.control, Double(total.control.trials)),
    ]
    return sides.allSatisfy { rate, trials in
      min(rate, 1 - rate) * trials * growth >= Double(ConfidenceSequence.smallestCell)
    }
  }
}
