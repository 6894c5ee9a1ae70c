/// How many of some observations lie above the r-th smallest of others that were drawn alike.
///
/// With `observations` n and `others` m all orders of the n + m are equally likely, so counting
/// from the top the number of observations before the (m - r + 1)-th of the others is negative
/// hypergeometric:
///
///     P(X = x) = C(x + m - r, x) C(n - x + r - 1, n - x) / C(n + m, n)
///
/// (Gumbel and von Schelling, "The distribution of the number of exceedances", Annals of
/// Mathematical Statistics 21, 1950; Johnson, Kemp and Kotz, Univariate Discrete Distributions,
/// 2005, section 6.2.2). Its tails are those of the hypergeometric distribution: at least x lie
/// above exactly where at least x of the highest x + m - r of all are observations.
struct ExceedanceDistribution {
  let observations: Int
  let others: Int
  /// r, from 1 for the smallest.
  let rank: Int

  /// - Parameter share: of which quantile the rank is: the smallest one with that share at or
  ///   below it, as reports take it.
  init(observations: Int, others: Int, share: Double) {
    self.init(
      observations: observations, others: others, rank: Self.rank(of: share, among: others))
  }

  init(observations: Int, others: Int, rank: Int) {
    self.observations = observations
    self.others = others
    self.rank = min(max(rank, 1), max(1, others))
  }

  /// The nearest rank; a crumb off, so that 0.55 of 100 is the 55th.
  static func rank(of share: Double, among count: Int) -> Int {
    max(1, Int(clamping: (share * Double(count) * (1 - 1e-15)).rounded(.up)))
  }

  /// P(X >= count).
  func atLeast(_ count: Int) -> Double {
    if count <= 0 { return 1 }
    if count > observations { return 0 }
    return highest(count).tails(Double(count - 1)).upper
  }

  /// P(X <= count).
  func atMost(_ count: Int) -> Double {
    if count < 0 { return 0 }
    if count >= observations { return 1 }
    return highest(count + 1).tails(Double(count)).lower
  }

  private func highest(_ count: Int) -> HypergeometricDistribution {
    HypergeometricDistribution(
      firstPile: Double(observations), secondPile: Double(others),
      drawn: Double(count) + Double(others - rank))
  }
}
