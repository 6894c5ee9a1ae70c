/// What a night would show if the truth were worse.
///
/// The variance that a night is tested with is an estimate, so a baseline whose days happened to
/// lie close together would promise more than one of the same app whose days did not. In the normal
/// limit of the draws and of the days' effects:
///
/// - a distance over an estimated deviation is too large on average, and is taken times Hedges'
///   factor 1 - 3 / (4 degrees - 1) (Hedges, Journal of Educational Statistics 6, 1981; Borenstein,
///   Hedges, Higgins and Rothstein, Introduction to Meta-Analysis, 2009, chapter 4); by three
///   quarters of that, since a chance bends with the distance and undoes the rest: means over
///   estimates are then the noncentral t's within 0.01 from 7 degrees on;
/// - the statistic is noncentral t: its denominator varies as the square root of chi-square over
///   its degrees. So does the distance that is promised from, and what that contributes to the mean
///   over baselines is not added once more.
///
/// A part of the variance is that of the draws, which is known. The degrees are those of a
/// chi-square that varies as the whole does (Satterthwaite, Biometrics Bulletin 2, 1946).
extension DailyDrop {
  /// More trials of the current side come with more days, at as many a day.
  public func chanceToFail(drop missing: Double, alpha: Double, trials: Int) -> Double {
    guard alpha > 0, alpha < 1, trials > 0 else { return 0 }
    let supposed = reference.rate
    let rate = min(1, max(0, supposed - missing))
    let days = daysVariance(trials: trials)
    let atEquality = (drawsVariance(supposed, supposed, trials) + days).squareRoot()
    let deviation = (drawsVariance(rate, supposed, trials) + days).squareRoot()
    let critical = -student.quantile(alpha)
    guard deviation > 0 else {
      return supposed - rate > max(points, critical * atEquality) ? 1 : 0
    }
    return chance(
      distance: (supposed - rate) / deviation, critical: critical * atEquality / deviation,
      atMost: (supposed - rate - points) / deviation, degrees: degreesOfFreedom(trials: trials))
  }

  /// As ``chanceToFail(drop:alpha:trials:)``, with the variance of the draws at the margin.
  public func chanceToHold(drop missing: Double, alpha: Double, trials: Int) -> Double {
    guard alpha > 0, alpha < 1, trials > 0 else { return 0 }
    let supposed = reference.rate
    let rate = min(1, max(0, supposed - missing))
    let expected = ScoreStatistic(
      treatment: Proportion(
        successes: Int((rate * Double(trials)).rounded()), trials: trials),
      control: reference)
    let days = daysVariance(trials: trials)
    let atMargin = (expected.variance(atDifference: -min(1, points)) + days).squareRoot()
    let deviation = (drawsVariance(rate, supposed, trials) + days).squareRoot()
    let critical = -student.quantile(alpha)
    let distance = points - (supposed - rate)
    guard deviation > 0 else { return distance > critical * atMargin ? 1 : 0 }
    return chance(
      distance: distance / deviation, critical: critical * atMargin / deviation,
      atMost: .infinity, degrees: degreesOfFreedom(trials: trials))
  }

  /// The chance that a normal deviate lies above `critical`, times a deviation's error, minus
  /// `distance`; and above minus `atMost`.
  private func chance(
    distance: Double, critical: Double, atMost: Double, degrees: Double
  ) -> Double {
    let hedges = max(0, 1 - 0.75 * 3 / (4 * degrees - 1))
    let (near, cap) = (hedges * distance, hedges * atMost)
    let squares = (critical * critical - near * near) / (2 * degrees)
    guard near * near < critical * critical else {
      // Promises vary more from baseline to baseline than the statistic does.
      let spread = max(0.25, 1 + squares).squareRoot()
      return NormalDistribution.cumulative(min((near - critical) / spread, cap))
    }
    let scale = DeviationScale(degrees: degrees * critical * critical / (2 * degrees * squares))
    return scale.mean { NormalDistribution.cumulative(min(near - critical * $0, cap)) }
  }

  /// Of the days' effects, at as many trials a day as the current side has.
  private func daysVariance(trials: Int) -> Double {
    varianceOfDays * weightOfDays(trials: trials)
  }

  private func weightOfDays(trials: Int) -> Double {
    weightOfDays(timesCurrent: Double(trials) / Double(max(1, current.trials)))
  }

  private func drawsVariance(_ own: Double, _ supposed: Double, _ trials: Int) -> Double {
    own * (1 - own) / Double(trials)
      + supposed * (1 - supposed) / reference.trials
  }

  /// Of a chi-square that varies as the estimated variance of the difference does. The variance
  /// between days is estimated with an error of a whole day's: its draw's and its effect's.
  private func degreesOfFreedom(trials: Int) -> Double {
    let degrees = Double(variation.independentDegrees)
    let rate = reference.rate
    let weight = weightOfDays(trials: trials)
    let whole = drawsVariance(rate, rate, trials) + varianceOfDays * weight
    let uncertain = (variation.drawOfDay + varianceOfDays) * weight
    guard whole > 0, uncertain > 0 else { return degrees }
    let share = uncertain / whole
    return max(2, degrees / (share * share))
  }
}
