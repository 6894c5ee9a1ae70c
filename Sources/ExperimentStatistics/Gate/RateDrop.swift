/// A rate that must not have dropped by more than a margin below a reference's: two samples, by
/// the one-sided score test (Miettinen and Nurminen 1985; see ``ScoreStatistic``).
///
/// Chances are sums over both binomial draws, not the normal limit, wherever the sums are short
/// enough: at the rates near 1 that gates guard, the limit is off by more than a gate may be.
public struct RateDrop: DropTest {
  /// The sample that is judged.
  public let current: Proportion
  /// The sample that it is held against.
  public let reference: Proportion
  /// Rate points; with ``isRelative`` a share of the reference's rate.
  public let margin: Double
  /// Whether the margin is a share of the reference's rate, not rate points.
  public let isRelative: Bool

  /// Holds a sample against a reference; a margin below 0 counts as 0.
  public init(
    current: Proportion, reference: Proportion, margin: Double, isRelative: Bool = false
  ) {
    self.current = current
    self.reference = reference
    self.margin = max(0, margin)
    self.isRelative = isRelative
  }

  /// The two samples, with the reference as the control.
  public var comparison: ProportionComparison {
    ProportionComparison(treatment: current, control: reference)
  }

  /// The score test's one-sided p-value of "lower"; `nil` where either side has no trials. Without
  /// variation there is no evidence of a drop, and it is 1.
  public var p: Double? {
    switch comparison.scoreTest() {
    case .value(let test): test.lessP
    case .unavailable(.noVariation): 1
    case .unavailable: nil
    }
  }

  /// Whether the current rate lies below the reference's by more than the margin.
  public var isBeyondMargin: Bool {
    guard let current = current.estimate, let reference = reference.estimate else { return false }
    return isBeyond(current, reference)
  }

  /// The margin in rate points.
  public var points: Double { isRelative ? margin * (reference.estimate ?? 0) : margin }

  /// Twice the margin, in rate points.
  public var lookedFor: Double { 2 * points }
  /// How many people the current sample has.
  public var trials: Int { current.trials }
  /// A margin as large as the rate leaves nothing that could be beyond it.
  public var canDrop: Bool { reference.estimate.map { $0 > points + 1e-12 } ?? false }
  /// The true rate can lie above the one that was seen, and drop by more than the margin.
  public var asksForNothing: Bool { false }

  /// The interval of the difference lies above the margin: it is shown not to be worse by more.
  public func isShownToHold(alpha: Double) -> Bool {
    comparison.scoreTest(ofDifference: -min(1, points)).value.map { $0.greaterP < alpha } ?? false
  }

  /// This rate among so many.
  public func withReference(trials: Int) -> RateDrop? {
    guard let rate = reference.estimate else { return nil }
    let successes = Int(clamping: (rate * Double(trials)).rounded())
    return RateDrop(
      current: current, reference: Proportion(successes: successes, trials: trials),
      margin: margin, isRelative: isRelative)
  }

  /// The exact chance as a sum over both binomial draws where that is short enough, else the normal
  /// limit.
  public func chanceToFail(drop: Double, alpha: Double, trials: Int) -> Double {
    guard alpha > 0, alpha < 1, trials > 0, let supposed = reference.estimate else { return 0 }
    let rate = min(1, max(0, supposed - drop))
    guard let own = BinomialWindow(trials: trials, share: rate),
      let other = BinomialWindow(trials: reference.trials, share: supposed)
    else { return limit(rate: rate, supposed: supposed, alpha: alpha, trials: trials) }
    let critical = NormalDistribution.quantile(alpha)
    var chance = 0.0
    // The more the reference has, the more the sample may have and still fail: both only rise.
    var failing = own.first
    var cumulative = 0.0
    for (offset, weight) in other.chances.enumerated() {
      let control = Proportion(successes: other.first + offset, trials: reference.trials)
      while failing - own.first < own.chances.count,
        fails(failing, trials, control, critical: critical)
      {
        cumulative += own.chances[failing - own.first]
        failing += 1
      }
      chance += weight * cumulative
    }
    return min(1, chance)
  }

  /// Sums over both draws as ``chanceToFail(drop:alpha:trials:)`` does; in the normal limit as
  /// Farrington and Manning plan ("Test statistics and sample size formulae for comparative
  /// binomial trials with null hypothesis of non-zero risk difference", Statistics in Medicine 9,
  /// 1990).
  public func chanceToHold(drop: Double, alpha: Double, trials: Int) -> Double {
    guard alpha > 0, alpha < 1, trials > 0, reference.trials > 0,
      let supposed = reference.estimate
    else { return 0 }
    let rate = min(1, max(0, supposed - drop))
    let critical = -NormalDistribution.quantile(alpha)
    guard let own = BinomialWindow(trials: trials, share: rate),
      let other = BinomialWindow(trials: reference.trials, share: supposed)
    else { return limitToHold(rate: rate, supposed: supposed, critical, trials: trials) }
    var chance = 0.0
    // The more the reference has, the more the sample needs.
    var first = own.first
    var below = 0.0
    for (offset, weight) in other.chances.enumerated() {
      let control = Proportion(successes: other.first + offset, trials: reference.trials)
      while first - own.first < own.chances.count, !holds(first, trials, control, critical) {
        below += own.chances[first - own.first]
        first += 1
      }
      chance += weight * max(0, 1 - below)
    }
    return min(1, chance)
  }

  private func holds(
    _ successes: Int, _ trials: Int, _ control: Proportion, _ critical: Double
  ) -> Bool {
    let points = isRelative ? margin * (control.estimate ?? 0) : margin
    let statistic = ScoreStatistic(
      treatment: Proportion(successes: successes, trials: trials), control: control)
    // Where the margin is nothing, so is the variance of all or of nothing.
    if points == 0 { return (statistic.atEquality ?? 0) > critical }
    return statistic.at(difference: -min(1, points)) > critical
  }

  private func limitToHold(
    rate: Double, supposed: Double, _ critical: Double, trials: Int
  ) -> Double {
    let points = isRelative ? margin * supposed : margin
    let expected = ScoreStatistic(
      treatment: Proportion(successes: Int((rate * Double(trials)).rounded()), trials: trials),
      control: reference)
    let atMargin = expected.variance(atDifference: -min(1, points)).squareRoot()
    let deviation = TwoRates(
      treatment: rate, control: supposed, treatmentTrials: Double(trials),
      controlTrials: Double(reference.trials)
    ).deviation
    let distance = points - (supposed - rate) - critical * atMargin
    guard deviation > 0 else { return distance > 0 ? 1 : 0 }
    return NormalDistribution.cumulative(distance / deviation)
  }

  private func isBeyond(_ current: Double, _ reference: Double) -> Bool {
    // A crumb, so that 60 % to 58 % is not "by more than 2 points".
    reference - current > (isRelative ? margin * reference : margin) + 1e-12
  }

  private func fails(
    _ successes: Int, _ trials: Int, _ control: Proportion, critical: Double
  ) -> Bool {
    let rate = Double(successes) / Double(trials)
    guard isBeyond(rate, control.estimate ?? 0) else { return false }
    let statistic = ScoreStatistic(
      treatment: Proportion(successes: successes, trials: trials), control: control)
    return (statistic.atEquality ?? 0) < critical
  }

  private func limit(rate: Double, supposed: Double, alpha: Double, trials: Int) -> Double {
    TwoRates(
      treatment: rate, control: supposed, treatmentTrials: Double(trials),
      controlTrials: Double(reference.trials)
    ).chanceToFail(margin: isRelative ? margin * supposed : margin, alpha: alpha)
  }
}
