/// What a comparison of ratios has to know of a group: amounts an event, where people have several
/// events each, and the people are what fell on the group by chance.
///
/// The variance is the delta method's (Deng, Knoblich and Lu, Applying the Delta Method in Metric
/// Analytics, KDD 2018, section 3.1). Counting each event as an observation of its own would leave
/// out that one person's events resemble each other, and that their number varies.
public struct RatioOfMeans: Sendable, Hashable {
  /// People, those without an event among them.
  public let count: Int
  /// The mean over the people of what is counted for each, such as their amount.
  public let numerator: Double
  /// The mean over the people of how many events each has.
  public let denominator: Double
  /// The numerator's sample variance over the people, with n − 1.
  public let numeratorVariance: Double
  /// The denominator's sample variance over the people, with n − 1.
  public let denominatorVariance: Double
  /// The sample covariance of numerator and denominator over the people, with n − 1.
  public let covariance: Double

  /// Takes a group's moments as they are.
  public init(
    count: Int, numerator: Double, denominator: Double, numeratorVariance: Double,
    denominatorVariance: Double, covariance: Double
  ) {
    self.count = count
    self.numerator = numerator
    self.denominator = denominator
    self.numeratorVariance = numeratorVariance
    self.denominatorVariance = denominatorVariance
    self.covariance = covariance
  }

  /// The ratio as a mean with the variance of its linear part, (x − R n) / n̄ of each person; `nil`
  /// where there is no event.
  public var linearised: SampleMean? {
    guard denominator > 0 else { return nil }
    let ratio = numerator / denominator
    let spread =
      numeratorVariance - 2 * ratio * covariance + ratio * ratio * denominatorVariance
    return SampleMean(
      count: count, mean: ratio, variance: max(0, spread) / (denominator * denominator))
  }
}
