/// The score statistic of two proportions that differ by more than the luck of the draw, since each
/// was seen at times of its own:
///
///     T = (p1 - p0 - d) / sqrt(V(d) + v)
///
/// V(d) is the score test's variance at the supposed difference d (``ScoreStatistic``) and v what
/// times add to it. T is held against Student's distribution with the degrees of freedom that v was
/// estimated with.
struct WidenedScore {
  let score: ScoreStatistic
  let variance: Double
  let student: StudentDistribution

  /// T at a supposed difference.
  func statistic(_ supposed: Double) -> Double {
    let ofDraws =
      supposed == 0 ? score.varianceAtEquality : score.variance(atDifference: supposed)
    return ScoreStatistic.standardized(score.difference - supposed, variance: ofDraws + variance)
  }

  /// All differences that T does not reject.
  ///
  /// - Parameter level: above 0 and below 1.
  func difference(level: Double) -> EstimateWithInterval {
    let critical = -student.quantile((1 - level) / 2)
    let estimate = score.difference
    func bound(_ end: Double, _ critical: Double) -> Double {
      RootFinding.crossing(from: estimate, to: end, resolution: 1e-10) { supposed in
        statistic(supposed) - critical
      }
    }
    return EstimateWithInterval(
      estimate: estimate,
      interval: Interval(lower: bound(-1, critical), upper: bound(1, -critical)))
  }
}
