#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The exact test of whether one date's count of people belongs to a lower rate than other dates.
///
/// If all counts are Poisson with one rate, the count of one date, given the sum with n others, is
/// binomial with chance 1/(n + 1) (Przyborowski & Wilenski, *Homogeneity of results in testing
/// samples from Poisson series*, Biometrika 31, 1940).
enum RateDrop {
  /// The chance of so few people on one date, or fewer.
  ///
  /// - Parameters:
  ///   - count: people on the date.
  ///   - others: people on the other dates, in sum.
  ///   - dates: how many other dates there are.
  /// - Returns: between 0 and 1; 1 where there are no people at all.
  static func chance(count: Int, others: Int, dates: Int) -> Double {
    let all = count + others
    let odds = 1 / Double(dates)
    // The terms in logarithms, as the first is below the smallest number for large sums.
    var term = -Double(all) * log1p(odds)
    var sum = exp(term)
    for index in 0..<count {
      term += log(Double(all - index) / Double(index + 1) * odds)
      sum += exp(term)
    }
    return min(1, sum)
  }
}
