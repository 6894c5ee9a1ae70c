/// Two groups set against each other within strata, so that a change of the groups' sizes from
/// stratum to stratum does not pass for a difference between them.
///
/// With one stratum everything is as in ``ProportionComparison``, to the last digit. Test and
/// intervals come from one statistic and can't contradict each other.
public struct StratifiedComparison: Sendable, Hashable {
  public let strata: [ProportionComparison]

  public init(strata: [ProportionComparison]) { self.strata = strata }

  /// All trials, whatever their stratum.
  public var total: ProportionComparison {
    ProportionComparison(
      treatment: Proportion.sum(strata.map(\.treatment)),
      control: Proportion.sum(strata.map(\.control)))
  }

  /// Whether more than one stratum has anything to say.
  public var isStratified: Bool {
    strata.count { $0.treatment.trials > 0 && $0.control.trials > 0 } > 1
  }

  /// The proportions of both groups, standardised to the strata's Mantel-Haenszel weights; `nil`
  /// where no stratum has trials in both.
  public var rates: (treatment: Double, control: Double)? {
    StratifiedScore(strata).map { ($0.treatmentRate, $0.controlRate) }
  }

  /// The test that there is no difference in any stratum: Mantel and Haenszel's, without
  /// continuity correction. Unavailable as ``ProportionComparison/scoreTest()`` is.
  public func scoreTest() -> Estimate<ScoreTest> {
    guard let score = StratifiedScore(strata) else { return .unavailable(.emptyDenominator) }
    return score.atEquality.map { .value(ScoreTest(statistic: $0)) } ?? .unavailable(.noVariation)
  }

  /// The weighted difference with the interval of all that the score test does not reject.
  public func difference(level: Double = 0.95) -> Estimate<EstimateWithInterval> {
    intervals(level: level).map(\.difference)
  }

  /// The ratio of the standardised proportions, minus 1, with the interval of all that the score
  /// test does not reject. Unavailable where the control has no success (`zeroControl`).
  public func relativeLift(level: Double = 0.95) -> Estimate<EstimateWithInterval> {
    let intervals = intervals(level: level)
    if let score = StratifiedScore(strata), score.controlRate <= 0 {
      return .unavailable(.zeroControl)
    }
    return intervals.map(\.relativeLift)
  }

  private func intervals(level: Double) -> Estimate<ScoreIntervals<StratifiedScore>> {
    guard let critical = NormalDistribution.twoSidedCritical(level: level) else {
      return .unavailable(.invalidLevel)
    }
    guard let score = StratifiedScore(strata) else { return .unavailable(.emptyDenominator) }
    return .value(ScoreIntervals(statistic: score, critical: critical))
  }
}
