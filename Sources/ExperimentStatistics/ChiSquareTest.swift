/// The result of a chi-square test.
public struct ChiSquareTest: Sendable, Hashable {
  /// Pearson's chi-square, zero or more.
  public let statistic: Double
  public let degreesOfFreedom: Int
  /// The chance of a statistic this large or larger if the supposed shares were true.
  public let pValue: Double
}
