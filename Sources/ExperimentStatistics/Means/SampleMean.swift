/// What a comparison of means has to know of a group: no person's value is kept.
public struct SampleMean: Sendable, Hashable {
  /// People, those without a value among them, who have 0.
  public let count: Int
  /// The mean over all of these people.
  public let mean: Double
  /// The sample variance, with n − 1.
  public let variance: Double
  /// How well the variance is known.
  let degreesOfFreedom: Double

  /// Takes a sample of independent people; the variance is the sample's, not the mean's.
  public init(count: Int, mean: Double, variance: Double) {
    self.count = count
    self.mean = mean
    self.variance = variance
    degreesOfFreedom = Double(count - 1)
  }

  /// Of people who belong to accounts: the variance is that of independent people whose mean is
  /// known equally well.
  ///
  /// - Parameters:
  ///   - moments: of what the people of each account add up to, and how many there are.
  ///   - parts: of all periods, of which this is one: an account may have people in several.
  ///   - group: of the people of all periods together.
  public init(
    _ moments: ClusterMoments, among parts: [ClusterMoments] = [], of group: ClusterMoments? = nil
  ) {
    let group = group ?? moments
    count = Int(clamping: moments.people)
    mean = moments.ratio
    variance = moments.variance * moments.people * group.resemblance(across: parts)
    // Degrees of strata add up, and those of one group's accounts are the same ones.
    let filled = parts.count { $0.people > 0 }
    degreesOfFreedom = group.degreesOfFreedom / Double(max(1, filled))
  }

  /// The squared standard error of the mean.
  var squaredError: Double { count > 0 ? variance / Double(count) : 0 }
}
