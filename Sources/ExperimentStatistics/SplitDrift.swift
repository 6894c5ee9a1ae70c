/// Whether the shares of an experiment's variants are the same from cohort to cohort.
///
/// Shares that change are a ramp that nobody declared, or an assignment that broke: people of
/// different weeks are then compared, and the whole split may still look as planned.
public struct SplitDrift: Sendable, Hashable {
  /// Cohorts in which a variant is expected to have fewer people than this are joined with the
  /// next: the chi-square's limit wants no less.
  static let fewestExpected = 10.0

  /// The chance of shares that differ as much, if people are split alike at all times.
  public let pValue: Double
  /// The place of the variant whose share changes most.
  public let variant: Int
  /// The least and the greatest share that it has of the people of a cohort, or of cohorts joined.
  public let shares: ClosedRange<Double>

  /// The test: Pearson's chi-square of homogeneity in each period of one split, added up.
  ///
  /// - Parameters:
  ///   - periods: of each period of one declared split, its cohorts in the order of time, each as
  ///     the number of people of every variant.
  ///   - isWatched: whether one looks whenever a cohort is there, so that p is multiplied by how
  ///     many there are (Bonferroni).
  /// - Returns: `nil` where no period has two cohorts to compare.
  public init?(periods: [[[Int]]], isWatched: Bool) {
    let joined = periods.map(SplitDrift.joined)
    let tests = joined.compactMap { ChiSquareTest.homogeneity($0).value }
    guard let width = joined.first(where: { $0.count > 1 })?.first?.count, !tests.isEmpty else {
      return nil
    }
    let p = ChiSquareDistribution.survival(
      tests.reduce(0) { $0 + $1.statistic },
      degreesOfFreedom: tests.reduce(0) { $0 + $1.degreesOfFreedom })
    let looks = joined.reduce(0) { $0 + max(0, $1.count - 1) }
    pValue = isWatched ? min(1, p * Double(looks)) : p
    var greatest: (variant: Int, shares: ClosedRange<Double>) = (0, 0...0)
    for cohorts in joined where cohorts.count > 1 {
      for variant in 0..<width {
        let shares = cohorts.map { Double($0[variant]) / Double(max(1, $0.reduce(0, +))) }
        let range = (shares.min() ?? 0)...(shares.max() ?? 0)
        let length = range.upperBound - range.lowerBound
        // Of two variants both change alike; the last is not the control.
        if length >= greatest.shares.upperBound - greatest.shares.lowerBound {
          greatest = (variant, range)
        }
      }
    }
    variant = greatest.variant
    shares = greatest.shares
  }

  /// Cohorts with enough people, those with too few joined with the ones after them.
  static func joined(_ cohorts: [[Int]]) -> [[Int]] {
    let width = cohorts.first?.count ?? 0
    let sums = (0..<width).map { variant in cohorts.reduce(0) { $0 + max(0, $1[variant]) } }
    let total = sums.reduce(0, +)
    guard let least = sums.filter({ $0 > 0 }).min(), total > 0 else { return [] }
    let smallest = fewestExpected * Double(total) / Double(least)
    var found: [[Int]] = []
    var open = Array(repeating: 0, count: width)
    for cohort in cohorts {
      for variant in open.indices { open[variant] += max(0, cohort[variant]) }
      if Double(open.reduce(0, +)) >= smallest {
        found.append(open)
        open = Array(repeating: 0, count: width)
      }
    }
    if let last = found.indices.last {
      for variant in open.indices { found[last][variant] += open[variant] }
    }
    return found
  }
}
