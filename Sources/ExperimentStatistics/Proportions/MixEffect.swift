/// What the strata's shares make of a difference: the difference with one mix
/// (``StratifiedComparison/rates``) minus the difference of all trials as they are.
///
/// With Mantel and Haenszel's weights w, the strata's shares a and b of the groups' trials, and
/// rates p1 and p0, it is
///
///     sum (w - a) p1 - sum (w - b) p0
///
/// Its variance is that of the shares, which come as people do, and of the rates:
///
///     (sum a p1^2 - (sum a p1)^2) / n1 + sum (w - a)^2 p1 (1 - p1) / n1a
///
/// and as much of the other group. Where the groups' shares are alike but for chance it is 0 but
/// for chance, however large the difference between the groups is.
public struct MixEffect: Sendable, Hashable {
  /// In points of the proportion, treatment minus control.
  public let points: Double
  /// 0 where neither shares nor rates vary.
  public let standardError: Double

  /// `nil` where no stratum has trials in both groups.
  public init?(_ strata: [ProportionComparison]) {
    let weights = strata.map { pair -> Double in
      let (own, other) = (Double(pair.treatment.trials), Double(pair.control.trials))
      return own + other > 0 ? own / (own + other) * other : 0
    }
    let all = weights.reduce(0, +)
    guard all > 0 else { return nil }
    func side(_ counts: [Proportion]) -> (points: Double, variance: Double) {
      let trials = Double(counts.reduce(0) { $0 + $1.trials })
      var (points, mean, squares, ofRates) = (0.0, 0.0, 0.0, 0.0)
      for (counts, weight) in zip(counts, weights) {
        guard let rate = counts.estimate else { continue }
        let share = Double(counts.trials) / trials
        let distance = weight / all - share
        points += distance * rate
        mean += share * rate
        squares += share * rate * rate
        ofRates += distance * distance * rate * (1 - rate) / Double(counts.trials)
      }
      return (points, max(0, squares - mean * mean) / trials + ofRates)
    }
    let (own, other) = (side(strata.map(\.treatment)), side(strata.map(\.control)))
    points = own.points - other.points
    standardError = (own.variance + other.variance).squareRoot()
  }

  /// The p-value against "the difference with one mix is the smaller one".
  public var lessP: Double { p(points) }
  /// The p-value against "the difference with one mix is the larger one".
  public var greaterP: Double { p(-points) }

  /// Less than this is the rounding of sums.
  private static let least = 1e-7

  private func p(_ points: Double) -> Double {
    guard standardError > Self.least else { return points < -Self.least ? 0 : 1 }
    return NormalDistribution.cumulative(points / standardError)
  }
}
