/// Whether a rate has one level up to some date and another from then on, over samples in order.
///
/// Of the places where it may have changed, each with two samples or more on either side, the one
/// is taken that leaves the least scatter about the two levels, with the trials as weights. The
/// levels are compared with the variance between the samples of each (``PeriodComparison``), and
/// the p-value is that times the number of places (Bonferroni): a bound, since the places depend on
/// one another.
///
/// That the levels differ is no jump yet: a line through a steady decline has such places, too. It
/// is one if a straight line leaves clearly more scatter, by ``leastGain`` times the variance that
/// is left about the levels. That bound is one by simulation (`RateJumpTests`): of lines that rise
/// or fall steadily, through 6 to 26 samples, at most 5 % are called a jump.
public struct RateJump: Sendable, Hashable {
  /// By how much of the variance a line has to be worse.
  private static let leastGain = 9.0
  private static let fewestBeside = 2
  /// With fewer samples two levels fit anything.
  private static let fewestSamples = 6

  /// The first sample of the second level, in the order of those that were given.
  public let index: Int
  /// The level up to there.
  public let before: Double
  /// The level from there on.
  public let after: Double
  /// The two-sided p-value of "the rate doesn't change".
  public let pValue: Double

  private struct Sums {
    var trials = 0.0
    var successes = 0.0
    /// Of the squared successes, by their trials.
    var squares = 0.0

    var rate: Double { successes / trials }
    /// The squared distances from the rate, with the trials as weights.
    var scatter: Double { max(0, squares - successes * rate) }

    mutating func add(_ sample: RateTrend.Sample) {
      let (own, all) = (Double(sample.successes), Double(sample.trials))
      trials += all
      successes += own
      squares += own * own / all
    }

    init(_ samples: some Sequence<RateTrend.Sample>) { for sample in samples { add(sample) } }
  }

  /// Samples must be in order, each with trials.
  ///
  /// - Returns: `nil` where a straight line is as good, where the first or the last quarter of the
  ///   samples lies nearer to the other level (a rate that only dipped has no second level), for
  ///   fewer than six samples, and where all people succeeded or none.
  public init?(_ samples: [RateTrend.Sample]) {
    let count = samples.count
    guard count >= Self.fewestSamples,
      samples.allSatisfy({ $0.trials > 0 && (0...$0.trials).contains($0.successes) })
    else { return nil }
    let whole = Sums(samples)
    let spread = whole.rate * (1 - whole.rate)
    guard spread > 0, let line = Self.scatterAboutLine(samples, whole) else { return nil }
    let places = Self.fewestBeside...count - Self.fewestBeside
    let sides = places.map { (Sums(samples[..<$0]), Sums(samples[$0...])) }
    let scatters = sides.map { ($0.scatter + $1.scatter) / spread }
    guard let least = scatters.min(), let best = scatters.firstIndex(of: least) else { return nil }
    let (one, other) = sides[best]
    let place = places.lowerBound + best
    let rates = samples.map { Proportion(successes: $0.successes, trials: $0.trials) }
    guard
      let p = PeriodComparison(
        before: Array(rates[..<place]), after: Array(rates[place...]))?.twoSidedP
    else { return nil }
    let gain = (line / spread - least) / max(1, least / Double(count - 3))
    index = place
    (before, after) = (one.rate, other.rate)
    pValue = min(1, p * Double(places.count))
    let quarter = max(1, count / 4)
    let ends = (
      Sums(samples.prefix(min(quarter, index))).rate,
      Sums(samples.suffix(min(quarter, count - index))).rate
    )
    let half = abs(after - before) / 2
    guard gain > Self.leastGain, abs(ends.0 - before) < half, abs(ends.1 - after) < half else {
      return nil
    }
  }

  /// About the line of least squares; `nil` where all samples have one place.
  private static func scatterAboutLine(_ samples: [RateTrend.Sample], _ whole: Sums) -> Double? {
    let middle = samples.reduce(0) { $0 + Double($1.trials) * $1.place } / whole.trials
    var (squares, products) = (0.0, 0.0)
    for sample in samples {
      let distance = sample.place - middle
      squares += Double(sample.trials) * distance * distance
      products += distance * (Double(sample.successes) - Double(sample.trials) * whole.rate)
    }
    guard squares > 0 else { return nil }
    return max(0, whole.scatter - products * products / squares)
  }
}
