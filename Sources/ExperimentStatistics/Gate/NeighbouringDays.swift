import RealModule

/// How much a day's effect on a rate resembles that of the day before: weather, campaigns, holidays
/// and seasons last for more than a day, so a bad week is less of a proof than seven bad days.
///
/// The effects of days that lie j days apart have the correlation r^j (an autoregression of first
/// order). With the distances e(d) of n days from the means of k weekdays, weighted by
/// sqrt(n(d) n(d + 1)), the variance s^2 between days and v of a day's draw,
///
///     r0 = mean of e(d) e(d + 1) * n / (n - k) / s^2       held within -1 and 1
///     r1 = r0 + (1 + 3 r0) / n
///     r  = 0.3 + w (r1 - 0.3),   w = (0.5 h)^2 / ((0.5 h)^2 + 1 / n),   h = s^2 / (s^2 + v)
///
/// held within 0 and 0.9. n / (n - k) is for what the weekdays' means take of both days. r1 is
/// without the bias of an estimate about an estimated mean (Marriott and Pope, "Bias in the
/// estimation of autocorrelations", Biometrika 41, 1954). Its standard error is 1 / (h sqrt(n)),
/// often as large as any correlation, so it is drawn to what is usual as the posterior mean of a
/// normal prior does: of 36 real series the median of four weeks is 0.27.
public struct NeighbouringDays: Sendable, Hashable {
  private static let largest = 0.9
  private static let usual = (mean: 0.3, deviation: 0.5)

  /// One day of the reference.
  struct Distance {
    var day: Int
    /// Of its rate from that of its weekday.
    var fromMean: Double
    var trials: Double
  }

  /// One day of a weighted mean.
  struct Weight {
    var day: Int
    var share: Double
  }

  /// Of the effects of consecutive days, 0 to 0.9.
  public let correlation: Double

  init(correlation: Double) { self.correlation = correlation }

  /// - Parameters:
  ///   - days: of the reference, each once, in order.
  ///   - variance: of the true rate between days; without any there is nothing to resemble.
  ///   - drawOfDay: the variance that the luck of the draw gives a day's rate.
  init(_ days: [Distance], variance: Double, drawOfDay: Double, daysLessWeekdays: Int) {
    var (products, weights) = (0.0, 0.0)
    for (one, next) in zip(days, days.dropFirst()) where next.day == one.day + 1 {
      let weight = (one.trials * next.trials).squareRoot()
      products += weight * one.fromMean * next.fromMean
      weights += weight
    }
    guard variance > 0, weights > 0, daysLessWeekdays > 0 else {
      correlation = 0
      return
    }
    let count = Double(days.count)
    let seen = products / weights * count / Double(daysLessWeekdays) / variance
    let bounded = min(1, max(-1, seen))
    let unbiased = bounded + (1 + 3 * bounded) / count
    let known = Self.usual.deviation * variance / (variance + drawOfDay)
    let weight = known * known / (known * known + 1 / count)
    let drawn = Self.usual.mean + weight * (unbiased - Self.usual.mean)
    correlation = min(Self.largest, max(0, drawn))
  }

  /// The variance of a weighted mean of days' effects, for a variance of 1 of one day: the sum over
  /// pairs of their shares times r^(days between them).
  ///
  /// - Parameter days: each once, in order.
  func varianceOfMean(_ days: [Weight]) -> Double {
    var (variance, earlier) = (0.0, 0.0)
    var last: Int?
    for day in days {
      // The sum of the earlier days' shares, each by its correlation with this one.
      earlier *= last.map { power(day.day - $0) } ?? 0
      variance += day.share * (day.share + 2 * earlier)
      earlier += day.share
      last = day.day
    }
    return variance
  }

  /// The variance of the mean effect of consecutive days of one size, for a variance of 1 of one
  /// day: (1 + 2 sum over j < m of (1 - j/m) r^j) / m.
  ///
  /// - Parameter days: how many, not necessarily whole ones.
  func varianceOfMean(days: Double) -> Double {
    let rest = 1 - correlation
    let edge = 2 * correlation * (1 - power(days)) / (days * rest * rest)
    return (perDay - edge) / days
  }

  private func power(_ days: Int) -> Double { power(Double(days)) }
  /// Of days that lie apart; 0 to a power is no number to `pow`.
  private func power(_ days: Double) -> Double {
    correlation > 0 ? Double.pow(correlation, days) : 0
  }

  /// How many days of very many say as much of their mean as one independent day.
  var perDay: Double { (1 + correlation) / (1 - correlation) }

  /// Of a variance that is estimated from correlated days, rounded down: times 1 - r^2.
  ///
  /// A variance from days of a known r would have (1 - r^2) / (1 + r^2) times as many (Bayley and
  /// Hammersley, "The effective number of independent observations in an autocorrelated time
  /// series", Supplement to the Journal of the Royal Statistical Society 8, 1946). But r is
  /// estimated, of independent days often as large, and so few degrees would hide large drops at a
  /// small alpha. What this keeps and what it costs is in docs/trust.md.
  func degreesOfFreedom(of degrees: Int) -> Int {
    max(1, Int((Double(degrees) * (1 - correlation * correlation)).rounded(.down)))
  }
}
