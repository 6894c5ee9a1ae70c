/// Whether a rate changed otherwise in one slice than in the rest, so that the slice may be named
/// as where the change is.
///
/// The rest is held apart by its slices (``StratifiedComparison``): a change of its mix is none of
/// its rate. What is "alike" depends on the scale: one fault that strikes a tenth of all people
/// takes a tenth of each slice's rate, which are more points where the rate is high. So a slice
/// departs only where its change differs in points, as a ratio of successes and as a ratio of
/// failures; the largest of the three p-values is that of "alike on some scale" (an
/// intersection-union test: Berger, Technometrics 24, 1982).
///
///     z = (p1 - p0 - D) / sqrt(V(D) + Var D)           D of the rest
///     z = (p1 - R p0) / sqrt(V(R) + p0^2 Var R)        R of the rest
///
/// V is the score test's variance at what is supposed (``ScoreStatistic``; Miettinen and Nurminen
/// 1985), so that a slice of few people does not depart for having none who fail.
public struct SliceDeparture: Sendable {
  /// The chance of a slice that far on the side of fewer successes, where it is alike.
  public let lessP: Double
  /// On the side of more.
  public let greaterP: Double

  /// - Returns: `nil` where the slice or the rest has nobody on a side, or all did alike.
  public init?(_ slice: ProportionComparison, rest: [ProportionComparison]) {
    let others = StratifiedComparison(strata: rest)
    guard slice.treatment.trials > 0, slice.control.trials > 0, others.score != nil else {
      return nil
    }
    let own = StratifiedComparison(strata: [slice])
    guard let points = Self.points(own, others) else { return nil }
    let scales = [
      points, Self.ratio(own, others), Self.ratio(own.ofFailures, others.ofFailures).map { -$0 },
    ].compactMap(\.self)
    // The weakest on each side.
    lessP = scales.map { NormalDistribution.cumulative($0) }.max() ?? 1
    greaterP = scales.map { NormalDistribution.survival($0) }.max() ?? 1
  }

  private static func points(
    _ slice: StratifiedComparison, _ rest: StratifiedComparison
  ) -> Double? {
    guard let own = slice.score, let others = rest.score else { return nil }
    let supposed = others.difference
    let variance =
      own.pooled.variance(atDifference: supposed) + others.treatmentVariance
      + others.controlVariance
    return variance > 0 ? (own.difference - supposed) / variance.squareRoot() : nil
  }

  /// `nil` where the rest has no success on a side: no ratio is alike to none.
  private static func ratio(
    _ slice: StratifiedComparison, _ rest: StratifiedComparison
  ) -> Double? {
    guard let own = slice.score, let others = rest.score, others.controlRate > 0,
      others.treatmentRate > 0
    else { return nil }
    let (above, below) = (others.treatmentRate, others.controlRate)
    let supposed = above / below
    let relative =
      others.treatmentVariance / (above * above) + others.controlVariance / (below * below)
    let control = own.controlRate
    let variance =
      own.pooled.variance(atRatio: supposed) + control * control * supposed * supposed * relative
    guard variance > 0 else { return nil }
    return (own.treatmentRate - supposed * control) / variance.squareRoot()
  }
}
