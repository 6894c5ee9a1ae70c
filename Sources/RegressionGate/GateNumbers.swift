internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelMetrics

/// The numbers that go with a judgement: the estimate and its interval in the number's own unit
/// and direction, at the level that the verdict was made at.
struct GateNumbers {
  let check: GateCheck
  let test: any DropTest
  let judgement: DropFamily.Judgement

  func fill(_ check: inout GateCheck) {
    check.p = judgement.p
    check.adjustedP = judgement.adjustedP
    check.alpha = judgement.ownAlpha
    check.power = judgement.power
    let found = estimate()
    check.estimate = found?.estimate
    check.low = found?.interval.lower
    check.high = found?.interval.upper
  }

  private var level: Double { 1 - 2 * judgement.ownAlpha }

  private func estimate() -> EstimateWithInterval? {
    switch test {
    case let drop as RateDrop:
      return drop.comparison.difference(level: level).value.map { isTurned ? turned($0) : $0 }
    case let drop as DailyDrop:
      return drop.difference(level: level).value.map { isTurned ? turned($0) : $0 }
    case let drop as StratifiedDrop:
      return drop.difference(level: level).value.map { isTurned ? turned($0) : $0 }
    case let bound as RateBound:
      guard let rate = bound.sample.estimate,
        let interval = bound.interval(level: level)
      else { return nil }
      let found = EstimateWithInterval(estimate: rate, interval: interval)
      return isAtMost ? complement(found) : found
    case let rise as QuantileRise:
      guard let estimate = rise.estimate, let interval = rise.interval(level: level) else {
        return nil
      }
      // Against a reference: how far the quantile may lie above the reference's.
      let base = check.reference?.value ?? 0
      return EstimateWithInterval(
        estimate: estimate - base,
        interval: Interval(lower: interval.lower - base, upper: interval.upper - base))
    case let fall as QuantileFall:
      guard let estimate = fall.estimate, let interval = fall.interval(level: level) else {
        return nil
      }
      return EstimateWithInterval(estimate: estimate, interval: interval)
    case let bound as IntervalBound:
      return bound.estimate(level: level)
    default:
      return nil
    }
  }

  /// Less is better: the test was made with those who did not.
  private var isTurned: Bool {
    if case .notWorse = check.rule.demand { return check.rule.better == .lower }
    return false
  }

  private var isAtMost: Bool {
    if case .atMost = check.rule.demand { return true }
    return false
  }

  private func turned(_ found: EstimateWithInterval) -> EstimateWithInterval {
    EstimateWithInterval(
      estimate: -found.estimate,
      interval: Interval(lower: -found.interval.upper, upper: -found.interval.lower))
  }

  private func complement(_ found: EstimateWithInterval) -> EstimateWithInterval {
    EstimateWithInterval(
      estimate: 1 - found.estimate,
      interval: Interval(lower: 1 - found.interval.upper, upper: 1 - found.interval.lower))
  }
}
