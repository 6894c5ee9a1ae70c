/// A rate that must not have dropped by more than a margin below the control's, where the two are
/// compared within strata: the periods of an experiment whose split changed.
///
/// As ``RateDrop``, by the stratified score test (``StratifiedComparison``). Chances are the normal
/// limit for as many trials of one stratum as say the same about each rate.
public struct StratifiedDrop: DropTest {
  public let comparison: StratifiedComparison
  /// Rate points; with ``isRelative`` a share of the control's rate.
  public let margin: Double
  public let isRelative: Bool
  private let rates: (treatment: Double, control: Double)
  private let effectiveTrials: (treatment: Double, control: Double)

  /// `nil` where no stratum has trials in both groups.
  public init?(_ comparison: StratifiedComparison, margin: Double, isRelative: Bool = false) {
    guard let rates = comparison.rates, let effective = comparison.effectiveTrials else {
      return nil
    }
    self.comparison = comparison
    self.margin = max(0, margin)
    self.isRelative = isRelative
    self.rates = rates
    effectiveTrials = effective
  }

  /// Without variation there is no evidence of a drop.
  public var p: Double? { comparison.scoreTest().value?.lessP ?? 1 }

  /// The margin in rate points.
  public var points: Double { isRelative ? margin * rates.control : margin }

  /// A crumb, so that 60 % to 58 % is not "by more than 2 points".
  public var isBeyondMargin: Bool { rates.control - rates.treatment > points + 1e-12 }
  public var lookedFor: Double { 2 * points }
  public var trials: Int { comparison.total.treatment.trials }
  public var canDrop: Bool { rates.control > points + 1e-12 }
  /// The true rate can lie above the one that was seen, and drop by more than the margin.
  public var asksForNothing: Bool { false }
  /// The control's weighted rate.
  public var controlRate: Double { rates.control }
  public var controlTrials: Int { comparison.total.control.trials }

  public func isShownToHold(alpha: Double) -> Bool {
    comparison.scoreTest(ofDifference: -min(1, points)).value.map { $0.greaterP < alpha } ?? false
  }

  public func chanceToFail(drop: Double, alpha: Double, trials: Int) -> Double {
    guard alpha > 0, alpha < 1, trials > 0 else { return 0 }
    let growth = Double(trials) / Double(self.trials)
    return TwoRates(
      treatment: min(1, max(0, rates.control - drop)), control: rates.control,
      treatmentTrials: effectiveTrials.treatment * growth, controlTrials: effectiveTrials.control
    ).chanceToFail(margin: points, alpha: alpha)
  }
}
