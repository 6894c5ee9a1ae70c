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

  /// - Parameter degreesOfFreedom: of Student's t; `nil` for the normal distribution.
  init(statistic: Double, degreesOfFreedom: Int? = nil) {
    self.statistic = statistic
    if let degreesOfFreedom {
      let student = StudentDistribution(degreesOfFreedom: degreesOfFreedom)
      greaterP = student.cumulative(-statistic)
      lessP = student.cumulative(statistic)
      twoSidedP = min(1, 2 * student.cumulative(-abs(statistic)))
      return
    }
    greaterP = NormalDistribution.survival(statistic)
    lessP = NormalDistribution.cumulative(statistic)
    twoSidedP = min(1, 2 * NormalDistribution.survival(abs(statistic)))
  }
}
