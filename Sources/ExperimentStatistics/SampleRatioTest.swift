/// The result of holding group sizes against the split that was meant.
public struct SampleRatioTest: Sendable, Hashable {
  /// How the p-value was found.
  public enum Method: String, Sendable, Hashable {
    /// Pearson's chi-square, of large samples.
    case chiSquare
    /// The multinomial distribution itself, of small ones.
    case exact
    /// Valid at every look.
    case sequential
  }

  /// Pearson's chi-square, by whatever method the p-value is found.
  public let statistic: Double
  /// The degrees of freedom of the chi-square.
  public let degreesOfFreedom: Int
  /// The chance of a split this far from the intended one, or further, if chance alone had made it;
  /// with ``Method/sequential`` valid at every look.
  public let pValue: Double
  /// How the p-value was found.
  public let method: Method

  init(_ chiSquare: ChiSquareTest, pValue: Double, method: Method) {
    statistic = chiSquare.statistic
    degreesOfFreedom = chiSquare.degreesOfFreedom
    self.pValue = pValue
    self.method = method
  }
}
