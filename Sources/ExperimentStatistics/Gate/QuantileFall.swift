/// A quantile of durations that must not lie below a fixed value: the other side of
/// ``QuantileRise``, with the same interval.
///
/// Of a quantile that lies below the value more observations than expected do: the exact binomial
/// tail, normal for large samples. What is equal to the value counts against the claim that is
/// tested, as there.
public struct QuantileFall: DropTest {
  private let other: QuantileRise

  /// - Parameters:
  ///   - sample: the durations whose quantile is tested.
  ///   - share: 0.9 for the 90th percentile.
  ///   - limit: the value that the quantile must not lie below, in the durations' unit.
  ///   - margin: half of the shortfall that a sample has to be able to show.
  public init(sample: ValueCounts, share: Double, limit: Double, margin: Double) {
    other = QuantileRise(
      sample: sample, share: share, limit: limit, referenceTrials: nil, margin: margin)
  }

  /// The sample's own quantile.
  public var estimate: Double? { other.estimate }
  /// The value that the quantile must not lie below.
  public var limit: Double { other.limit }
  /// How many durations the sample has.
  public var trials: Int { other.trials }
  /// Twice the margin, in the values' unit.
  public var lookedFor: Double { other.lookedFor }
  /// Whether the limit lies above 0, below which no duration can.
  public var canDrop: Bool { other.canDrop }

  /// The one-sided p-value of a fall below the limit; `nil` without observations.
  public var p: Double? {
    trials > 0 ? other.fallenP(other.sample.count(atOrAbove: limit), trials: trials) : nil
  }

  /// Whether the sample's quantile lies below the limit: a bound has no margin of its own.
  public var isBeyondMargin: Bool { estimate.map { $0 < limit } ?? false }

  /// So many lie above the limit that the quantile is shown not to be that low.
  public func isShownToHold(alpha: Double) -> Bool {
    guard trials > 0, alpha > 0, alpha < 1 else { return false }
    if !canDrop { return true }
    return other.risenP(other.sample.count(above: limit), trials: trials) < alpha
  }

  /// The limits that neither side's test rejects at this two-sided level.
  public func interval(level: Double) -> Interval? { other.interval(level: level) }

  /// The chance that so few lie above the limit.
  public func chanceToFail(drop: Double, alpha: Double, trials: Int) -> Double {
    other.chanceToHold(drop: -drop, alpha: alpha, trials: trials)
  }

  /// The chance that so many lie above the limit.
  public func chanceToHold(drop: Double, alpha: Double, trials: Int) -> Double {
    other.chanceToFail(drop: -drop, alpha: alpha, trials: trials)
  }
}
