/// The result of a score test of two proportions.
public struct ScoreTest: Sendable, Hashable {
  /// The z statistic: positive where the treatment's proportion is the larger.
  public let statistic: Double
  /// The p-value against "the proportions differ".
  public let twoSidedP: Double
  /// The p-value against "the treatment's proportion is greater".
  public let greaterP: Double
  /// The p-value against "the treatment's proportion is less".
  public let lessP: Double

  init(statistic: Double) {
    self.statistic = statistic
    greaterP = NormalDistribution.survival(statistic)
    lessP = NormalDistribution.cumulative(statistic)
    twoSidedP = min(1, 2 * NormalDistribution.survival(abs(statistic)))
  }
}
