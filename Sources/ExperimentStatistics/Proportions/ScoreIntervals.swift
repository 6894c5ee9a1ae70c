import RealModule

/// The intervals found by inverting the score statistic at one critical value.
///
/// Each bound is searched for on the side of "equal" where the test at equality puts it: a test
/// that rejects upwards has both bounds above, one that does not has one on either side. So the
/// interval and the test agree by construction, also where rounding decides.
struct ScoreIntervals<Score: TwoSampleScore>: Sendable {
  let statistic: Score
  let critical: Double

  /// z where there is no difference; without any variation there is no evidence of one.
  private let atEquality: Double

  init(statistic: Score, critical: Double) {
    self.statistic = statistic
    self.critical = critical
    atEquality = statistic.atEquality ?? 0
  }

  /// Stands for the value at an end where the statistic is beyond any critical value.
  private static var beyond: Double { 1e18 }

  /// The difference with its interval, within -1 and 1.
  var difference: EstimateWithInterval {
    let estimate = statistic.difference
    let half = critical * waldDeviation
    let lower = bound(
      sign: 1, estimate: estimate, furthest: -1, guess: estimate - half, scale: half
    ) { statistic.at(difference: $0) }
    let upper = bound(
      sign: -1, estimate: estimate, furthest: 1, guess: estimate + half, scale: half
    ) { statistic.at(difference: $0) }
    return EstimateWithInterval(
      estimate: estimate,
      interval: Interval(lower: min(lower, estimate), upper: max(upper, estimate)))
  }

  /// The ratio minus 1 with its interval; the control must have successes.
  var relativeLift: EstimateWithInterval {
    let control = statistic.controlRate
    let ratio = statistic.treatmentRate / control
    // Not ratio - 1, which loses the digits of small lifts.
    let estimate = max(-1, statistic.difference / control)
    let half = critical * logDeviation
    // Logarithms of ratios are searched within 300, where exponentials and squares are finite.
    // No success in the treatment puts the estimate at the lower end, and the first guess where
    // R p0 n1, the successes it should have had, is the critical value squared.
    let hasSuccess = statistic.pooled.treatmentSuccesses > 0
    let logRatio = hasSuccess ? Double.log(ratio) : -300
    let guess =
      hasSuccess
      ? logRatio + half : .log(critical * critical / (control * statistic.pooled.treatmentTrials))
    let lower =
      hasSuccess
      ? bound(sign: 1, estimate: logRatio, furthest: -300, guess: logRatio - half, scale: half) {
        statistic.at(ratio: .exp($0))
      } : -300
    let upper = bound(
      sign: -1, estimate: logRatio, furthest: 300, guess: guess, scale: half
    ) { statistic.at(ratio: .exp($0)) }
    return EstimateWithInterval(
      estimate: estimate,
      interval: Interval(
        lower: hasSuccess ? min(.expMinusOne(lower), estimate) : -1,
        upper: max(.expMinusOne(upper), estimate)))
  }

  /// Where the statistic is `sign * critical`, between the estimate (where it is 0) and the end
  /// on that side: `sign` is 1 for the lower bound. Equality, at 0 on this axis, is one more known
  /// point, and the bound stays on the side of it that the test says.
  private func bound(
    sign: Double, estimate: Double, furthest: Double, guess: Double, scale: Double,
    _ function: (Double) -> Double
  ) -> Double {
    let target = sign * critical
    let atEstimate: RootFinding.Point = (estimate, -target)
    let atZero: RootFinding.Point = (0, atEquality - target)
    let isRejected = sign * atEquality > critical
    // Beyond the estimate lies the end; a rejected equality comes before it, one that is not
    // rejected has to be passed.
    let isPassed = sign > 0 ? estimate > 0 : estimate < 0
    let atEnd: RootFinding.Point = (furthest, sign * Self.beyond)
    let inner = !isRejected && isPassed ? atZero : atEstimate
    let outer = isRejected ? atZero : atEnd
    guard inner.at != outer.at else { return inner.at }
    return RootFinding.smoothCrossing(
      from: sign > 0 ? outer : inner, to: sign > 0 ? inner : outer, guess: guess,
      near: estimate > -300 ? atEstimate : atZero, resolution: 1e-13 * scale
    ) { function($0) - target }
  }

  /// A rough standard error of the difference, to start the search at.
  private var waldDeviation: Double {
    let s = statistic.pooled
    let treatment =
      (s.treatmentSuccesses + 0.5) * (s.treatmentFailures + 0.5)
      / (s.treatmentTrials * s.treatmentTrials * s.treatmentTrials)
    let control =
      (s.controlSuccesses + 0.5) * (s.controlFailures + 0.5)
      / (s.controlTrials * s.controlTrials * s.controlTrials)
    return (treatment + control).squareRoot()
  }

  /// A rough standard error of the logarithm of the ratio.
  private var logDeviation: Double {
    let s = statistic.pooled
    let treatment =
      (s.treatmentFailures + 0.5) / ((s.treatmentSuccesses + 0.5) * s.treatmentTrials)
    let control = (s.controlFailures + 0.5) / ((s.controlSuccesses + 0.5) * s.controlTrials)
    return (treatment + control).squareRoot()
  }
}
