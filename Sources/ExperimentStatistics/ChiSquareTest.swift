/// The result of a chi-square test.
public struct ChiSquareTest: Sendable, Hashable {
  /// Pearson's chi-square, zero or more.
  public let statistic: Double
  /// How many of the compared counts are free to vary: the chi-square distribution's parameter.
  public let degreesOfFreedom: Int
  /// The chance of a statistic this large or larger if the supposed shares were true.
  public let pValue: Double

  init(statistic: Double, degreesOfFreedom: Int) {
    self.statistic = statistic
    self.degreesOfFreedom = degreesOfFreedom
    pValue = ChiSquareDistribution.survival(statistic, degreesOfFreedom: degreesOfFreedom)
  }

  /// The test of whether several samples have equal shares of some categories (Pearson, "On the
  /// probability that two distributions of frequency are really samples of the same population",
  /// Biometrika 8, 1911).
  ///
  /// Samples and categories without a count say nothing. Negative counts count as none.
  ///
  /// - Parameter samples: of each sample, how many fall into each category.
  /// - Returns: unavailable where samples differ in length (`invalidInput`), where nobody was
  ///   counted (`emptyDenominator`), and where fewer than two samples or categories have a count
  ///   (`noVariation`).
  public static func homogeneity(_ samples: [[Int]]) -> Estimate<ChiSquareTest> {
    guard let categories = samples.first?.count else { return .unavailable(.emptyDenominator) }
    guard samples.allSatisfy({ $0.count == categories }) else {
      return .unavailable(.invalidInput)
    }
    let rows = samples.map { $0.map { Double(max(0, $0)) } }.filter { $0.contains { $0 > 0 } }
    guard !rows.isEmpty else { return .unavailable(.emptyDenominator) }
    let sums = (0..<categories).map { category in rows.reduce(0) { $0 + $1[category] } }
    let filled = sums.indices.filter { sums[$0] > 0 }
    guard rows.count > 1, filled.count > 1 else { return .unavailable(.noVariation) }
    let all = sums.reduce(0, +)
    var statistic = 0.0
    for row in rows {
      let size = row.reduce(0, +)
      for category in filled {
        let expected = size * (sums[category] / all)
        statistic += (row[category] - expected) * ((row[category] - expected) / expected)
      }
    }
    return .value(
      ChiSquareTest(
        statistic: statistic, degreesOfFreedom: (rows.count - 1) * (filled.count - 1)))
  }
}
