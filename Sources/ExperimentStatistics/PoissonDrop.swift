/// The exact test of whether one period's count belongs to a lower rate than other periods of its
/// length.
///
/// If all counts are Poisson with one rate, the count of one period, given the sum with n others,
/// is binomial with chance 1/(n + 1) (Przyborowski and Wilenski, "Homogeneity of results in testing
/// samples from Poisson series", Biometrika 31, 1940).
public struct PoissonDrop: Sendable, Hashable {
  /// What the period in question has.
  public let count: Int
  /// What the other periods have, in sum.
  public let others: Int
  /// How many other periods there are; at least 1.
  public let otherPeriods: Int

  /// Counts below 0 are taken as 0, and fewer than one other period as one.
  public init(count: Int, others: Int, otherPeriods: Int) {
    self.count = max(0, count)
    self.others = max(0, others)
    self.otherPeriods = max(1, otherPeriods)
  }

  /// The chance of a count this small or smaller at one rate; 1 where nothing was counted at all.
  public var pValue: Double {
    BinomialDistribution.tails(
      Double(count), trials: Double(count + others), share: 1 / Double(otherPeriods + 1)
    ).lower
  }
}
