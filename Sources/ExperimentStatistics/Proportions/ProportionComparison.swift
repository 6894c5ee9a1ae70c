/// Two proportions set against each other: a treatment and the control it is compared with.
///
/// ``scoreTest()``, ``difference(level:)`` and ``relativeLift(level:)`` come from one statistic:
/// the test rejects at `1 - level` exactly where the interval of the difference leaves out 0 and
/// the interval of the lift leaves out 0.
public struct ProportionComparison: Sendable, Hashable {
  /// Successes among the trials of the treatment.
  public let treatment: Proportion
  /// Successes among the trials of the control.
  public let control: Proportion

  /// Sets a treatment against its control.
  public init(treatment: Proportion, control: Proportion) {
    self.treatment = treatment
    self.control = control
  }

  /// Whether one of the four counts is under 5, where the score methods are at their weakest.
  public var hasSmallCell: Bool {
    [treatment.successes, treatment.failures, control.successes, control.failures]
      .contains { $0 < 5 }
  }

  /// The score test of "the proportions are equal", Pearson's with Miettinen and Nurminen's
  /// factor: z = (p1 - p0) / sqrt(p q (1/n1 + 1/n0) N / (N - 1)), p the pooled proportion.
  ///
  /// Unavailable without trials in either group (`emptyDenominator`), and where everything
  /// succeeded or everything failed (`noVariation`).
  public func scoreTest() -> Estimate<ScoreTest> {
    switch statistic {
    case .unavailable(let reason): .unavailable(reason)
    case .value(let statistic):
      if let z = statistic.atEquality {
        .value(ScoreTest(statistic: z))
      } else {
        .unavailable(.noVariation)
      }
    }
  }

  /// The score test of "the treatment's proportion minus the control's is `supposed`"
  /// (Miettinen and Nurminen 1985); the difference lies between -1 and 1.
  public func scoreTest(ofDifference supposed: Double) -> Estimate<ScoreTest> {
    guard abs(supposed) <= 1 else { return .unavailable(.invalidInput) }
    if supposed == 0 { return scoreTest() }
    return statistic.map { ScoreTest(statistic: $0.at(difference: supposed)) }
  }

  /// The score test of "the treatment's proportion is `supposed` times the control's"
  /// (Miettinen and Nurminen 1985). Unavailable where the control has no success.
  public func scoreTest(ofRatio supposed: Double) -> Estimate<ScoreTest> {
    guard supposed > 0, supposed.isFinite else { return .unavailable(.invalidInput) }
    if supposed == 1 { return scoreTest() }
    guard control.trials == 0 || control.successes > 0 else { return .unavailable(.zeroControl) }
    return statistic.map { ScoreTest(statistic: $0.at(ratio: supposed)) }
  }

  /// The treatment's proportion minus the control's, with Miettinen and Nurminen's interval:
  /// all differences that the score test does not reject (1985).
  public func difference(level: Double = 0.95) -> Estimate<EstimateWithInterval> {
    guard let critical = NormalDistribution.twoSidedCritical(level: level) else {
      return .unavailable(.invalidLevel)
    }
    return statistic.map { ScoreIntervals(statistic: $0, critical: critical).difference }
  }

  /// The treatment's proportion over the control's, minus 1, with the score interval of Miettinen
  /// and Nurminen (1985; Koopman's of 1984 with their factor N / (N - 1)): all ratios
  /// that the score test does not reject.
  /// -0.2 says "a fifth less". Unavailable where the control has no success (`zeroControl`):
  /// the ratio would be unbounded. Otherwise both bounds are finite.
  public func relativeLift(level: Double = 0.95) -> Estimate<EstimateWithInterval> {
    guard let critical = NormalDistribution.twoSidedCritical(level: level) else {
      return .unavailable(.invalidLevel)
    }
    guard control.trials == 0 || control.successes > 0 else { return .unavailable(.zeroControl) }
    return statistic.map { ScoreIntervals(statistic: $0, critical: critical).relativeLift }
  }

  private var statistic: Estimate<ScoreStatistic> {
    guard treatment.trials > 0, control.trials > 0 else {
      return .unavailable(.emptyDenominator)
    }
    return .value(ScoreStatistic(treatment: treatment, control: control))
  }
}
