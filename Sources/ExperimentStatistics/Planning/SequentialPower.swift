import RealModule

/// What an always-valid comparison can show: more trials are needed than for a single look.
///
/// A look at N trials shows the difference d with the given power where d is at least
/// se(N) × (√c(N) + z_power), with se the standard error under the supposed rates and c(N) the
/// squared half-width of the confidence sequence in standard errors (`ConfidenceSequence`).
public enum SequentialPower {
  /// The trials at which one look shows a difference between these rates with the given power.
  ///
  /// Unavailable for rates out of 0...1 (`invalidInput`), for equal ones (`unreachable`), and where
  /// more than 10^12 trials would be needed (`unreachable`).
  public static func trialsNeeded(
    treatmentRate: Double, controlRate: Double, treatmentPerControl: Double = 1,
    alpha: Double = 0.05, power: Double = 0.8, tuning: SequentialTuning = SequentialTuning()
  ) -> Estimate<Power.SampleSize> {
    guard alpha > 0, alpha < 1, power > 0, power < 1, tuning.trials > 0, tuning.level > 0,
      tuning.level < 1
    else { return .unavailable(.invalidLevel) }
    guard (0...1).contains(treatmentRate), (0...1).contains(controlRate),
      treatmentPerControl > 0, treatmentPerControl.isFinite
    else { return .unavailable(.invalidInput) }
    let difference = (treatmentRate - controlRate).magnitude
    // Two rates of 0, or of 1, have no variance either, and any sample would do.
    guard difference > 0 else { return .unavailable(.unreachable) }
    let share = treatmentPerControl / (1 + treatmentPerControl)
    let variance =
      treatmentRate * (1 - treatmentRate) / share + controlRate * (1 - controlRate) / (1 - share)
    let z = NormalDistribution.quantile(power)
    func isShown(_ trials: Double) -> Bool {
      let width = ConfidenceSequence.squaredHalfWidth(trials: trials, alpha: alpha, tuning)
      return difference >= (variance / trials).squareRoot() * (width.squareRoot() + z)
    }
    var (low, high) = (1.0, 2.0)
    while !isShown(high) {
      (low, high) = (high, high * 2)
      if high > 1e12 { return .unavailable(.unreachable) }
    }
    while high - low > 0.5 {
      let middle = (low + high) / 2
      if isShown(middle) { high = middle } else { low = middle }
    }
    return .value(
      Power.SampleSize(
        treatment: Int((high * share).rounded(.up)),
        control: Int((high * (1 - share)).rounded(.up))))
  }

  /// The smallest relative lift that one look at these samples shows with the given power.
  /// Unavailable without trials, for a control rate of 0 or 1, or where not even a rate of 1 would
  /// be shown.
  public static func smallestDetectableLift(
    controlRate: Double, treatmentTrials: Int, controlTrials: Int, alpha: Double = 0.05,
    power: Double = 0.8, tuning: SequentialTuning = SequentialTuning()
  ) -> Estimate<Double> {
    guard controlRate > 0, controlRate < 1 else { return .unavailable(.noVariation) }
    guard treatmentTrials > 0, controlTrials > 0 else { return .unavailable(.emptyDenominator) }
    let ratio = Double(treatmentTrials) / Double(controlTrials)
    func isShown(_ rate: Double) -> Bool {
      let needed = trialsNeeded(
        treatmentRate: rate, controlRate: controlRate, treatmentPerControl: ratio, alpha: alpha,
        power: power, tuning: tuning)
      return needed.value.map { $0.control <= controlTrials } ?? false
    }
    guard isShown(1) else { return .unavailable(.unreachable) }
    var (low, high) = (controlRate, 1.0)
    for _ in 0..<50 {
      let middle = (low + high) / 2
      if isShown(middle) { high = middle } else { low = middle }
    }
    return .value(high / controlRate - 1)
  }
}
