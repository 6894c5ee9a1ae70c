import RealModule

extension SampleRatio {
  /// Where a group is expected to have fewer than this the chi-square limit can be wrong in the
  /// tail: of 50 people split 90 to 10, 0.32 % are further off than its 0.1 % point allows.
  public static let smallestExpected = 100.0
  /// An exact sum goes through no more than this many ways to fall on the groups.
  public static let mostOutcomes = 2_000_000.0
  /// How firmly the alternatives of the sequential test lie around the declared split, as a number
  /// of people: gross mismatches of small samples, and slight ones of large samples.
  public static let concentrations = [100.0, 10_000]

  /// The test of a split, by period where it changed: exact for small samples.
  ///
  /// A period in which a group is expected to have fewer than ``smallestExpected`` has the exact
  /// p-value, as far as ``mostOutcomes`` allows; all others have one chi-square together. Several
  /// p-values are combined by Fisher's method (Statistical Methods for Research Workers, 1932),
  /// which errs on the side of no mismatch where a p-value is discrete.
  public static func check(
    periods: [[Int]], expectedShares: [[Double]]
  ) -> Estimate<SampleRatioTest> {
    let whole = test(periods: periods, expectedShares: expectedShares)
    guard case .value(let chiSquare) = whole else {
      return .unavailable(whole.reason ?? .invalidInput)
    }
    var exact: [Double] = []
    var large: (periods: [[Int]], shares: [[Double]]) = ([], [])
    for (observed, shares) in zip(periods, expectedShares) {
      guard observed.contains(where: { $0 > 0 }) else { continue }
      if isSmall(observed, shares), let p = exactP(observed, shares) {
        exact.append(p)
      } else {
        large.periods.append(observed)
        large.shares.append(shares)
      }
    }
    guard !exact.isEmpty else {
      return .value(SampleRatioTest(chiSquare, pValue: chiSquare.pValue, method: .chiSquare))
    }
    let rest = test(periods: large.periods, expectedShares: large.shares).value?.pValue
    let pValues = exact + (rest.map { [$0] } ?? [])
    return .value(SampleRatioTest(chiSquare, pValue: combined(pValues), method: .exact))
  }

  /// The test of a split that is watched: the chance that this p-value is ever under alpha, however
  /// often one looks, is at most alpha where people are split as declared.
  ///
  /// The inverse of the Bayes factor of a Dirichlet mixture against the declared split (Lindon and
  /// Malek, "Anytime-valid inference for multinomial count data", NeurIPS 2022, equation 5), the
  /// mean over ``concentrations``. The factors of periods multiply.
  public static func checkSequentially(
    periods: [[Int]], expectedShares: [[Double]]
  ) -> Estimate<SampleRatioTest> {
    test(periods: periods, expectedShares: expectedShares).map { chiSquare in
      let evidence = zip(periods, expectedShares).reduce(0) { $0 + logEvidence($1.0, $1.1) }
      return SampleRatioTest(chiSquare, pValue: min(1, .exp(-evidence)), method: .sequential)
    }
  }

  private static func normalised(_ shares: [Double]) -> [Double] {
    let largest = shares.max() ?? 1
    let sum = shares.reduce(0) { $0 + $1 / largest }
    return shares.map { $0 / largest / sum }
  }

  private static func isSmall(_ observed: [Int], _ shares: [Double]) -> Bool {
    let total = observed.reduce(0.0) { $0 + Double(max(0, $1)) }
    return (normalised(shares).min() ?? 1) * total < smallestExpected
  }

  private static func combined(_ pValues: [Double]) -> Double {
    guard pValues.count > 1 else { return pValues.first ?? 1 }
    let statistic = pValues.reduce(0) { $0 - 2 * .log(max($1, .leastNormalMagnitude)) }
    return ChiSquareDistribution.survival(statistic, degreesOfFreedom: 2 * pValues.count)
  }

  /// The chance of all outcomes that are no likelier than the observed one, as `binom.test` of R
  /// and scipy's `binomtest` take it; `nil` where there are too many to go through.
  static func exactP(_ observed: [Int], _ shares: [Double]) -> Double? {
    let counts = observed.map { max(0, $0) }
    let total = counts.reduce(0, +)
    // Binomial coefficient of total + groups - 1 over groups - 1.
    var outcomes = 1.0
    for group in 1..<max(2, counts.count) {
      outcomes *= Double(total + group) / Double(group)
      if outcomes > mostOutcomes { return nil }
    }
    let logShares = normalised(shares).map { Double.log($0) }
    let logFactorials = (0...total).map { Double.logGamma(Double($0) + 1) }
    func term(_ group: Int, _ count: Int) -> Double {
      Double(count) * logShares[group] - logFactorials[count]
    }
    let whole = logFactorials[total]
    // Rounding must not leave out an outcome that is as likely.
    let bound = whole + counts.indices.reduce(0) { $0 + term($1, counts[$1]) } + 1e-7
    func sum(_ group: Int, _ left: Int, _ before: Double) -> Double {
      if group == counts.count - 1 {
        let log = before + term(group, left)
        return log <= bound ? .exp(log) : 0
      }
      var found = 0.0
      for count in 0...left {
        found += sum(group + 1, left - count, before + term(group, count))
      }
      return found
    }
    return min(1, sum(0, total, whole))
  }

  private static func logEvidence(_ observed: [Int], _ expectedShares: [Double]) -> Double {
    let shares = normalised(expectedShares)
    let counts = observed.map { Double(max(0, $0)) }
    let total = counts.reduce(0, +)
    let likelihood = zip(counts, shares).reduce(0) { $0 + $1.0 * .log($1.1) }
    let logs = concentrations.map { concentration -> Double in
      zip(counts, shares).reduce(
        .logGamma(concentration) - .logGamma(concentration + total) - likelihood
      ) { sum, group in
        let prior = concentration * group.1
        return sum + .logGamma(prior + group.0) - .logGamma(prior)
      }
    }
    let largest = logs.max() ?? 0
    let mean = logs.reduce(0) { $0 + .exp($1 - largest) } / Double(logs.count)
    return largest + .log(mean)
  }
}
