import RealModule

/// The intervals found by inverting the score statistic at one critical value.
///
/// Each bound is searched for on the side of "equal" where the test at equality puts it: a test
/// that rejects upwards has both bounds above, one that does not has one on either side. So the
/// interval and the test agree by construction, also where rounding decides.
struct ScoreIntervals {
  let statistic: ScoreStatistic
  let critical: Double

  private enum Rejection {
    case upwards
    case downwards
    case none
  }

  private var rejection: Rejection {
    let z = statistic.atEquality ?? 0
    return z > critical ? .upwards : z < -critical ? .downwards : .none
  }

  /// The difference with its interval, within -1 and 1.
  var difference: EstimateWithInterval {
    let estimate = statistic.difference
    let rejection = rejection
    let half = critical * max(waldDeviation, 1e-300)
    let tolerance = 1e-13 * half
    let lower = RootFinding.crossing(
      from: rejection == .upwards ? 0 : -1,
      to: rejection == .upwards ? estimate : min(0, estimate),
      guess: estimate - half, resolution: tolerance
    ) { statistic.at(difference: $0) - critical }
    let upper = RootFinding.crossing(
      from: rejection == .downwards ? estimate : max(0, estimate),
      to: rejection == .downwards ? 0 : 1,
      guess: estimate + half, resolution: tolerance
    ) { statistic.at(difference: $0) + critical }
    return EstimateWithInterval(
      estimate: estimate,
      interval: Interval(lower: min(lower, estimate), upper: max(upper, estimate)))
  }

  /// The ratio minus 1 with its interval; the control must have successes.
  var relativeLift: EstimateWithInterval {
    let ratio =
      (statistic.treatmentSuccesses / statistic.treatmentTrials)
      / (statistic.controlSuccesses / statistic.controlTrials)
    // One subtraction of cross products instead of ratio - 1, which loses the digits of small
    // lifts.
    let estimate =
      statistic.difference / (statistic.controlSuccesses / statistic.controlTrials)
    let lower = statistic.treatmentSuccesses == 0 ? -1 : lowerLift(logRatio: .log(ratio))
    let upper = upperLift(logRatio: ratio > 0 ? .log(ratio) : nil)
    return EstimateWithInterval(
      estimate: estimate,
      interval: Interval(lower: min(lower, estimate), upper: max(upper, estimate)))
  }

  private func lowerLift(logRatio: Double) -> Double {
    let excess = { (log: Double) in statistic.at(ratio: .exp(log)) - critical }
    let half = critical * logDeviation
    let near = rejection == .upwards ? logRatio : min(0, logRatio)
    let far =
      rejection == .upwards ? 0 : expanded(from: near, by: -max(half, 0.1)) { excess($0) >= 0 }
    let log = RootFinding.crossing(
      from: far, to: near, guess: logRatio - half, resolution: 1e-13 * half, of: excess)
    return .expMinusOne(log)
  }

  private func upperLift(logRatio: Double?) -> Double {
    let excess = { (log: Double) in statistic.at(ratio: .exp(log)) + critical }
    let half = critical * logDeviation
    let near: Double
    let far: Double
    if rejection == .downwards {
      // Without a success in the treatment the ratio is 0 and its logarithm is nowhere: step
      // down until a ratio is met that is not rejected.
      near = logRatio ?? expanded(from: 0, by: -max(half, 0.1)) { excess($0) >= 0 }
      far = 0
    } else {
      near = max(0, logRatio ?? 0)
      far = expanded(from: near, by: max(half, 0.1)) { excess($0) <= 0 }
    }
    let log = RootFinding.crossing(
      from: near, to: far, guess: (logRatio ?? near) + half, resolution: 1e-13 * half, of: excess)
    return .expMinusOne(log)
  }

  /// The first point, in steps that double, where the condition holds. Logarithms of ratios are
  /// kept within 300, where their exponentials and squares are finite.
  private func expanded(
    from start: Double, by step: Double, until condition: (Double) -> Bool
  ) -> Double {
    var step = step
    var point = start + step
    while !condition(point), abs(point) < 300 {
      step *= 2
      point = start + step
    }
    return min(max(point, -300), 300)
  }

  /// A rough standard error of the difference, to start the search at.
  private var waldDeviation: Double {
    let s = statistic
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
    let s = statistic
    let treatment =
      (s.treatmentFailures + 0.5) / ((s.treatmentSuccesses + 0.5) * s.treatmentTrials)
    let control = (s.controlFailures + 0.5) / ((s.controlSuccesses + 0.5) * s.controlTrials)
    return (treatment + control).squareRoot()
  }
}
