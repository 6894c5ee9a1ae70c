/// Whether a rate declines below what somebody accepted, asked anew every night: the chance that a
/// steady rate is ever called a decline is bounded for all nights together, however many follow.
///
/// On day d of weekday w the rate is p(w) - D if d is not before the decline's first day, plus an
/// error with variance s^2 k(d): the luck of the draw and the day's effect, whose ratio k is the
/// reference's (``DailyVariation``). With the weighted mean of the days before and from the first
/// day on, by weekday, S = sum c(w) (before - from then on) and I = sum c(w), where 1/c(w) is the
/// variance of the two means' difference in units of s^2, let SSE be the weighted squares about the
/// weekdays' means, n days minus weekdays, and R = SSE - S^2 / (I + 1). Then
///
///     E = 2 (I + 1)^(-1/2) (SSE / R)^(n/2) P(T(n) < S (n / (R (I + 1)))^(1/2))
///
/// is the likelihood ratio of "declines by half-normal D / s" against "steady" for what of the data
/// depends neither on the weekdays' rates nor on s. Of a steady rate it is a martingale that begins
/// with 1, so it reaches 1/alpha with a chance of at most alpha, ever (Ville's inequality). It is
/// the one-sided t-test martingale with a Gaussian mixture of Wang and Ramdas ("Anytime-valid
/// t-tests and confidence sequences for Gaussian means with unknown variance", arXiv:2310.03722,
/// 2023), with the weekdays' rates as further unknowns; and it counts how uncertain the
/// reference itself is. First days a week apart are mixed with weights 1/((k + 1) (k + 2)), which
/// sum to 1: a mean of martingales is one.
///
/// Days are taken as independent and their errors as normal.
public struct SlowDecline: Sendable {
  /// What all days up to one say.
  public struct Night: Sendable, Hashable {
    /// The last of these days, as days since 1970.
    public let day: Int
    /// The mixed likelihood ratio.
    public let evidence: Double
    /// The first day of the likeliest decline; days since 1970.
    public let firstDay: Int
    /// By how much the rate is lower from ``firstDay`` on, in rate points; negative for a rise.
    public let drop: Double
  }

  /// Of each day with people after the reference, in order.
  public let nights: [Night]
  /// Rate points.
  public let margin: Double
  /// How much the reference's days differ beyond the luck of the draw.
  public let variation: DailyVariation

  /// - Parameters:
  ///   - days: every complete day after the reference, in any order.
  ///   - reference: the days that somebody accepted.
  ///   - margin: rate points; with `isRelative` a share of the reference's rate.
  /// - Returns: `nil` with fewer days than ``DailyVariation/fewestDays``, or where none follows.
  public init?(
    days: [DayCounts], reference: [DayCounts], margin: Double, isRelative: Bool = false
  ) {
    guard let model = DayModel(days: days, reference: reference) else { return nil }
    variation = model.variation
    self.margin = max(0, isRelative ? margin * model.rate : margin)
    var sums = model.ofReference
    var starts: [(day: Int, before: WeekdaySums)] = []
    var nights: [Night] = []
    for day in model.following {
      if starts.last.map({ day.day >= $0.day + 7 }) ?? true { starts.append((day.day, sums)) }
      model.add(day, to: &sums)
      nights.append(Self.night(day.day, sums, starts))
    }
    self.nights = nights
  }

  private static func night(
    _ day: Int, _ sums: WeekdaySums, _ starts: [(day: Int, before: WeekdaySums)]
  ) -> Night {
    var (evidence, best) = (0.0, (weighted: 0.0, day: starts.first?.day ?? day, drop: 0.0))
    for (index, start) in starts.enumerated() {
      // What speaks against a decline adds next to nothing; without it the mean is still bounded.
      guard let found = sums.decline(since: start.before) else { continue }
      let weighted = found.likelihoodRatio / Double((index + 1) * (index + 2))
      evidence += weighted
      if weighted > best.weighted { best = (weighted, start.day, found.drop) }
    }
    return Night(day: day, evidence: evidence, firstDay: best.day, drop: best.drop)
  }

  /// The night that says most of those on which the drop was beyond the margin.
  public var worst: Night? {
    nights.filter { $0.drop > margin + 1e-12 }.max { $0.evidence < $1.evidence }
  }

  /// Valid on every night: the chance that it is ever as small as alpha is at most alpha where
  /// nothing declines. It never grows again until somebody accepts other days.
  public var p: Double { min(1, 1 / max(1, worst?.evidence ?? 1)) }

  /// The first night that showed a decline beyond the margin at this level; `nil` where none did.
  public func firstNight(alpha: Double) -> Night? {
    nights.first { $0.drop > margin + 1e-12 && $0.evidence * alpha >= 1 }
  }
}
