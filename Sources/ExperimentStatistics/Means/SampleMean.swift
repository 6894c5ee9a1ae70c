/// What a comparison of means has to know of a group: no person's value is kept.
public struct SampleMean: Sendable, Hashable {
  /// People, those without a value among them, who have 0.
  public let count: Int
  public let mean: Double
  /// The sample variance, with n − 1.
  public let variance: Double

  public init(count: Int, mean: Double, variance: Double) {
    self.count = count
    self.mean = mean
    self.variance = variance
  }

  /// The squared standard error of the mean.
  var squaredError: Double { count > 0 ? variance / Double(count) : 0 }
}
